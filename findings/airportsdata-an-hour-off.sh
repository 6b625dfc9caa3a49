#!/usr/bin/env bash
# airportsdata 20260905 (PyPI; 20261103, for later versions of Python, has the same), against the zones of the airports' own places by
# tzfpy 2.1.1 (PyPI).
# The list has a time zone for every airport, and is what others are compared with. Where a zone was split or a border town keeps its
# neighbour's time, it has another place's: Chihuahua (UTC-6 since October 2022) is an hour off all year, Ciudad Juárez,
# Reynosa, Matamoros and Nuevo Laredo, which keep the summer time of the United States, are off in summer, Puerto Natales (UTC-3 all year)
# in winter, and Yuzhno-Sakhalinsk has the time of Vladivostok, UTC+10 in place of UTC+11 since 2016. The zones are names that exist, so that no
# check of them fails. Seen, the zone of the list, the offsets in January and in July, then those of the place:
#   CUU  America/Mazatlan     -07:00 -07:00; -06:00 -06:00
#   CJS  America/Mazatlan     -07:00 -07:00; -07:00 -06:00
#   REX  America/Mexico_City  -06:00 -06:00; -06:00 -05:00
#   MAM  America/Mexico_City  -06:00 -06:00; -06:00 -05:00
#   NLD  America/Mexico_City  -06:00 -06:00; -06:00 -05:00
#   FEN  America/Fortaleza    -03:00 -03:00; -02:00 -02:00
#   PNT  America/Santiago     -03:00 -04:00; -03:00 -03:00
#   UUS  Asia/Vladivostok     +10:00 +10:00; +11:00 +11:00
#   MTY  America/Mexico_City  -06:00 -06:00; -06:00 -06:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet airportsdata==20260905 tzfpy==2.1.1 tzdata==2026.6
cat >zones.py <<'PY'
from datetime import datetime
from zoneinfo import ZoneInfo

import airportsdata
from tzfpy import get_tz


def offsets(zone):
    days = (datetime(2027, month, 15, 12, tzinfo=ZoneInfo(zone)) for month in (1, 7))
    return " ".join(f"{day:%z}"[:3] + ":" + f"{day:%z}"[3:] for day in days)


airports = airportsdata.load("IATA")
for code in ["CUU", "CJS", "REX", "MAM", "NLD", "FEN", "PNT", "UUS", "MTY"]:
    airport = airports[code]
    place = get_tz(airport["lon"], airport["lat"])
    print(f"{code}  {airport['tz']:<19}  {offsets(airport['tz'])}; {offsets(place)}")
PY
venv/bin/python zones.py | tee seen
diff seen - <<'SEEN'
CUU  America/Mazatlan     -07:00 -07:00; -06:00 -06:00
CJS  America/Mazatlan     -07:00 -07:00; -07:00 -06:00
REX  America/Mexico_City  -06:00 -06:00; -06:00 -05:00
MAM  America/Mexico_City  -06:00 -06:00; -06:00 -05:00
NLD  America/Mexico_City  -06:00 -06:00; -06:00 -05:00
FEN  America/Fortaleza    -03:00 -03:00; -02:00 -02:00
PNT  America/Santiago     -03:00 -04:00; -03:00 -03:00
UUS  Asia/Vladivostok     +10:00 +10:00; +11:00 +11:00
MTY  America/Mexico_City  -06:00 -06:00; -06:00 -06:00
SEEN
