#!/usr/bin/env bash
# avwx-engine 1.9.10 (PyPI).
# Canada numbers its corrections: CCA, CCB, CCC after the time (MANOBS). A corrected report loses its wind and its visibility, which end
# among "other" groups, and keeps temperature, clouds and weather: it looks whole, in the reports that somebody found worth correcting.
# COR, the word of other countries, is understood in the same place. Flight rules come out lower than they are. Seen:
#   none: wind 19, visibility 10, temperature -5, MVFR, other []
#   COR: wind 19, visibility 10, temperature -5, MVFR, other []
#   CCA: wind None, visibility None, temperature -5, IFR, other ['CCA', '34019KT', '10SM']
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet avwx-engine==1.9.10
venv/bin/python -W ignore - <<'PY' | tee seen
import avwx

for mark in ("", "COR ", "CCA "):
    read = avwx.Metar.from_report(f"CYHI 171900Z {mark}34019KT 10SM -SN FEW011 BKN030 M05/M09 A2994").data
    wind = read.wind_speed and read.wind_speed.value
    visibility = read.visibility and read.visibility.value
    print(f"{mark.strip() or 'none'}: wind {wind}, visibility {visibility}, temperature {read.temperature.value}, {read.flight_rules}, other {read.other}")
PY
grep -q '^none: wind 19, visibility 10, temperature -5' seen
grep -q '^COR: wind 19, visibility 10, temperature -5' seen
grep -q "^CCA: wind None, visibility None, temperature -5, .*'34019KT'" seen
