#!/usr/bin/env bash
# date-holidays 3.37.0 (npm), against holidays 0.109 (PyPI).
# The Ethiopian calendar has its leap day at the end of August before a Gregorian leap year, so that its New Year is on 12 September in
# 2023 and 2027, and on the 11th otherwise. date-holidays has the rule "09-11 in non-leap years": the 12th of the leap year itself,
# a year late. Christmas is on 7 January of every year; date-holidays has the 6th in all years that are no leap years. Seen:
#   date-holidays  2023 01-06 09-11  2024 01-07 09-12  2025 01-06 09-11  2026 01-06 09-11  2027 01-06 09-11  2028 01-07 09-12
#   holidays       2023 01-07 09-12  2024 01-07 09-11  2025 01-07 09-11  2026 01-07 09-11  2027 01-07 09-12  2028 01-07 09-11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund date-holidays@3.37.0
python3 -m venv venv
venv/bin/pip install --quiet holidays==0.109
cat >days.mjs <<'JS'
import Holidays from 'date-holidays'
const days = (year) =>
  ['Christmas Day', "New Year's Day"]
    .map((name) => new Holidays('ET').getHolidays(year, 'en').find((holiday) => holiday.name === name).date.slice(5, 10))
    .join(' ')
console.log(`date-holidays  ${[2023, 2024, 2025, 2026, 2027, 2028].map((year) => `${year} ${days(year)}`).join('  ')}`)
JS
cat >days.py <<'PY'
import holidays
def days(year):
    of = {name: str(day)[5:] for day, name in holidays.ET(years=year, language="en_US").items()}
    return f"{year} {of['Christmas Day']} {of['Ethiopian New Year']}"
print("holidays       " + "  ".join(days(year) for year in range(2023, 2029)))
PY
{ node days.mjs; venv/bin/python days.py; } | tee seen
grep -qx 'date-holidays  2023 01-06 09-11  2024 01-07 09-12  2025 01-06 09-11  2026 01-06 09-11  2027 01-06 09-11  2028 01-07 09-12' seen
grep -qx 'holidays       2023 01-07 09-12  2024 01-07 09-11  2025 01-07 09-11  2026 01-07 09-11  2027 01-07 09-12  2028 01-07 09-11' seen
