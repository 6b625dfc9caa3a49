#!/usr/bin/env bash
# airporttime 0.0.0, against airportsdata 20260905 (both PyPI).
# IATA gives codes on: that of an airport that closed, or left the scheduled flights, to another one. The list of the package,
# OpenTravelData's, has both, each with the days on which it began and ended, and the look-up takes the first row of a code, whatever its
# days. Zhukovsky, an airport of Moscow, has the time of a field in the Alps, Lublin that of China, Sabetta that of California, Giza's that of
# Texas, although the rows of today stand below in the same list. Codes that never changed hands are right, as those of most large airports.
# Seen, with the row that is taken and its end, for noon of 1 July 2026 at the airport, in UTC:
#   ZIA Trento-Mattarello Airport, until 2016-03-31: 10:00, right is 09:00
#   LUZ Lushan Airport, until 2012-04-01: 04:00, right is 10:00
#   SBT San Bernardino International Airport, until 2014-12-31: 19:00, right is 07:00
#   SPX Spaceland Airport, until 2015-03-01: 17:00, right is 09:00
#   SVO Sheremetyevo International Airport: 09:00, right is 09:00
#   codes whose first row has ended while another airport has them: 37, with another time: 24
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet airporttime==0.0.0 airportsdata==20260905 tzdata
cat >codes.py <<'PY'
import csv
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import airportsdata
import airporttime

NOON = datetime(2026, 7, 1, 12)
airports = airportsdata.load("IATA")
for code in ("ZIA", "LUZ", "SBT", "SPX", "SVO"):
    time = airporttime.AirportTime(iata_code=code)
    until = f", until {time.airport.date_until}" if time.airport.date_until else ""
    right = NOON.replace(tzinfo=ZoneInfo(airports[code]["tz"])).astimezone(ZoneInfo("UTC"))
    print(f"{code} {time.airport.name}{until}: {time.to_utc(NOON):%H:%M}, right is {right:%H:%M}")


def offset(row):
    return NOON.replace(tzinfo=ZoneInfo(row["timezone"])).utcoffset()


rows = defaultdict(list)
with Path(airporttime.__file__).with_name("ori_por_public.csv").open(encoding="utf-8") as file:
    for row in csv.DictReader(file, delimiter="^"):
        if "A" in row["location_type"]:
            rows[row["iata_code"]].append(row)
ended = {}
for code, (first, *others) in rows.items():
    today = [offset(row) for row in others if not row["date_until"]]
    if first["date_until"] and today:
        ended[code] = offset(first) not in today
print(f"codes whose first row has ended while another airport has them: {len(ended)}, with another time: {sum(ended.values())}")
PY
venv/bin/python -W ignore codes.py | tee seen
diff seen - <<'SEEN'
ZIA Trento-Mattarello Airport, until 2016-03-31: 10:00, right is 09:00
LUZ Lushan Airport, until 2012-04-01: 04:00, right is 10:00
SBT San Bernardino International Airport, until 2014-12-31: 19:00, right is 07:00
SPX Spaceland Airport, until 2015-03-01: 17:00, right is 09:00
SVO Sheremetyevo International Airport: 09:00, right is 09:00
codes whose first row has ended while another airport has them: 37, with another time: 24
SEEN
