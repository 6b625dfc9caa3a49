#!/usr/bin/env bash
# avwx-engine 1.9.10 (PyPI).
# US stations write winds of 100 kt and more with three digits (FMH-1), and Mount Washington gives visibilities of 100 miles and more.
# A gust of three digits moves one of them into the wind: Tyndall's 63 kt with gusts of 112 in the hurricane of 10 October 2018 are
# 632 kt with gusts of 11. A visibility of 120 miles is none, and a group that nobody sent ("120KT") is listed as not understood.
# metar 2.0.2 reads all of them. Seen:
#   08063G112KT: wind 632, gust 11; metar: 63 knots, 112 knots
#   08063G98KT: wind 63, gust 98; metar: 63 knots, 98 knots
#   120SM: None, other ['120KT']; metar: 120 miles
#   70SM: 70, other []; metar: 70 miles
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet avwx-engine==1.9.10 metar==2.0.2
venv/bin/python -W ignore - <<'PY' | tee seen
import avwx
from metar import Metar

for wind in ("08063G112KT", "08063G98KT"):
    report = f"KPAM 101721Z AUTO {wind} 1SM +RA 25/25 A2724"
    read = avwx.Metar.from_report(report).data
    other = Metar.Metar(report, year=2018, month=10)
    print(f"{wind}: wind {read.wind_speed.value}, gust {read.wind_gust.value}; metar: {other.wind_speed}, {other.wind_gust}")
for miles in ("120SM", "70SM"):
    report = f"KMWN 141155Z 32017KT {miles} FEW180 M08/M26"
    read = avwx.Metar.from_report(report).data
    value = read.visibility and read.visibility.value
    print(f"{miles}: {value}, other {read.other}; metar: {Metar.Metar(report, year=2026, month=3).visibility()}")
PY
grep -q '^08063G112KT: wind 632, gust 11; metar: 63 knots, 112 knots' seen
grep -q '^08063G98KT: wind 63, gust 98; ' seen
grep -q "^120SM: None, other \['120KT'\]; metar: 120 miles" seen
grep -q '^70SM: 70, other \[\]; metar: 70 miles' seen
