#!/usr/bin/env bash
# holidays 0.109 (PyPI), against date-holidays 3.37.0 (npm).
# The days of Sri Lanka follow the moon and are gazetted year by year. holidays has a table of them that ends with 2026: for 2027 the
# calendar of a supported country is empty, without an error or a warning, as for a country that has no holidays at all. A plan for the
# next spring then has no peak in it. date-holidays computes 2027. Seen:
#   holidays 2025: 25, 2026: 25, 2027: 0
#   date-holidays 2027: 26
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund date-holidays@3.37.0
python3 -m venv venv
venv/bin/pip install --quiet holidays==0.109
venv/bin/python -W error -c '
import holidays
print("holidays " + ", ".join(f"{year}: {len(holidays.LK(years=year))}" for year in (2025, 2026, 2027)))' | tee seen
node -e "
const Holidays = require('date-holidays')
const days = new Holidays('LK').getHolidays(2027, 'en').filter(({ type }) => type === 'public')
console.log('date-holidays 2027: ' + days.length)" | tee -a seen
grep -qx 'holidays 2025: 25, 2026: 25, 2027: 0' seen
grep -qx 'date-holidays 2027: 26' seen
