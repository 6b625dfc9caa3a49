#!/usr/bin/env bash
# mrz 0.6.2 (PyPI), against mrz 5.0.2 (npm), a package of the same name by others.
# A number of more than nine characters does not fit its field on a card of three lines: ICAO Doc 9303-5 (4.2.2, note j) then writes "<" in
# the place of the check digit and goes on in the optional data, check digit last. All identity cards of Belgium have twelve digits, so
# each has this form. The checker of Python takes "<" for the check digit: every one of these cards is false, and its number lacks the end.
# The package of Node reads it whole. Passports are not concerned. The card below is made up. Seen:
#   PyPI: False document number hash, number 592000012
#   npm:  true, number 592000012345
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund mrz@5.0.2
python3 -m venv venv
venv/bin/pip install --quiet mrz==0.6.2
cat >make.mjs <<'JS'
const digit = (text) => [...text].reduce((sum, c, i) => sum + (c === '<' ? 0 : Number.parseInt(c, 36)) * [7, 3, 1][i % 3], 0) % 10
const number = '592000012345'
const first = `IDBEL${number.slice(0, 9)}<${number.slice(9)}${digit(`${number.slice(0, 9)}<${number.slice(9)}`)}`.padEnd(30, '<')
const second = `740812${digit('740812')}F320415${digit('320415')}BEL`.padEnd(29, '<')
const whole = first.slice(5) + second.slice(0, 7) + second.slice(8, 15) + second.slice(18)
console.log([first, second + digit(whole), 'ERIKSSON<<ANNA<MARIA'.padEnd(30, '<')].join('\n'))
JS
node make.mjs >card
cat >read.py <<'PY'
from mrz.checker.td1 import TD1CodeChecker

card = TD1CodeChecker(open("card").read().strip())
print("PyPI:", bool(card), ", ".join(name for name, _ in card.report.falses) + ", number", card.fields().document_number)
PY
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { parse } from 'mrz'
const { valid, documentNumber, fields } = parse(readFileSync('card', 'utf8').trim().split('\n'))
console.log(`npm:  ${valid}, number ${documentNumber ?? fields.documentNumber}`)
JS
{ venv/bin/python read.py; node read.mjs; } | tee seen
diff seen - <<'TXT'
PyPI: False document number hash, number 592000012
npm:  true, number 592000012345
TXT
