#!/usr/bin/env bash
# avwx-engine 1.9.10 (PyPI).
# The end of a NOTAM may be estimated: EST behind the time in item C, which is UTC like all times of a NOTAM (ICAO Doc 10066, appendix 3;
# FAA Order 7930.2). avwx takes EST for the time zone of New York, and for the begin in item B too, which has none: an airport that is
# closed from 10:00 to 12:00 UTC is closed from 15:00 to 17:00 UTC. In London and Tokyo as well. Without EST both are right. Seen:
#   2611291200:    2026-11-29T10:00Z to 2026-11-29T12:00Z
#   2611291200EST: 2026-11-29T15:00Z to 2026-11-29T17:00Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet avwx-engine==1.9.10
venv/bin/python -W ignore - <<'PY' | tee seen
from datetime import timezone

from avwx.current.notam import Notams

for end in ("2611291200", "2611291200EST"):
    text = f"A1234/26 NOTAMN\nQ) EGTT/QFALC/IV/NBO/A/000/999/5129N00028W005\nA) EGLL B) 2611291000 C) {end}\nE) AD CLSD"
    closure = Notams.from_report(text).data[0]
    begin, until = (f"{time.dt.astimezone(timezone.utc):%Y-%m-%dT%H:%MZ}" for time in (closure.start_time, closure.end_time))
    print(f"{end + ':':15}{begin} to {until}")
PY
grep -qx '2611291200:    2026-11-29T10:00Z to 2026-11-29T12:00Z' seen
grep -qx '2611291200EST: 2026-11-29T15:00Z to 2026-11-29T17:00Z' seen
