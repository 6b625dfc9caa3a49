#!/usr/bin/env bash
# aeromet-py 0.1.2, against metar 2.0.2 (both PyPI).
# SM behind the visibility of a US report means statute miles of 1609 m (FMH-1; reports of most other countries have metres). aeromet-py
# takes it for "sea miles" of 1852 m. Wind, clouds, pressure and temperature are right, and so is a visibility in metres. In the United States
# and Canada every visibility is 15 % better than it was: half a mile of snow is 926 m instead of 805. `in_sea_miles` gives the number of
# the report, so that a look at it finds nothing. Seen:
#   1/2SM: aeromet-py 926 m, metar 805 m; in_sea_miles 0.5
#   1SM:   aeromet-py 1852 m, metar 1609 m; in_sea_miles 1.0
#   3SM:   aeromet-py 5556 m, metar 4828 m; in_sea_miles 3.0
#   0800:  aeromet-py 800 m, metar 800 m; in_sea_miles 0.4
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet aeromet-py==0.1.2 metar==2.0.2
cat >miles.py <<'PY'
from aeromet_py import Metar as Aeromet
from metar import Metar

for visibility in ("1/2SM", "1SM", "3SM", "0800"):
    report = f"METAR KBUF 291154Z 26015KT {visibility} SN VV010 M02/M03 A2990"
    read = Aeromet(report, year=2026, month=11).prevailing_visibility
    other = Metar.Metar(report, year=2026, month=11).vis.value("M")
    print(f"{visibility}: aeromet-py {read.in_meters:.0f} m, metar {other:.0f} m; in_sea_miles {read.in_sea_miles:.1f}")
PY
venv/bin/python -W ignore miles.py | tee seen
diff seen - <<'SEEN'
1/2SM: aeromet-py 926 m, metar 805 m; in_sea_miles 0.5
1SM: aeromet-py 1852 m, metar 1609 m; in_sea_miles 1.0
3SM: aeromet-py 5556 m, metar 4828 m; in_sea_miles 3.0
0800: aeromet-py 800 m, metar 800 m; in_sea_miles 0.4
SEEN
