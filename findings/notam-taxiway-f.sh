#!/usr/bin/env bash
# avwx-engine 1.9.10 and aviconv-notam 0.3.0 with aviconv-dnotam 0.1.2 (PyPI).
# A NOTAM's items begin with a letter and a bracket, A) to G), and item E is free text (ICAO Doc 10066, appendix 3), in which brackets are
# allowed as everywhere (Annex 10, volume II, 4.1.2): "TWY H (BTN TWY A AND TWY F) CLSD". Both readers take the end of that bracket for item
# F, the lower limit of a warning in the air, and G) for G, the upper. The text ends there. What stands behind it is lost in avwx, and is a
# limit in aviconv; here it is the closure of a runway, and the Digital NOTAM made of it closes no runway. A taxiway or an apron with an
# earlier letter is right, which aviconv provides for, so that examples look well. Nothing is raised. Seen:
#   (BTN TWY A AND TWY D)
#     avwx:    TWY H (BTN TWY A AND TWY D) CLSD. RWY 09L/27R CLSD
#     aviconv: TWY H (BTN TWY A AND TWY D) CLSD. RWY 09L/27R CLSD; limits None, None; RUNWAY_CLOSURE of 09L/27R
#   (BTN TWY A AND TWY F)
#     avwx:    TWY H (BTN TWY A AND TWY
#     aviconv: TWY H (BTN TWY A AND TWY; limits CLSD. RWY 09L/27R CLSD, None; RUNWAY_CLOSURE of None
#   (APRON G)
#     avwx:    TWY H (APRON
#     aviconv: TWY H (APRON; limits None, CLSD. RWY 09L/27R CLSD; RUNWAY_CLOSURE of None
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet avwx-engine==1.9.10 aviconv-notam==0.3.0 aviconv-dnotam==0.1.2
cat >read.py <<'PY'
from aviconv_dnotam import encode
from aviconv_notam.parser import parse
from avwx.current.notam import Notams

for where in ("(BTN TWY A AND TWY D)", "(BTN TWY A AND TWY F)", "(APRON G)"):
    text = (
        "A1234/26 NOTAMN\nQ) EGTT/QMRLC/IV/NBO/A/000/999/5129N00028W005\nA) EGLL B) 2611291000 C) 2611291200\n"
        f"E) TWY H {where} CLSD. RWY 09L/27R CLSD"
    )
    notam = parse(text)
    digital = encode(notam)
    runway = digital.feature.time_slices[0].properties.designator
    print(where)
    print(f"  avwx:    {Notams.from_report(text).data[0].body}")
    limits = f"{notam.lower_limit}, {notam.upper_limit}"
    print(f"  aviconv: {notam.body}; limits {limits}; {digital.scenario.name} of {runway}")
PY
venv/bin/python -W ignore read.py | tee seen
diff seen - <<'SEEN'
(BTN TWY A AND TWY D)
  avwx:    TWY H (BTN TWY A AND TWY D) CLSD. RWY 09L/27R CLSD
  aviconv: TWY H (BTN TWY A AND TWY D) CLSD. RWY 09L/27R CLSD; limits None, None; RUNWAY_CLOSURE of 09L/27R
(BTN TWY A AND TWY F)
  avwx:    TWY H (BTN TWY A AND TWY
  aviconv: TWY H (BTN TWY A AND TWY; limits CLSD. RWY 09L/27R CLSD, None; RUNWAY_CLOSURE of None
(APRON G)
  avwx:    TWY H (APRON
  aviconv: TWY H (APRON; limits None, CLSD. RWY 09L/27R CLSD; RUNWAY_CLOSURE of None
SEEN
