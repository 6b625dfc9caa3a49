#!/usr/bin/env bash
# aviconv-met 0.4.0 (PyPI), against metar 2.0.2 (PyPI, python-metar).
# The runway visual range decides whether an airport lands aircraft in fog: category I needs 550 m, category II 300 m. The United States and
# Canada report it in feet, with FT behind the figures (FMH-1, 12.6.7), others in metres without a unit. The package reads a group with FT, and
# gives its figures with the unit M: 600 ft, which are 183 m and too little for category II, are 600 m and enough for category I. The letters
# that make figures a bound are dropped: less than 600 ft is the same 600 m, and more than 6000 ft is 6000 m. With the tendency behind a
# stroke, as Canada writes it, there is no visual range at all. Groups in metres have the right unit, and no bound either. The reports are
# made up. Seen, aviconv-met, then metar:
#   R04/0600FT        600 M; 183 meters
#   R04/M0600FT       600 M; less than 183 meters
#   R04/2400VP6000FT  2400 to 6000 M; from 731 to greater than 1829 meters
#   R24/P6000FT       6000 M; greater than 1829 meters
#   R24L/1200FT/D     none; 366 meters, decreasing
#   R04/0600N         600 M; 600 meters, no distinct tendency
#   R04/M0050N        50 M; less than 50 meters, no distinct tendency
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet aviconv-met==0.4.0 metar==2.0.2
cat >read.py <<'PY'
from aviconv_met import parse_metar
from metar.Metar import Metar

for group in ["R04/0600FT", "R04/M0600FT", "R04/2400VP6000FT", "R24/P6000FT", "R24L/1200FT/D", "R04/0600N", "R04/M0050N"]:
    report = f"METAR KJFK 301151Z 01003KT 1/4SM {group} FG VV001 M01/M01 A3010"
    ranges = [
        " to ".join(str(value) for value in (read.value, read.value_max) if value is not None) + f" {read.unit}"
        for read in parse_metar(f"{report}=").rvr
    ]
    right = Metar(report).runway_visual_range("M").split(", ", 1)[1]
    print(f"{group:<17} {ranges[0] if ranges else 'none'}; {right}")
PY
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
R04/0600FT        600 M; 183 meters
R04/M0600FT       600 M; less than 183 meters
R04/2400VP6000FT  2400 to 6000 M; from 731 to greater than 1829 meters
R24/P6000FT       6000 M; greater than 1829 meters
R24L/1200FT/D     none; 366 meters, decreasing
R04/0600N         600 M; 600 meters, no distinct tendency
R04/M0050N        50 M; less than 50 meters, no distinct tendency
SEEN
