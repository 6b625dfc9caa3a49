#!/usr/bin/env bash
# date-holidays 3.37.0 (npm), against holidays 0.109 (PyPI).
# Seollal and Chuseok are both the eve, the day and the day after. date-holidays begins Chuseok with its eve, and Seollal with New
# Year's Day itself, so that its three days are a day late: the eve is missing, and a working day is off. Seen for 2026:
#   date-holidays  Seollal 02-17 02-18 02-19  Chuseok 09-24 09-25 09-26
#   holidays       Seollal 02-16 02-17 02-18  Chuseok 09-24 09-25 09-26
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund date-holidays@3.37.0
python3 -m venv venv
venv/bin/pip install --quiet holidays==0.109
cat >days.mjs <<'JS'
import Holidays from 'date-holidays'
const all = new Holidays('KR').getHolidays(2026, 'en')
// The clock of Seoul is nine hours ahead.
const days = (name) => {
  const { start, end } = all.find((holiday) => holiday.name === name)
  const count = Math.round((end - start) / 864e5)
  return Array.from({ length: count }, (_, k) => new Date(+start + 9 * 36e5 + k * 864e5).toISOString().slice(5, 10)).join(' ')
}
console.log(`date-holidays  Seollal ${days('Korean New Year')}  Chuseok ${days('Korean Thanksgiving')}`)
JS
cat >days.py <<'PY'
import holidays
days = holidays.KR(years=2026, language="en_US")
of = lambda word: " ".join(str(day)[5:] for day in sorted(days) if word in days[day] and "lternative" not in days[day])
print(f"holidays       Seollal {of('Korean New Year')}  Chuseok {of('Chuseok')}")
PY
{ node days.mjs; venv/bin/python days.py; } | tee seen
grep -qx 'date-holidays  Seollal 02-17 02-18 02-19  Chuseok 09-24 09-25 09-26' seen
grep -qx 'holidays       Seollal 02-16 02-17 02-18  Chuseok 09-24 09-25 09-26' seen
