#!/usr/bin/env bash
# opening_hours 3.15.0 (npm), against opening-hours-py 2.1.4 (PyPI).
# Opening hours as OpenStreetMap writes them, of lounges and counters. A range of days that ends at Easter, or so many days after it, is
# open without its last day in the JavaScript library, though ranges of other dates hold both ends, and "easter +1 day" alone is a Monday.
# The Rust library holds the last day. Easter 2027 is 28 March. Seen:
#   easter -2 days-easter +1 day: js 03-26 03-27 03-28, py 03-26 03-27 03-28 03-29
#   Mar 26-Mar 29: js 03-26 03-27 03-28 03-29, py 03-26 03-27 03-28 03-29
#   easter +1 day: js 03-29, py 03-29
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund opening_hours@3.15.0
python3 -m venv venv
venv/bin/pip install --quiet opening-hours-py==2.1.4
cat > read.mjs <<'JS'
import OpeningHours from 'opening_hours'
const hours = new OpeningHours(`${process.argv[2]} 10:00-12:00`, { lat: 51.5, lon: 0, address: { country_code: 'gb' } })
const open = hours.getOpenIntervals(new Date(2027, 2, 20), new Date(2027, 3, 5))
console.log(open.map(([from]) => `0${from.getMonth() + 1}-${from.getDate()}`).join(' '))
JS
cat > read.py <<'PY'
import sys
from datetime import datetime, timedelta

from opening_hours import OpeningHours

hours = OpeningHours(f"{sys.argv[1]} 10:00-12:00")
days = [datetime(2027, 3, 20, 11) + timedelta(days=day) for day in range(16)]
print(" ".join(f"{day:%m-%d}" for day in days if hours.is_open(day)))
PY
for days in 'easter -2 days-easter +1 day' 'Mar 26-Mar 29' 'easter +1 day'; do
  echo "$days: js $(node read.mjs "$days"), py $(venv/bin/python read.py "$days")"
done | tee seen
grep -qx 'easter -2 days-easter +1 day: js 03-26 03-27 03-28, py 03-26 03-27 03-28 03-29' seen
grep -qx 'Mar 26-Mar 29: js 03-26 03-27 03-28 03-29, py 03-26 03-27 03-28 03-29' seen
grep -qx 'easter +1 day: js 03-29, py 03-29' seen
