#!/usr/bin/env bash
# atis-parser 0.0.1 (PyPI).
# An ATIS, which an airport sends to pilots as text over data link, has wind, visibility, temperature and dew point (ICAO Annex 11, 4.3.7). The
# package states that it reads the European form and gives that of Oslo: RWY01R WIND 040/5KT, TMS9 DPMS12 (minus 9, minus 12), VIS TDZ 2300M
# MID 2700M END 2400M. It looks first for the American form of the temperature, two digits, a slash and two digits, anywhere in the text, and
# a wind of ten knots or more has that: with a wind of 190 degrees at 12 knots it is 90 degrees in Norway, with a dew point of 12. What is not
# found is zero and not absent: a temperature above the freezing point is 0, and so is each visibility in metres, for which the package's own
# page has an example. Nothing is raised, and the type of both fields has no "not known". Seen, temperature, dew point, visibility in miles:
#   WIND 190/9KT VIS 10KM TMS9 DPMS12   -9, -12, 7
#   WIND 190/12KT VIS 10KM TMS9 DPMS12  90, 12, 7
#   WIND 220/15KT VIS 10KM T21 DP14     20, 15, 7
#   WIND 190/9KT VIS 10KM T21 DP14      0, 0, 7
#   WIND 190/9KT VIS TDZ 2300M MID 2700M END 2400M TMS9 DPMS12 -9, -12, 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet atis-parser==0.0.1 pydantic==2.13.4
cat >read.py <<'PY'
from atis_parser import parse_atis

for weather in (
    "WIND 190/9KT VIS 10KM TMS9 DPMS12",
    "WIND 190/12KT VIS 10KM TMS9 DPMS12",
    "WIND 220/15KT VIS 10KM T21 DP14",
    "WIND 190/9KT VIS 10KM T21 DP14",
    "WIND 190/9KT VIS TDZ 2300M MID 2700M END 2400M TMS9 DPMS12",
):
    atis = parse_atis(f"ENGM ARR ATIS O 1326Z EXP ILS OR RNP APCH RWY01R RWY01R {weather} QNH 1013HPA")
    print(f"{weather:<35} {atis.temperature}, {atis.dewpoint}, {atis.visibility}")
PY
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
WIND 190/9KT VIS 10KM TMS9 DPMS12   -9, -12, 7
WIND 190/12KT VIS 10KM TMS9 DPMS12  90, 12, 7
WIND 220/15KT VIS 10KM T21 DP14     20, 15, 7
WIND 190/9KT VIS 10KM T21 DP14      0, 0, 7
WIND 190/9KT VIS TDZ 2300M MID 2700M END 2400M TMS9 DPMS12 -9, -12, 0
SEEN
