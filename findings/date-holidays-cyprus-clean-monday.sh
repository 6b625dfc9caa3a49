#!/usr/bin/env bash
# date-holidays 3.37.0 (npm).
# Clean Monday is the Monday 48 days before Orthodox Easter, in Greece as in Cyprus. For Greece date-holidays has that Monday, with
# the English name "Ash Sunday"; for Cyprus "Clean Monday" has the rule "orthodox -47", a Tuesday in every year. Seen:
#   2025 GR Mon 03-03 CY Tue 03-04
#   2026 GR Mon 02-23 CY Tue 02-24
#   2027 GR Mon 03-15 CY Tue 03-16
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund date-holidays@3.37.0
cat >days.mjs <<'JS'
import Holidays from 'date-holidays'
for (const year of [2025, 2026, 2027]) {
  const of = (country) => {
    const named = { GR: 'Ash Sunday', CY: 'Clean Monday' }[country]
    const { date } = new Holidays(country).getHolidays(year, 'en').find(({ name }) => name === named)
    const day = date.slice(0, 10)
    return `${country} ${new Date(day).toUTCString().slice(0, 3)} ${day.slice(5)}`
  }
  console.log(year, of('GR'), of('CY'))
}
JS
node days.mjs | tee seen
diff seen <(printf '2025 GR Mon 03-03 CY Tue 03-04\n2026 GR Mon 02-23 CY Tue 02-24\n2027 GR Mon 03-15 CY Tue 03-16\n')
