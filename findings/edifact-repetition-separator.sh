#!/usr/bin/env bash
# edifact 1.2.12 and ts-edifact 0.0.14 (npm), against pydifact 0.2.3 (PyPI).
# An EDIFACT interchange may begin with a line that names its six service characters. The fifth was reserved, a space, until ISO 9735 of 1998
# made it the repetition separator (part 1, annex B). Airlines send data of passengers to governments with UNA:+.?*' (guides of IATA and WCO
# for PNRGOV and PAXLST). Both readers of npm offer "support for the UNA header" and know it by a space in the fifth place. With an asterisk
# they take UNA for the name of a segment and refuse the whole interchange ("Invalid character : after reading segment name UNA"). The message
# has no repetition, and the other five characters are those that they use anyway: with a space, or without the line, each reads it. The
# passenger is made up. Seen:
#   UNA:+.? ' edifact EXAMPLE ANNA, ts-edifact EXAMPLE ANNA, pydifact EXAMPLE ANNA
#   UNA:+.?*' edifact refused, ts-edifact refused, pydifact EXAMPLE ANNA
#   no UNA    edifact EXAMPLE ANNA, ts-edifact EXAMPLE ANNA, pydifact EXAMPLE ANNA
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund edifact@1.2.12 ts-edifact@0.0.14
python3 -m venv venv
venv/bin/pip install --quiet pydifact==0.2.3
printf %s "UNB+UNOA:4+AIRLINE+STATE+261129:2210+1'UNH+1+PAXLST:D:05B:UN:IATA'BGM+745'NAD+FL+++EXAMPLE:ANNA'UNT+4+1'UNZ+1+1'" >message
cat >npm.cjs <<'JS'
const { readFileSync } = require('node:fs')
const { Parser } = require('edifact')
const { Parser: TypedParser } = require('ts-edifact/lib/parser.js')

const name = (parser, text, [segment, element, component]) => {
  const elements = []
  let read = false
  parser[segment] = (tag) => {
    read = tag === 'NAD'
  }
  parser[element] = () => read && elements.push([])
  parser[component] = (value) => read && elements.at(-1).push(value)
  try {
    parser.write(text)
    parser.end()
    return elements[3].join(' ')
  } catch (error) {
    if (!/after reading segment name UNA$/.test(error.message)) throw error
    return 'refused'
  }
}
const text = process.argv[2] + readFileSync('message', 'utf8')
console.warn = () => {}
const edifact = name(new Parser(), text, ['onopensegment', 'onelement', 'oncomponent'])
const typed = name(new TypedParser(), text, ['onOpenSegment', 'onElement', 'onComponent'])
process.stdout.write(`edifact ${edifact}, ts-edifact ${typed}`)
JS
cat >pypi.py <<'PY'
import sys

from pydifact.segmentcollection import Interchange

interchange = Interchange.from_str(sys.argv[1] + open("message").read())
print(f", pydifact {' '.join(interchange.get_segment('NAD').elements[3])}")
PY
for line in "UNA:+.? '" "UNA:+.?*'" ""; do
  printf '%-9s ' "${line:-no UNA}"
  node npm.cjs "$line"
  venv/bin/python -W ignore pypi.py "$line"
done | tee seen
diff seen - <<'SEEN'
UNA:+.? ' edifact EXAMPLE ANNA, ts-edifact EXAMPLE ANNA, pydifact EXAMPLE ANNA
UNA:+.?*' edifact refused, ts-edifact refused, pydifact EXAMPLE ANNA
no UNA    edifact EXAMPLE ANNA, ts-edifact EXAMPLE ANNA, pydifact EXAMPLE ANNA
SEEN
