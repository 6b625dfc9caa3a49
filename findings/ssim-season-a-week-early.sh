#!/usr/bin/env bash
# ssim 0.3.0 (PyPI).
# Schedules of airlines (SSIM, chapter 7) write 00XXX00 for "to the end of the season" or "from its start", and IATA's seasons change on
# the last Sundays of March and October. The package looks for that Sunday from 30 March and 29 October backwards: where it is the 31st
# or the 30th, the season begins a week early and the one before ends too early, so that a week of flights is expanded twice or never.
# So for the winters of 2021, 2022 and 2027, and the summers of 2019, 2024 and 2030; the years between are right. Seen for a daily flight:
#   S26: 210 flights, 2026-03-29 to 2026-10-24
#   W26: 154 flights, 2026-10-25 to 2027-03-27
#   S27: 210 flights, 2027-03-28 to 2027-10-23, a week too few
#   W27: 154 flights, 2027-10-24 to 2028-03-25, the first week too many
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet ssim==0.3.0 python-dateutil==2.9.0.post0
cat >season.py <<'PY'
import logging

import ssim


def record(**fields):
    """A line of 200 characters with each text at its first column."""
    line = [" "] * 200
    for column, text in fields.values():
        line[column - 1 : column - 1 + len(text)] = text
    return "".join(line)


leg = record(
    type=(1, "3 XX    10101J"), period=(15, "00XXX0000XXX00"), days=(29, "1234567"), departure=(37, "JFK13001300-0500"),
    arrival=(55, "LHR22002200+0000"), aircraft=(73, "789"), seats=(173, "Y300"), dates=(193, "00"), serial=(195, "000003"),
)
zeros = ["0" * 200] * 4
header = record(type=(1, "1AIRLINE STANDARD SCHEDULE DATA SET"), serial=(192, "001000001"))
airline = record(type=(1, "2LXX"), serial=(195, "000002"))
with open("schedule.txt", "w") as file:
    file.write("\n".join([header, *zeros, airline, *zeros, leg]) + "\n")
logging.disable()
slots = ssim.read("schedule.txt", "LHR")
for season in ("S26", "W26", "S27", "W27"):
    days = sorted(flight["date"] for flight in ssim.expand_slots(slots, season))
    print(f"{season}: {len(days)} flights, {days[0]} to {days[-1]}")
PY
venv/bin/python -W ignore season.py | tee seen
grep -qx 'S26: 210 flights, 2026-03-29 to 2026-10-24' seen
grep -qx 'W26: 154 flights, 2026-10-25 to 2027-03-27' seen
grep -qx 'S27: 210 flights, 2027-03-28 to 2027-10-23' seen
grep -qx 'W27: 154 flights, 2027-10-24 to 2028-03-25' seen
