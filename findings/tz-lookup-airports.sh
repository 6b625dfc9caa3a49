#!/usr/bin/env bash
# @photostructure/tz-lookup 11.7.0 and tz-lookup 6.1.25 (npm), against geo-tz 8.1.9 (npm) and tzfpy 2.1.1 (PyPI).
# The small finders of time zones trade accuracy for size and speak of "errors near timezone borders far away from populated areas". An
# airport is often the one populated place at such a border, built on the last land before the sea: Bahrain's, an hour's flight from Iran,
# has the time of Iran, half an hour off; Pago Pago's has Samoa's, a day off; so with the capitals of
# East Timor, Turks and Caicos and Saint Pierre. The sea and the neighbour share a square of the map. geo-tz and tzfpy are right on all of them.
# Seen, tz-lookup (both alike), then geo-tz, then tzfpy:
#   BAH Asia/Tehran +03:30, Asia/Qatar +03:00, Asia/Bahrain +03:00
#   PPG Pacific/Apia +13:00, Pacific/Pago_Pago -11:00, Pacific/Pago_Pago -11:00
#   DIL Asia/Makassar +08:00, Asia/Dili +09:00, Asia/Dili +09:00
#   GDT America/Santo_Domingo -04:00, America/Grand_Turk -05:00, America/Grand_Turk -05:00
#   FSP America/St_Johns -03:30, America/Miquelon -03:00, America/Miquelon -03:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent @photostructure/tz-lookup@11.7.0 tz-lookup@6.1.25 geo-tz@8.1.9
python3 -m venv venv
venv/bin/pip install --quiet tzfpy==2.1.1
cat > places <<'PLACES'
BAH 26.2708 50.6336
PPG -14.331 -170.71
DIL -8.5464 125.526
GDT 21.4445 -71.1423
FSP 46.7629 -56.1731
PLACES
venv/bin/python -c '
from tzfpy import get_tz
for line in open("places"):
    iata, latitude, longitude = line.split()
    print(iata, get_tz(float(longitude), float(latitude)))' > tzfpy
cat > seen.cjs <<'JS'
const { readFileSync } = require('node:fs')
const kept = require('@photostructure/tz-lookup')
const former = require('tz-lookup')
const { find } = require('geo-tz')

const lines = (name) => readFileSync(name, 'utf8').trim().split('\n').map((line) => line.split(' '))
const tzfpy = new Map(lines('tzfpy'))
const zone = (name) => {
  const parts = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' }).formatToParts(Date.UTC(2026, 10, 29))
  return `${name} ${parts.find(({ type }) => type === 'timeZoneName').value.slice(3)}`
}
for (const [iata, latitude, longitude] of lines('places')) {
  if (kept(latitude, longitude) !== former(latitude, longitude)) throw new Error(`${iata}: the two differ`)
  console.log(iata, [kept(latitude, longitude), find(latitude, longitude)[0], tzfpy.get(iata)].map(zone).join(', '))
}
JS
node seen.cjs | tee seen
diff - seen <<'SEEN'
BAH Asia/Tehran +03:30, Asia/Qatar +03:00, Asia/Bahrain +03:00
PPG Pacific/Apia +13:00, Pacific/Pago_Pago -11:00, Pacific/Pago_Pago -11:00
DIL Asia/Makassar +08:00, Asia/Dili +09:00, Asia/Dili +09:00
GDT America/Santo_Domingo -04:00, America/Grand_Turk -05:00, America/Grand_Turk -05:00
FSP America/St_Johns -03:30, America/Miquelon -03:00, America/Miquelon -03:00
SEEN
