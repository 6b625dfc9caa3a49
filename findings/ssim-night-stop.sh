#!/usr/bin/env bash
# ssim 0.3.0 (PyPI).
# An airport's slot message (SSIM, chapter 6) has the arrival and the departure of an aircraft in one line. The days are those of the
# arrival, and a digit behind the time of departure says how many nights later it leaves. The package reads the digit into a field and
# drops it when it makes flights of the line: an aircraft that lands at 21:30 and leaves at 06:30 the next morning, or after two
# nights, leaves 15 hours before it has landed, and the departures of the first day are those of a day without any. Seen:
#   XX100 lands 2026-06-01 2130, XX101 leaves 2026-06-01 0630 (nights: 1)
#   XX200 lands 2026-06-01 2130, XX201 leaves 2026-06-01 0630 (nights: 2)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet ssim==0.3.0 python-dateutil==2.9.0.post0
cat >message.txt <<'TXT'
SCR
/slots@airline.example
S26
29NOV
LHR
REYT/EXAMPLE
NXX100 XX101 01JUN01JUN 1000000 180320 JFKJFK2130 06301JFKJFK JJ
NXX200 XX201 01JUN01JUN 1000000 180320 JFKJFK2130 06302JFKJFK JJ
TXT
cat >nights.py <<'PY'
import logging

import ssim

logging.disable()
flights = {flight["flight_number"]: flight for flight in ssim.expand_slots(ssim.read("message.txt"))}
for landing, leaving, nights in (("100", "101", 1), ("200", "201", 2)):
    lands, leaves = (f"{flights[number]['date']} {flights[number]['scheduled_time']}" for number in (landing, leaving))
    print(f"XX{landing} lands {lands}, XX{leaving} leaves {leaves} (nights: {nights})")
PY
venv/bin/python -W ignore nights.py | tee seen
grep -qx 'XX100 lands 2026-06-01 2130, XX101 leaves 2026-06-01 0630 (nights: 1)' seen
grep -qx 'XX200 lands 2026-06-01 2130, XX201 leaves 2026-06-01 0630 (nights: 2)' seen
