#!/usr/bin/env bash
# pydifact 0.2.3 (PyPI) and edifact 1.2.12 (npm), against ts-edifact 0.0.14 (npm).
# An EDIFACT interchange may begin with a line of its service characters. The fourth, the release character, makes text of a separator
# behind it; a sender that does not use one puts a space there (ISO 9735:1988, service string advice: "if not used, insert space character";
# syntax 1 to 3). Two readers take every space of the message for it: they drop it, and a separator behind a space is text. The names of
# passengers lose their spaces and no longer match passports and lists, and where a fixed field ends in a space two elements become one.
# Nothing is raised. ts-edifact reads it rightly. The passenger is made up. Seen:
#   UNA:+.? ' pydifact   DE LA CRUZ|MARIA JOSE|12 HIGH STREET |NEW YORK
#   UNA:+.? ' edifact    DE LA CRUZ|MARIA JOSE|12 HIGH STREET |NEW YORK
#   UNA:+.? ' ts-edifact DE LA CRUZ|MARIA JOSE|12 HIGH STREET |NEW YORK
#   UNA:+.  ' pydifact   DELACRUZ|MARIAJOSE|12HIGHSTREET+NEWYORK
#   UNA:+.  ' edifact    DELACRUZ|MARIAJOSE|12HIGHSTREET+NEWYORK
#   UNA:+.  ' ts-edifact DE LA CRUZ|MARIA JOSE|12 HIGH STREET |NEW YORK
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund edifact@1.2.12 ts-edifact@0.0.14
python3 -m venv venv
venv/bin/pip install --quiet pydifact==0.2.3
person="NAD+FL+++DE LA CRUZ:MARIA JOSE+12 HIGH STREET +NEW YORK'"
printf %s "UNB+UNOA:3+AIRLINE+STATE+261129:2210+1'UNH+1+PAXLST:D:02B:UN:IATA'BGM+745'${person}UNT+4+1'UNZ+1+1'" >message
cat >pypi.py <<'PY'
import sys

from pydifact.segmentcollection import Interchange

person = Interchange.from_str(sys.argv[1] + open("message").read()).get_segment("NAD").elements[3:]
print(f"{sys.argv[1]} pydifact   {'|'.join('|'.join(element) if isinstance(element, list) else element for element in person)}")
PY
cat >npm.cjs <<'JS'
const { readFileSync } = require('node:fs')
const { Parser } = require('edifact')
const { Parser: TypedParser } = require('ts-edifact/lib/parser.js')

const person = (parser, text, [segment, element, component]) => {
  const elements = []
  let read = false
  parser[segment] = (tag) => {
    read = tag === 'NAD'
  }
  parser[element] = () => read && elements.push([])
  parser[component] = (value) => read && elements.at(-1).push(value)
  parser.write(text)
  parser.end()
  return elements.slice(3).flat().join('|')
}
const line = process.argv[2]
const text = line + readFileSync('message', 'utf8')
console.warn = () => {}
console.log(`${line} edifact    ${person(new Parser(), text, ['onopensegment', 'onelement', 'oncomponent'])}`)
console.log(`${line} ts-edifact ${person(new TypedParser(), text, ['onOpenSegment', 'onElement', 'onComponent'])}`)
JS
for line in "UNA:+.? '" "UNA:+.  '"; do
  venv/bin/python -W ignore pypi.py "$line"
  node npm.cjs "$line"
done | tee seen
diff seen - <<'SEEN'
UNA:+.? ' pydifact   DE LA CRUZ|MARIA JOSE|12 HIGH STREET |NEW YORK
UNA:+.? ' edifact    DE LA CRUZ|MARIA JOSE|12 HIGH STREET |NEW YORK
UNA:+.? ' ts-edifact DE LA CRUZ|MARIA JOSE|12 HIGH STREET |NEW YORK
UNA:+.  ' pydifact   DELACRUZ|MARIAJOSE|12HIGHSTREET+NEWYORK
UNA:+.  ' edifact    DELACRUZ|MARIAJOSE|12HIGHSTREET+NEWYORK
UNA:+.  ' ts-edifact DE LA CRUZ|MARIA JOSE|12 HIGH STREET |NEW YORK
SEEN
