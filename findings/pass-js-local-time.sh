#!/usr/bin/env bash
# @walletpass/pass-js 7.2.0 (npm; needs Node 24, by node 24.12.0 of npm), against passkit-generator 3.6.1 (npm).
# A boarding pass of Apple Wallet has times with an offset, and `ignoresTimeZone` says that the phone shows the time of that offset, not its
# own: boarding at 14:00 in Tokyo, wherever the passenger looks (Wallet Passes, PassFieldContent). The Readme of pass-js asks for "ISO 8601
# strings with a timezone". A field that has a `dateStyle` loses the zone: the same instant is written with the offset of the server, and the
# pass shows 5 in the morning, or midnight where the server is in New York. On a server in Newfoundland the offset is "-04:-30", which
# no reader of ISO 8601 takes. `relevantDate` keeps the string that it gets, and passkit-generator keeps both. Seen, for
# 2026-11-29T14:00+09:00 in a field, then in `relevantDate`:
#   pass-js, server in UTC:              2026-11-29T05:00+00:00, 2026-11-29T14:00+09:00
#   pass-js, server in America/New_York: 2026-11-29T00:00-05:00, 2026-11-29T14:00+09:00
#   pass-js, server in America/St_Johns: 2026-11-29T01:30-04:-30, 2026-11-29T14:00+09:00
#   passkit-generator, server in UTC:    2026-11-29T14:00+09:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund node@24.12.0 @walletpass/pass-js@7.2.0 passkit-generator@3.6.1
cat >pass-js.mjs <<'JS'
import { Template } from '@walletpass/pass-js'
const names = { passTypeIdentifier: 'pass.example', teamIdentifier: 'EXAMPLE', organizationName: 'Example', description: 'Example' }
const pass = new Template('boardingPass', names).createPass({ serialNumber: '1' })
const boarding = '2026-11-29T14:00+09:00'
pass.headerFields.add({ key: 'boarding', value: boarding, dateStyle: 'PKDateStyleNone', timeStyle: 'PKDateStyleShort', ignoresTimeZone: true })
pass.relevantDate = boarding
const written = JSON.parse(JSON.stringify(pass))
console.log(`pass-js, server in ${process.env.TZ}: ${written.boardingPass.headerFields[0].value}, ${written.relevantDate}`)
JS
cat >passkit-generator.mjs <<'JS'
import { PKPass } from 'passkit-generator'
const pass = new PKPass({}, undefined, { passTypeIdentifier: 'pass.example', teamIdentifier: 'EXAMPLE', serialNumber: '1' })
pass.type = 'boardingPass'
pass.headerFields.push({
  key: 'boarding',
  value: '2026-11-29T14:00+09:00',
  dateStyle: 'PKDateStyleNone',
  timeStyle: 'PKDateStyleShort',
  ignoresTimeZone: true
})
console.log(`passkit-generator, server in ${process.env.TZ}: ${JSON.parse(JSON.stringify(pass.headerFields))[0].value}`)
JS
node=node_modules/.bin/node
{
  for zone in UTC America/New_York America/St_Johns; do TZ=$zone "$node" pass-js.mjs; done
  TZ=UTC "$node" passkit-generator.mjs
} | tee seen
diff seen - <<'SEEN'
pass-js, server in UTC: 2026-11-29T05:00+00:00, 2026-11-29T14:00+09:00
pass-js, server in America/New_York: 2026-11-29T00:00-05:00, 2026-11-29T14:00+09:00
pass-js, server in America/St_Johns: 2026-11-29T01:30-04:-30, 2026-11-29T14:00+09:00
passkit-generator, server in UTC: 2026-11-29T14:00+09:00
SEEN
