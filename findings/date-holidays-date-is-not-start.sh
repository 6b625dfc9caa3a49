#!/usr/bin/env bash
# date-holidays 3.37.0 (npm).
# The `date` of a holiday of the Islamic calendar ends in "-0600". That is no time zone: the holiday begins at sunset, six hours
# before midnight, and `date` writes the rule's shift where ISO 8601 has an offset. Read as an instant, `date` is twelve hours and
# the zone away from `start`, and the day can be another. Nor is the length a number of days: in Turkey the Eid of 2026
# lasts 3.75 days, so that a loop over whole days by `end - start` loses or adds one according to how it rounds. Seen:
#   date 2026-03-20 00:00:00 -0600
#   read as an instant 2026-03-20T06:00:00.000Z
#   start 2026-03-19T15:00:00.000Z, 3.75 days
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund date-holidays@3.37.0
cat >days.mjs <<'JS'
import Holidays from 'date-holidays'
const { date, start, end } = new Holidays('TR').getHolidays(2026, 'en').find(({ name }) => name.startsWith('End of Ramadan'))
console.log('date', date)
console.log('read as an instant', new Date(date.replace(' ', 'T').replace(' -0600', '-06:00')).toISOString())
console.log(`start ${start.toISOString()}, ${(end - start) / 864e5} days`)
JS
node days.mjs | tee seen
grep -qx 'date 2026-03-20 00:00:00 -0600' seen
grep -qx 'read as an instant 2026-03-20T06:00:00.000Z' seen
grep -qx 'start 2026-03-19T15:00:00.000Z, 3.75 days' seen
