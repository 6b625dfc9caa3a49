#!/usr/bin/env bash
# iata-tz 1.0.3 with moment-timezone 0.5.48 (npm), against airportsdata 20260905 (PyPI).
# A package that converts times of airports; it says that it supports "all major airports worldwide" and refuses a code that it does not
# have. Its table comes from OpenFlights, which writes \N, the NULL of MySQL, where it has no zone, and the package takes \N for the name of
# one. moment-timezone takes a name that it does not know for UTC, with a line in the log of the process, and the answers have no offset in
# which it could be seen. Doha, one of the large hubs of the world, and Beijing Daxing have the time of Greenwich, three and eight hours off.
# Dubai is right. Seen, for 14:00 at the airport:
#   DOH \N           2026-11-29 14:00:00, right is 2026-11-29 11:00:00
#   PKX \N           2026-11-29 14:00:00, right is 2026-11-29 06:00:00
#   BSO \N           2026-11-29 14:00:00, right is 2026-11-29 06:00:00
#   SBH \N           2026-11-29 14:00:00, right is 2026-11-29 18:00:00
#   DXB Asia/Dubai   2026-11-29 10:00:00, right is 2026-11-29 10:00:00
#   ZZZ Invalid IATA code: ZZZ
#   \N: 557 of 6072 airports
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund iata-tz@1.0.3 moment-timezone@0.5.48
python3 -m venv venv
venv/bin/pip install --quiet airportsdata==20260905
cat >right.py <<'PY'
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import airportsdata

airports = airportsdata.load("IATA")
for code in ("DOH", "PKX", "BSO", "SBH", "DXB"):
    local = datetime(2026, 11, 29, 14, tzinfo=ZoneInfo(airports[code]["tz"]))
    print(code, local.astimezone(timezone.utc).strftime("%Y-%m-%d %H:%M:%S"))
PY
cat >zones.cjs <<'JS'
const { readFileSync } = require('node:fs')
const { convertToUTC, getTimezoneOffset } = require('iata-tz')
const zones = Object.values(require('iata-tz/src/airports.json'))
for (const line of readFileSync('right', 'utf8').trim().split('\n')) {
  const code = line.slice(0, 3)
  const { timezone } = getTimezoneOffset(code)
  console.log(`${code} ${timezone.padEnd(12)} ${convertToUTC(code, '2026-11-29 14:00:00')}, right is ${line.slice(4)}`)
}
try {
  convertToUTC('ZZZ', '2026-11-29 14:00:00')
} catch (error) {
  console.log(`ZZZ ${error.message}`)
}
console.log(`\\N: ${zones.filter((zone) => zone === '\\N').length} of ${zones.length} airports`)
JS
venv/bin/python right.py >right
node zones.cjs 2>log | tee seen
grep -qF 'Moment Timezone has no data for \N' log
diff seen - <<'SEEN'
DOH \N           2026-11-29 14:00:00, right is 2026-11-29 11:00:00
PKX \N           2026-11-29 14:00:00, right is 2026-11-29 06:00:00
BSO \N           2026-11-29 14:00:00, right is 2026-11-29 06:00:00
SBH \N           2026-11-29 14:00:00, right is 2026-11-29 18:00:00
DXB Asia/Dubai   2026-11-29 10:00:00, right is 2026-11-29 10:00:00
ZZZ Invalid IATA code: ZZZ
\N: 557 of 6072 airports
SEEN
