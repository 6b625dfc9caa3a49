#!/usr/bin/env bash
# opening_hours 3.15.0 (npm), against opening-hours-py 2.1.4 (PyPI) and date-holidays 3.37.0 (npm).
# "PH off" in the opening hours of a lounge in China or Vietnam: the JavaScript library has public holidays for both countries, and they
# are the days with a date in the solar calendar. Women's Day of 8 March, on which most people work, counts; the New Year of the moon, when both
# countries close for a week, does not, nor do the other days of the moon. Nothing is raised, as for a country without holidays.
# The Rust library has the first day of it in China. Seen, of 2026 (New Year of the moon: 17 February):
#   CN: js 03-08 yes, 02-17 no; date-holidays 02-17 yes; py 03-08 no, 02-17 yes
#   VN: js 03-08 yes, 02-17 no; date-holidays 02-17 yes; py 03-08 no, 02-17 no
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund opening_hours@3.15.0 date-holidays@3.37.0
python3 -m venv venv
venv/bin/pip install --quiet opening-hours-py==2.1.4
cat > read.mjs <<'JS'
import Holidays from 'date-holidays'
import OpeningHours from 'opening_hours'
const country = process.argv[2]
const address = { country_code: country.toLowerCase(), state: '' }
const hours = new OpeningHours('PH 10:00-12:00', { lat: 20, lon: 105, address })
const has = (month, day) => (hours.getState(new Date(2026, month - 1, day, 11)) ? 'yes' : 'no')
const days = new Holidays(country).getHolidays(2026).filter(({ type }) => type === 'public')
const known = days.some(({ start }) => start.getMonth() === 1 && Math.abs(start.getDate() - 17) <= 1) ? 'yes' : 'no'
console.log(`js 03-08 ${has(3, 8)}, 02-17 ${has(2, 17)}; date-holidays 02-17 ${known}`)
JS
cat > read.py <<'PY'
import sys
from datetime import datetime

from opening_hours import OpeningHours

hours = OpeningHours("PH 10:00-12:00", country=sys.argv[1])
print(", ".join(f"{day:%m-%d} {'yes' if hours.is_open(day) else 'no'}" for day in (datetime(2026, 3, 8, 11), datetime(2026, 2, 17, 11))))
PY
for country in CN VN; do
  echo "$country: $(node read.mjs $country); py $(venv/bin/python read.py $country)"
done | tee seen
grep -qx 'CN: js 03-08 yes, 02-17 no; date-holidays 02-17 yes; py 03-08 no, 02-17 yes' seen
grep -qx 'VN: js 03-08 yes, 02-17 no; date-holidays 02-17 yes; py 03-08 no, 02-17 no' seen
