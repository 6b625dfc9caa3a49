#!/usr/bin/env bash
# flydenity 0.1.6 (PyPI).
# It finds the country of an aircraft by its registration. The mark at the head of one is by rule out of the radio call signs that the ITU gave
# to the country (ICAO Annex 7), and the package takes it from the table of the ITU. Vietnam keeps another rule: its aircraft are VN-, while VHA
# to VNZ are Australia's call signs. So the whole fleet of Vietnam is Australian, also with strict=True, and what is Vietnamese are XV and 3W, as
# in the table. HB- is of Switzerland and of Liechtenstein, which has no airline: all of it is Liechtenstein, since an answer has one country. Of
# LX- it knows balloons, gliders, ultralights, NATO's aircraft and one helicopter, LX-HZZ: the freighters and airliners of Luxembourg have no
# country, nor have those of Copa (Panama) and Cubana. Who counts arrivals by country has Australia in place of Vietnam. Nothing is raised, and
# the answer does not tell that it is by call sign. Seen, strict=False, then strict=True:
#   VN-A899    Australia, Australia
#   XV-A899    Vietnam, Vietnam
#   HB-JNA     Liechtenstein, Liechtenstein
#   LX-VCA     None, None
#   LX-HZZ     Luxembourg, Luxembourg
#   HP-1821CMP None, None
#   CU-T1250   None, None
#   VH-OQA     Australia, Australia
#   HS-TKF     Thailand, Thailand
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet flydenity==0.1.6
cat >read.py <<'PY'
from flydenity import Parser

parser = Parser()
for registration in ("VN-A899", "XV-A899", "HB-JNA", "LX-VCA", "LX-HZZ", "HP-1821CMP", "CU-T1250", "VH-OQA", "HS-TKF"):
    loose, strict = (parser.parse(registration, strict=strict) for strict in (False, True))
    print(f"{registration:<10} {loose and loose['nation']}, {strict and strict['nation']}")
PY
venv/bin/python -W ignore read.py | tee seen
diff seen - <<'SEEN'
VN-A899    Australia, Australia
XV-A899    Vietnam, Vietnam
HB-JNA     Liechtenstein, Liechtenstein
LX-VCA     None, None
LX-HZZ     Luxembourg, Luxembourg
HP-1821CMP None, None
CU-T1250   None, None
VH-OQA     Australia, Australia
HS-TKF     Thailand, Thailand
SEEN
