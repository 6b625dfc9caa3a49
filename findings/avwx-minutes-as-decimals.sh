#!/usr/bin/env bash
# avwx-engine 1.9.10 (PyPI).
# Places in SIGMETs and NOTAMs are degrees and minutes (ICAO Annex 3 and Annex 15): S0030 is half a degree south, 4038N07346W is Kennedy.
# avwx reads the minutes as hundredths of a degree: a corner of an area of thunderstorms is up to 44 km off in each direction, and Kennedy's
# NOTAM lies 38 km away in the Atlantic. Where a SIGMET's region is FIR/UIR in place of FIR, as Dakar's is, the area and the phenomenon are
# not read at all. Seen:
#   SIGMET, FIR: (-0.3, -64.45), (-1.3, -62.45), (-3.45, -64.15)
#   SIGMET, FIR/UIR: nothing
#   NOTAM, 4038N07346W: (40.38, -73.46)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet avwx-engine==1.9.10
venv/bin/python -W ignore - <<'PY' | tee seen
from avwx import AirSigmet
from avwx.current.notam import Notams

for region in ("FIR", "FIR/UIR"):
    text = (
        f"WSBZ31 SBGL 221646 SBAZ SIGMET 9 VALID 221650/222050 SBAZ- SBAZ AMAZONICA {region} EMBD TS OBS AT 1646Z "
        "WI S0030 W06445 - S0130 W06245 - S0345 W06415 - S0030 W06445 TOP FL450 MOV W 05KT INTSF="
    )
    area = AirSigmet.from_report(text).data.observation
    corners = area.coords[:3] if area else []
    print(f"SIGMET, {region}: " + (", ".join(f"({corner.lat}, {corner.lon})" for corner in corners) or "nothing"))
text = "A1234/26 NOTAMN\nQ) KZNY/QFALC/IV/NBO/A/000/999/4038N07346W005\nA) KJFK B) 2611291000 C) 2611291200\nE) AD CLSD"
place = Notams.from_report(text).data[0].qualifiers.coord
print(f"NOTAM, {place.repr}: ({place.lat}, {place.lon})")
PY
grep -qx 'SIGMET, FIR: (-0.3, -64.45), (-1.3, -62.45), (-3.45, -64.15)' seen
grep -qx 'SIGMET, FIR/UIR: nothing' seen
grep -qx 'NOTAM, 4038N07346W: (40.38, -73.46)' seen
