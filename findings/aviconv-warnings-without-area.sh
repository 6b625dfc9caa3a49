#!/usr/bin/env bash
# aviconv-met 0.4.0 (PyPI), a converter of warnings of weather to IWXXM.
# In SIGMETs, AIRMETs and advisories on volcanic ash, ICAO writes N5100 W00200, with the letter first (Annex 3, tables A6-1A and A2-1), and so
# does every example in the package. Its pattern takes 5100N 00200W, as flight plans and NOTAMs have it: the storm of a SIGMET has no area, a
# volcano has no place, and the ash that is sent around it is nowhere. The IWXXM is made without them, so that a test for "is this airport in the
# area" finds none and raises nothing. A SIGMET for an entire region has its area, and the same points with the letters behind are read. A
# CNL SIGMET, which takes back another one, is a SIGMET without a phenomenon, and does not tell which. Seen:
#   SIGMET, N5100 W00200: no area; IWXXM without geometry
#   SIGMET, 5100N 00200W: polygon; IWXXM with geometry
#   SIGMET, ENTIRE FIR: whole; IWXXM with geometry
#   CNL SIGMET: kind SIGMET, phenomenon ''
#   ash, N5638 E16119: volcano at None, cloud of 0 points
#   ash, 5638N 16119E: volcano at 56.63 161.32, cloud of 4 points
#   the package's own example: volcano at None, cloud of 0 points
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet aviconv-met==0.4.0 lxml
cat >read.py <<'PY'
import re

from aviconv_met import parse_advisory, parse_sigmet
from aviconv_met.iwxxm import to_iwxxm

FIR = "EGTT SIGMET 3 VALID 011200/011600 EGRR- EGTT LONDON FIR "
AREA = "WI N5100 W00200 - N5200 W00200 - N5200 E00000 - N5100 W00200"
ASH = """VA ADVISORY
DTG: 20261201/1200Z
VAAC: TOKYO
VOLCANO: SHEVELUCH 300270
PSN: N5638 E16119
ADVISORY NR: 2026/45
OBS VA DTG: 01/1150Z
OBS VA CLD: SFC/FL250 N5600 E16000 - N5700 E16100 - N5600 E16200 - N5600 E16000 MOV SE 30KT
NXT ADVISORY: 20261201/1800Z="""


def turned(text):
    """The same text with the letters of coordinates behind their digits."""
    return re.sub(r"\b([NSEW])(\d{4,5})\b", r"\2\1", text)


def sigmet(title, area):
    warning = parse_sigmet(f"{FIR}EMBD TS FCST {area} TOP FL400 MOV E 25KT INTSF=")
    found = any(str(element.tag).endswith("}geometry") for element in to_iwxxm(warning).iter())
    print(f"{title}: {warning.geometry.kind if warning.geometry else 'no area'}; IWXXM {'with' if found else 'without'} geometry")


def ash(title, text):
    advisory = parse_advisory(text)
    at = advisory.position and f"{advisory.position.lat:.2f} {advisory.position.lon:.2f}"
    print(f"{title}: volcano at {at}, cloud of {len(advisory.observed_clouds[0].surface_polygon)} points")


sigmet("SIGMET, N5100 W00200", AREA)
sigmet("SIGMET, 5100N 00200W", turned(AREA))
sigmet("SIGMET, ENTIRE FIR", "ENTIRE FIR")
cancelling = parse_sigmet("EGTT SIGMET 4 VALID 011300/011600 EGRR- EGTT LONDON FIR CNL SIGMET 3 011200/011600=")
print(f"CNL SIGMET: kind {cancelling.kind}, phenomenon {cancelling.phenomenon!r}")
ash("ash, N5638 E16119", ASH)
ash("ash, 5638N 16119E", turned(ASH))
example = parse_advisory.__doc__.partition("join([")[2].partition("])")[0]
ash("the package's own example", "\n".join(re.findall(r'"(.+?)"', example)))
PY
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
SIGMET, N5100 W00200: no area; IWXXM without geometry
SIGMET, 5100N 00200W: polygon; IWXXM with geometry
SIGMET, ENTIRE FIR: whole; IWXXM with geometry
CNL SIGMET: kind SIGMET, phenomenon ''
ash, N5638 E16119: volcano at None, cloud of 0 points
ash, 5638N 16119E: volcano at 56.63 161.32, cloud of 4 points
the package's own example: volcano at None, cloud of 0 points
SEEN
