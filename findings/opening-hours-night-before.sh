#!/usr/bin/env bash
# opening_hours 3.15.0 (npm) and opening-hours-py 2.1.4 (PyPI; the Rust library).
# A checkpoint that closes at one in the morning, with a day of its own ("04:00-01:00; Dec 25 off", or shorter hours on a Friday): that day
# replaces the whole calendar day in both libraries, also the hour after midnight that belongs to the evening before. So the checkpoint is
# closed at midnight of 24 December, and open from 0 to 1 on the 26th, at the end of a day on which it never opened. Where the day of its
# own lasts beyond midnight too, the libraries differ: to 4 in JavaScript, to 2 in Rust. Seen:
#   04:00-01:00; Dec 25 off: js 24T04-25T00 26T00-26T01 26T04-27T01, rust 24T04-25T00 26T00-26T01 26T04-27T01
#   22:00-02:00; Dec 25 23:00-04:00: js 24T22-25T00 25T23-26T04 26T22-27T02, rust 24T22-25T00 25T23-26T02 26T22-27T02
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund opening_hours@3.15.0
python3 -m venv venv
venv/bin/pip install --quiet opening-hours-py==2.1.4
cat >read.mjs <<'JS'
import OpeningHours from 'opening_hours'
const hours = new OpeningHours(process.argv[2])
const open = hours.getOpenIntervals(new Date(2026, 11, 24, 3), new Date(2026, 11, 27, 3))
const written = (date) => `${date.getDate()}T${String(date.getHours()).padStart(2, '0')}`
console.log(open.map((ends) => ends.slice(0, 2).map(written).join('-')).join(' '))
JS
cat >read.py <<'PY'
import sys
from datetime import datetime
from opening_hours import OpeningHours

spans = OpeningHours(sys.argv[1]).intervals(datetime(2026, 12, 24, 3), datetime(2026, 12, 27, 3))
print(" ".join(f"{span[0]:%dT%H}-{span[1]:%dT%H}" for span in spans if "open" in str(span[2]).lower()))
PY
for hours in '04:00-01:00; Dec 25 off' '22:00-02:00; Dec 25 23:00-04:00'; do
  echo "$hours: js $(TZ=UTC node read.mjs "$hours"), rust $(venv/bin/python read.py "$hours")"
done | tee seen
diff seen - <<'TXT'
04:00-01:00; Dec 25 off: js 24T04-25T00 26T00-26T01 26T04-27T01, rust 24T04-25T00 26T00-26T01 26T04-27T01
22:00-02:00; Dec 25 23:00-04:00: js 24T22-25T00 25T23-26T04 26T22-27T02, rust 24T22-25T00 25T23-26T02 26T22-27T02
TXT
