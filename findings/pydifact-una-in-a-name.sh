#!/usr/bin/env bash
# pydifact 0.2.3 (PyPI), against edifact 1.2.12 (npm).
# UNA, the line of service characters, stands at the beginning of an EDIFACT interchange or is left out (ISO 9735, service string advice).
# An apostrophe within a text is written ?', since it ends a segment otherwise. Where the line is left out, pydifact looks for UNA behind
# every apostrophe, that of a text too, drops what stands before it and takes the next six characters for the service characters. One
# passenger called D'Unamuno, or a delay "until one o'clock" in Italian, and the list of all passengers of a flight is refused for its end, or
# is empty without an error. With the line at the beginning the same list is read; edifact reads both. The passengers are made up. Seen,
# segments read:
#   UNAMUNO               pydifact 7, edifact 7
#   D?'UNAMUNO            pydifact EDIFACT Syntax Error: Unexpected end of EDI messages., edifact 7
#   RITARDO ALLE 13       pydifact 7, edifact 7
#   RITARDO FINO ALL?'UNA pydifact 1, edifact 7
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund edifact@1.2.12
python3 -m venv venv
venv/bin/pip install --quiet pydifact==0.2.3
cat >pypi.py <<'PY'
import sys

from pydifact.parser import Parser

try:
    segments = list(Parser().parse(sys.stdin.read()))
    print(f"pydifact {len(segments)}, ", end="")
except Exception as error:
    print(f"pydifact {error}, ", end="")
PY
cat >npm.cjs <<'JS'
const { readFileSync } = require('node:fs')
const { Parser } = require('edifact')
const parser = new Parser()
let segments = 0
parser.onopensegment = () => {
  segments += 1
}
parser.write(readFileSync(0, 'utf8'))
parser.end()
console.log(`edifact ${segments}`)
JS
read_both() {
  printf '%-21s ' "$1"
  printf %s "UNB+UNOA:3+AIRLINE+STATE+261129:2210+1'UNH+1+PAXLST:D:02B:UN:IATA'BGM+745'NAD+FL+++EXAMPLE:ANNA'$2UNT+5+1'UNZ+1+1'" >message
  venv/bin/python -W ignore pypi.py <message
  node npm.cjs <message
}
{
  read_both "UNAMUNO" "NAD+FL+++UNAMUNO:JUAN'"
  read_both "D?'UNAMUNO" "NAD+FL+++D?'UNAMUNO:JUAN'"
  read_both "RITARDO ALLE 13" "FTX+AAI+++RITARDO ALLE 13'"
  read_both "RITARDO FINO ALL?'UNA" "FTX+AAI+++RITARDO FINO ALL?'UNA'"
} | tee seen
diff seen - <<'SEEN'
UNAMUNO               pydifact 7, edifact 7
D?'UNAMUNO            pydifact EDIFACT Syntax Error: Unexpected end of EDI messages., edifact 7
RITARDO ALLE 13       pydifact 7, edifact 7
RITARDO FINO ALL?'UNA pydifact 1, edifact 7
SEEN
