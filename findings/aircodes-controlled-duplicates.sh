#!/usr/bin/env bash
# aircodes 1.3.16 (npm).
# IATA gives some codes to two airlines whose routes do not meet, and marks the second with an asterisk in its lists: a controlled duplicate
# (resolution 762). The asterisk is no part of the code: tickets, schedules and boards of airports have B6 and 6E. In this list it stands in
# the field `iata`, and the look-up compares the whole field: JetBlue, and IndiGo, the largest airline of India, are unknown, and so are all
# airlines with an asterisk whose code nobody else has in the list. Where somebody has it, that one is the only answer. The codes of most
# large airlines have no asterisk and are right, so that a look at a few finds nothing. Seen:
#   B6: null, in the list as "B6*", Jetblue Airways Corporation
#   6E: null, in the list as "6E*", Interglobe Aviation Ltd. d/b/a Indigo
#   JT: null, in the list as "JT*", Lion Mentari Airlines, PT.
#   9F: null, in the list as "9F*", Eurostar (U.K.) Limited
#   G6: Armenian National Airlines CLSC d/b/a FLY ARNA, in the list as "G6*", Global Crossing Airlines, Inc.
#   BA: British Airways P.L.C.
#   217 airlines with an asterisk, 122 of them have a code that is not found
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund aircodes@1.3.16
cat >codes.cjs <<'JS'
const { getAirlineByIata } = require('aircodes')
const airlines = require('aircodes/data/airlines.json')
for (const code of ['B6', '6E', 'JT', '9F', 'G6', 'BA']) {
  const marked = airlines.find(({ iata }) => iata === `${code}*`)
  console.log(`${code}: ${getAirlineByIata(code)?.name ?? null}${marked ? `, in the list as "${marked.iata}", ${marked.name}` : ''}`)
}
const marked = airlines.filter(({ iata }) => iata.endsWith('*'))
const unknown = marked.filter(({ iata }) => getAirlineByIata(iata.slice(0, -1)) === null)
console.log(`${marked.length} airlines with an asterisk, ${unknown.length} of them have a code that is not found`)
JS
node codes.cjs | tee seen
diff seen - <<'SEEN'
B6: null, in the list as "B6*", Jetblue Airways Corporation
6E: null, in the list as "6E*", Interglobe Aviation Ltd. d/b/a Indigo
JT: null, in the list as "JT*", Lion Mentari Airlines, PT.
9F: null, in the list as "9F*", Eurostar (U.K.) Limited
G6: Armenian National Airlines CLSC d/b/a FLY ARNA, in the list as "G6*", Global Crossing Airlines, Inc.
BA: British Airways P.L.C.
217 airlines with an asterisk, 122 of them have a code that is not found
SEEN
