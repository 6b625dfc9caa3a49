#!/usr/bin/env bash
# avwx-engine 1.9.10 (PyPI), with the clock held by freezegun 1.5.5.
# A TAF names days without a month. Each of its times is dated apart, to the one nearest to the moment of reading, not to the time at which
# the TAF was issued: in a TAF of the 19th, read on the 29th, the beginning is three weeks ahead and the end nine days ago. Nothing is
# raised. Whoever reads archives or a feed that stands still needs the argument `issued`, which has no warning where it is missing. Seen:
#   read 2026-11-19: from 2026-11-19 17:00 to 2026-11-20 23:00
#   read 2026-11-29: from 2026-12-19 17:00 to 2026-11-20 23:00
#   read 2026-11-29, issued: from 2026-11-19 17:00 to 2026-11-20 23:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet avwx-engine==1.9.10 freezegun==1.5.5
venv/bin/python -W ignore - <<'PY' | tee seen
from datetime import date

import avwx
from freezegun import freeze_time

TAF = "TAF KBKF 191704Z 1917/2023 22009KT 9999 FEW050 BECMG 2003/2004 VRB06KT 9999 FEW080"
for day, issued in (("2026-11-19", None), ("2026-11-29", None), ("2026-11-29", date(2026, 11, 19))):
    with freeze_time(f"{day}T18:00" if day.endswith("19") else f"{day}T02:00"):
        read = avwx.Taf.from_report(TAF, issued=issued).data
    name = f"read {day}{', issued' if issued else ''}"
    print(f"{name}: from {read.start_time.dt:%Y-%m-%d %H:%M} to {read.end_time.dt:%Y-%m-%d %H:%M}")
PY
grep -qx 'read 2026-11-19: from 2026-11-19 17:00 to 2026-11-20 23:00' seen
grep -qx 'read 2026-11-29: from 2026-12-19 17:00 to 2026-11-20 23:00' seen
grep -qx 'read 2026-11-29, issued: from 2026-11-19 17:00 to 2026-11-20 23:00' seen
