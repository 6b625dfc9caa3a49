#!/usr/bin/env bash
# mrz 0.6.2 (PyPI), against mrz 5.0.2 (npm), a package of the same name by others.
# ICAO Doc 9303-3 lets a passport say that something of a person is not known: "<<" for the day or the month of birth (4.8), XXC for a
# person of unspecified nationality (section 5, beside XXA stateless, XXB refugee and XXX). The checker of Python knows XXA, XXB and XXX
# and calls the passports of the others false, although each of their check digits is right. The package of Node takes all of them. The
# passports below are made up. Seen:
#   born in August 1974:  PyPI False (birth date), npm true
#   born in 1974:         PyPI False (birth date), npm true
#   nationality XXA:      PyPI True, npm true
#   nationality XXC:      PyPI False (valid nationality code), npm true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund mrz@5.0.2
python3 -m venv venv
venv/bin/pip install --quiet mrz==0.6.2
cat >make.mjs <<'JS'
import { writeFileSync } from 'node:fs'
import { parse } from 'mrz'
const digit = (text) => [...text].reduce((sum, c, i) => sum + (c === '<' ? 0 : Number.parseInt(c, 36)) * [7, 3, 1][i % 3], 0) % 10
const withDigit = (text) => text + digit(text)
const passport = (nationality, birth) => {
  const [number, born, expires, personal] = ['L898902C3', birth, '320415', ''.padEnd(14, '<')].map(withDigit)
  const second = `${number}${nationality}${born}F${expires}${personal}`
  return ['P<DNKERIKSSON<<ANNA<MARIA'.padEnd(44, '<'), second + digit(number + born + expires + personal)]
}
const cases = [
  ['born in August 1974', passport('DNK', '7408<<')],
  ['born in 1974', passport('DNK', '74<<<<')],
  ['nationality XXA', passport('XXA', '740812')],
  ['nationality XXC', passport('XXC', '740812')],
]
writeFileSync('cases.json', JSON.stringify(cases.map(([title, lines]) => [title, lines.join('\n'), String(parse(lines).valid)])))
JS
node make.mjs
cat >read.py <<'PY'
import json
from mrz.checker.td3 import TD3CodeChecker

for title, lines, npm in json.load(open("cases.json")):
    passport = TD3CodeChecker(lines)
    why = ", ".join(name for name, _ in passport.report.falses)
    print(f"{title + ':':21} PyPI {bool(passport)}{f' ({why})' if why else ''}, npm {npm}")
PY
venv/bin/python read.py | tee seen
diff seen - <<'TXT'
born in August 1974:  PyPI False (birth date), npm true
born in 1974:         PyPI False (birth date), npm true
nationality XXA:      PyPI True, npm true
nationality XXC:      PyPI False (valid nationality code), npm true
TXT
