#!/usr/bin/env bash
# aviconv-aixm 0.6.0 (PyPI), a reader and writer of the AIXM by which states publish their airports.
# In AIXM each height and length has its unit with it (`uom`: FT, M and others), and each point the name of its reference system, which gives
# the order of its two numbers: latitude first in EPSG::4326, longitude first in CRS84 (OGC 12-028, the guidance on GML for aviation). The
# package reads neither. Denver, 5434 ft high, is at 5434 m, above every airport of the world, with a runway of 16 km; written back, the file
# itself says so. In a file with CRS84 Frankfurt is in the sea off Somalia, and Denver has a latitude of -104 degrees, for which the whole file
# is refused. The messages are valid by the schema that the package brings, which is asked to check them. Seen, as GeoJSON and as written:
#   Denver, EPSG::4326, FT:    [-104.6732, 39.8617, 5434.0], runway 16000.0 m; written <fieldElevation uom="M">5434
#   Denver, CRS84, FT:         ValidationError
#   Frankfurt, EPSG::4326, M:  [8.5706, 50.0333, 111.0], runway 4000.0 m; written <fieldElevation uom="M">111
#   Frankfurt, CRS84, M:       [50.0333, 8.5706, 111.0], runway 4000.0 m; written <fieldElevation uom="M">111
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet aviconv-aixm==0.6.0
cat >read.py <<'PY'
import re

from aviconv_aixm import read_aixm, to_geojson, write_aixm
from pydantic import ValidationError

MESSAGE = """<?xml version="1.0" encoding="UTF-8"?>
<message:AIXMBasicMessage xmlns:message="http://www.aixm.aero/schema/5.1.1/message"
  xmlns:aixm="http://www.aixm.aero/schema/5.1.1" xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="m">
  <message:hasMember>
    <aixm:AirportHeliport gml:id="a1">
      <gml:identifier codeSpace="urn:uuid:">1b54b2d6-a5ff-4e57-94c2-f4047a381c64</gml:identifier>
      <aixm:timeSlice>
        <aixm:AirportHeliportTimeSlice gml:id="a2">
          {time_a}
          <aixm:designator>{code}</aixm:designator>
          <aixm:name>{code}</aixm:name>
          <aixm:fieldElevation uom="{unit}">{elevation}</aixm:fieldElevation>
          <aixm:ARP>
            <aixm:ElevatedPoint gml:id="a4" srsName="{system}">
              <gml:pos>{position}</gml:pos>
              <aixm:elevation uom="{unit}">{elevation}</aixm:elevation>
            </aixm:ElevatedPoint>
          </aixm:ARP>
        </aixm:AirportHeliportTimeSlice>
      </aixm:timeSlice>
    </aixm:AirportHeliport>
  </message:hasMember>
  <message:hasMember>
    <aixm:Runway gml:id="r1">
      <gml:identifier codeSpace="urn:uuid:">2b54b2d6-a5ff-4e57-94c2-f4047a381c64</gml:identifier>
      <aixm:timeSlice>
        <aixm:RunwayTimeSlice gml:id="r2">
          {time_r}
          <aixm:designator>16R/34L</aixm:designator>
          <aixm:nominalLength uom="{unit}">{length}</aixm:nominalLength>
        </aixm:RunwayTimeSlice>
      </aixm:timeSlice>
    </aixm:Runway>
  </message:hasMember>
</message:AIXMBasicMessage>
"""
TIME = """<gml:validTime>
            <gml:TimePeriod gml:id="{id}">
              <gml:beginPosition>2026-01-01T00:00:00Z</gml:beginPosition>
              <gml:endPosition indeterminatePosition="unknown"/>
            </gml:TimePeriod>
          </gml:validTime>
          <aixm:interpretation>BASELINE</aixm:interpretation>
          <aixm:sequenceNumber>1</aixm:sequenceNumber>"""


def show(words, **parts):
    with open("in.xml", "w") as file:
        file.write(MESSAGE.format(time_a=TIME.format(id="a3"), time_r=TIME.format(id="r3"), **parts))
    try:
        features = list(read_aixm("in.xml", validate=True))
    except ValidationError as error:
        print(f"{words:<26} {type(error).__name__}")
        return
    write_aixm(features, "out.xml")
    unit, written = re.search(r'fieldElevation uom="(\w+)">([\d.]+)', open("out.xml").read()).groups()
    place, length = to_geojson(features, include_non_spatial=True)["features"]
    print(
        f"{words:<26} {place['geometry']['coordinates']}, runway {length['properties']['runway_length_m']} m; "
        f'written <fieldElevation uom="{unit}">{written}'
    )


epsg, crs84 = "urn:ogc:def:crs:EPSG::4326", "urn:ogc:def:crs:OGC:1.3:CRS84"
denver = {"code": "KDEN", "unit": "FT", "elevation": 5434, "length": 16000}
frankfurt = {"code": "EDDF", "unit": "M", "elevation": 111, "length": 4000}
show("Denver, EPSG::4326, FT:", system=epsg, position="39.8617 -104.6732", **denver)
show("Denver, CRS84, FT:", system=crs84, position="-104.6732 39.8617", **denver)
show("Frankfurt, EPSG::4326, M:", system=epsg, position="50.0333 8.5706", **frankfurt)
show("Frankfurt, CRS84, M:", system=crs84, position="8.5706 50.0333", **frankfurt)
PY
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
Denver, EPSG::4326, FT:    [-104.6732, 39.8617, 5434.0], runway 16000.0 m; written <fieldElevation uom="M">5434
Denver, CRS84, FT:         ValidationError
Frankfurt, EPSG::4326, M:  [8.5706, 50.0333, 111.0], runway 4000.0 m; written <fieldElevation uom="M">111
Frankfurt, CRS84, M:       [50.0333, 8.5706, 111.0], runway 4000.0 m; written <fieldElevation uom="M">111
SEEN
