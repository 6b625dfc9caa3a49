#!/usr/bin/env bash
# sigwx-parser 1.5.2 (PyPI), which turns the significant weather of the world area forecasts into GeoJSON, WKT or WKB.
# An area of turbulence around a pole is a ring of positions through all longitudes (IWXXM, a GML PolygonPatch in EPSG:4326: latitude first).
# By GML, and by RFC 7946 for GeoJSON, the area lies to the left of its outer ring: a ring that goes east around the north pole holds the pole.
# Before it cuts the ring at the date line, the package turns it by its area on a flat map, where such a ring is a zigzag and its area has no
# meaning: many rings come out the other way round. The severe turbulence of the Arctic then covers the whole world but the Arctic: it is
# at Singapore, and not on the way over the pole. WKT is not turned and is right; GeoJSON is the default. Nothing is refused; the forecast
# below is made up. Seen, area in square degrees of the map, then whether the turbulence is at the place:
#   Labrador, geojson: 200; none of them
#   Labrador, wkt: 200; none of them
#   Bering Sea, geojson: 298; none of them
#   Bering Sea, wkt: 298; none of them
#   Arctic, geojson: 58874; Singapore, south pole
#   Arctic, wkt: 5926; north pole
#   Arctic, wider in Europe, geojson: 5771; north pole
#   Arctic, wider in Europe, wkt: 5771; north pole
#   Antarctic, geojson: 58874; north pole, Singapore
#   Antarctic, wkt: 5926; south pole
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet sigwx-parser==1.5.2 antimeridian==0.4.9 shapely==2.1.2 lxml==6.0.2
cat >forecast.py <<'PY'
from shapely import wkt
from shapely.geometry import Point, shape
from sigwx_parser import SigwxParser

FORECAST = """<iwxxm:WAFSSignificantWeatherForecast xmlns:iwxxm="http://icao.int/iwxxm/2023-1"
  xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink" gml:id="f">
  <iwxxm:feature><iwxxm:MeteorologicalFeature gml:id="turbulence">
    <iwxxm:phenomenon xlink:href="http://codes.wmo.int/49-2/MeteorologicalFeature/TURBULENCE"/>
    <iwxxm:phenomenonGeometry>
      <iwxxm:ElevatedVolume gml:id="v" srsDimension="2" axisLabels="Lat Long" srsName="http://www.opengis.net/def/crs/EPSG/0/4326">
        <gml:patches><gml:PolygonPatch><gml:exterior><gml:LinearRing><gml:posList>{ring}</gml:posList></gml:LinearRing></gml:exterior></gml:PolygonPatch></gml:patches>
        <iwxxm:upperElevation uom="FL">400</iwxxm:upperElevation><iwxxm:lowerElevation uom="FL">280</iwxxm:lowerElevation>
      </iwxxm:ElevatedVolume>
    </iwxxm:phenomenonGeometry>
    <iwxxm:phenomenonProperty><iwxxm:DegreeOfTurbulence xlink:href="http://codes.wmo.int/bufr4/codeflag/0-11-031/7"/></iwxxm:phenomenonProperty>
  </iwxxm:MeteorologicalFeature></iwxxm:feature>
</iwxxm:WAFSSignificantWeatherForecast>"""
PLACES = {"north pole": Point(0, 89.9), "Singapore": Point(103.99, 1.36), "south pole": Point(0, -89.9)}
AREAS = {
    "Labrador": "50 -70 50 -50 60 -50 60 -70 50 -70",
    "Bering Sea": "50 170 50 -160 60 -160 60 170 50 170",
    "Arctic": "70 -150 72 -90 75 -30 78 30 74 90 71 150 70 -150",
    "Arctic, wider in Europe": "78 -150 75 -90 70 -30 69 30 74 90 77 150 78 -150",
    "Antarctic": "-70 150 -72 90 -75 30 -78 -30 -74 -90 -71 -150 -70 150",
}


def area(ring, output):
    [forecast] = SigwxParser(None, FORECAST.format(ring=ring)).parse(output_format=output)
    [feature] = forecast[output]["features"]
    return shape(feature["geometry"]) if output == "geojson" else wkt.loads(feature["geometry"])


for name, ring in AREAS.items():
    for output in ("geojson", "wkt"):
        covered = area(ring, output)
        there = [place for place, point in PLACES.items() if covered.contains(point)]
        print(f"{name}, {output}: {covered.area:.0f}; {', '.join(there) or 'none of them'}")
PY
venv/bin/python -W ignore forecast.py | tee seen
diff seen - <<'SEEN'
Labrador, geojson: 200; none of them
Labrador, wkt: 200; none of them
Bering Sea, geojson: 298; none of them
Bering Sea, wkt: 298; none of them
Arctic, geojson: 58874; Singapore, south pole
Arctic, wkt: 5926; north pole
Arctic, wider in Europe, geojson: 5771; north pole
Arctic, wider in Europe, wkt: 5771; north pole
Antarctic, geojson: 58874; north pole, Singapore
Antarctic, wkt: 5926; south pole
SEEN
