#!/usr/bin/env bash
# avwx-engine 1.9.10 (PyPI).
# Australian TAFs have INTER beside TEMPO: the same, for shorter times. avwx knows the word as the type of a line and then treats the line
# as a lasting change: the period before it ends where INTER begins, here 18 hours before its own beginning, and INTER lasts to the end of
# the TAF, with its showers and gusts, instead of six hours. The same line with TEMPO is right. metar-taf-parser 9.1.3 reads both. Seen:
#   INTER: FROM 27T21:00 to 27T03:00, INTER 27T03:00 to 28T00:00
#   TEMPO: FROM 27T21:00 to 28T00:00, TEMPO 27T03:00 to 27T09:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet avwx-engine==1.9.10
venv/bin/python -W ignore - <<'PY' | tee seen
from datetime import date

import avwx

for word in ("INTER", "TEMPO"):
    taf = f"TAF YWLM 270209Z 2703/2800 30014KT 9999 -SHRA NSC FM272100 29014KT CAVOK {word} 2703/2709 30018G30KT 5000 SHRA BKN012"
    lines = avwx.Taf.from_report(taf, issued=date(2026, 11, 27)).data.forecast[-2:]
    print(f"{word}: " + ", ".join(f"{line.type} {line.start_time.dt:%dT%H:%M} to {line.end_time.dt:%dT%H:%M}" for line in lines))
PY
grep -qx 'INTER: FROM 27T21:00 to 27T03:00, INTER 27T03:00 to 28T00:00' seen
grep -qx 'TEMPO: FROM 27T21:00 to 28T00:00, TEMPO 27T03:00 to 27T09:00' seen
