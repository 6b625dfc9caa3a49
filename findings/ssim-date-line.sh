#!/usr/bin/env bash
# ssim 0.3.0 (PyPI).
# A leg of an airline's schedule (SSIM, chapter 7) has its days by the departure, and two characters, the date variation, that say on which
# day it leaves and lands: 0 the same, 1 and 2 so many days later, A the day before. The package leaves them aside. Asked for an airport's
# arrivals it compares the two local clocks, as if both showed one time: what lands at an earlier hour lands on the next day. That is right
# over the Atlantic by night, a day late from Sydney or Auckland to America, and a day early from Dallas to Sydney. Read without an
# airport every flight lands on the day on which it leaves. Seen for departures on 1 June 2026:
#   JFK 1900 - LHR 0700, date variation 01: lands 06-02 (right 06-02)
#   SYD 1000 - LAX 0630, date variation 00: lands 06-02 (right 06-01)
#   DFW 2230 - SYD 0630, date variation 02: lands 06-02 (right 06-03)
#   AKL 0900 - RAR 1415, date variation 0A: lands 06-01 (right 05-31)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet ssim==0.3.0 python-dateutil==2.9.0.post0
cat >days.py <<'PY'
import logging

import ssim

LEGS = (
    ("JFK", "1900", "-0400", "LHR", "0700", "+0100", "01", "06-02"),
    ("SYD", "1000", "+1000", "LAX", "0630", "-0700", "00", "06-01"),
    ("DFW", "2230", "-0500", "SYD", "0630", "+1000", "02", "06-03"),
    ("AKL", "0900", "+1200", "RAR", "1415", "-1000", "0A", "05-31"),
)


def record(**fields):
    """A line of 200 characters with each text at its first column."""
    line = [" "] * 200
    for column, text in fields.values():
        line[column - 1 : column - 1 + len(text)] = text
    return "".join(line)


logging.disable()
zeros = ["0" * 200] * 4
header = record(type=(1, "1AIRLINE STANDARD SCHEDULE DATA SET"), serial=(192, "001000001"))
airline = record(type=(1, "2LXX"), serial=(195, "000002"))
for origin, leaves, behind, target, lands, ahead, variation, right in LEGS:
    leg = record(
        type=(1, "3 XX    10101J"), period=(15, "01JUN2601JUN26"), days=(29, "1"), departure=(37, origin + leaves * 2 + behind),
        arrival=(55, target + lands * 2 + ahead), aircraft=(73, "789"), seats=(173, "Y300"), dates=(193, variation), serial=(195, "000003"),
    )
    with open("schedule.txt", "w") as file:
        file.write("\n".join([header, *zeros, airline, *zeros, leg]) + "\n")
    (flight,) = ssim.expand_slots(ssim.read("schedule.txt", target))
    print(f"{origin} {leaves} - {target} {lands}, date variation {variation}: lands {flight['date'][5:]} (right {right})")
PY
venv/bin/python -W ignore days.py | tee seen
grep -qx 'JFK 1900 - LHR 0700, date variation 01: lands 06-02 (right 06-02)' seen
grep -qx 'SYD 1000 - LAX 0630, date variation 00: lands 06-02 (right 06-01)' seen
grep -qx 'DFW 2230 - SYD 0630, date variation 02: lands 06-02 (right 06-03)' seen
grep -qx 'AKL 0900 - RAR 1415, date variation 0A: lands 06-01 (right 05-31)' seen
