#!/usr/bin/env bash
# MetPy 1.7.1 (PyPI), against metar-taf-parser 9.1.3 (npm).
# An automatic station that knows of a thundercloud, of a detector of lightning, and not of its amount and height, sends //////CB or
# //////TCU among the clouds (WMO code FM 15, rules of Europe and Japan), and FEW///CB where it knows the amount. MetPy reads ////// alone
# and stops there: temperature, dew point and pressure, which follow, are missing, in the reports of thunderstorms and no others, without
# a word, as for a sensor that is out. The same report without the cloud is whole. Seen:
#   FEW030 //////CB: MetPy nan nan nan, metar-taf-parser 20 18 1005
#   BKN008 FEW///CB: MetPy nan nan nan, metar-taf-parser 20 18 1005
#   FEW030 //////:   MetPy 20 18 1005, metar-taf-parser 20 18 1005
#   FEW030CB:        MetPy 20 18 1005, metar-taf-parser 20 18 1005
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund metar-taf-parser@9.1.3
python3 -m venv venv
venv/bin/pip install --quiet metpy==1.7.1
cat >reports <<'TXT'
FEW030 //////CB
BKN008 FEW///CB
FEW030 //////
FEW030CB
TXT
cat >read.py <<'PY'
from metpy.io.metar import parse_metar

figure = lambda value: "nan" if value != value else f"{value:.0f}"
for clouds in open("reports").read().splitlines():
    # Stations come from a table that MetPy would fetch; an empty one does here.
    report = parse_metar(f"METAR EDDF 291220Z AUTO 22012KT 9999 TSRA {clouds} 20/18 Q1005", 2026, 11, station_metadata={})
    print(f"{clouds + ':':17}MetPy", figure(report.temperature), figure(report.dewpoint), figure(report.altimeter * 33.8639))
PY
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { parseMetar } from 'metar-taf-parser'
for (const clouds of readFileSync('reports', 'utf8').trim().split('\n')) {
  const { temperature, dewPoint, altimeter } = parseMetar(`METAR EDDF 291220Z AUTO 22012KT 9999 TSRA ${clouds} 20/18 Q1005`)
  console.log('metar-taf-parser', temperature, dewPoint, altimeter?.value)
}
JS
paste -d, <(venv/bin/python -W ignore read.py) <(node read.mjs) | sed 's/,/, /' | tee seen
grep -qx 'FEW030 //////CB: MetPy nan nan nan, metar-taf-parser 20 18 1005' seen
grep -qx 'BKN008 FEW///CB: MetPy nan nan nan, metar-taf-parser 20 18 1005' seen
grep -qx 'FEW030 //////:   MetPy 20 18 1005, metar-taf-parser 20 18 1005' seen
grep -qx 'FEW030CB:        MetPy 20 18 1005, metar-taf-parser 20 18 1005' seen
