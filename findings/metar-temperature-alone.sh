#!/usr/bin/env bash
# avwx-engine 1.9.10 (PyPI), metar-taf-parser 9.1.3 (npm), metar 2.0.2 (PyPI).
# Where the dew point is missing, US stations send the temperature and a slash with nothing behind it (FMH-1). Two of three parsers lose
# the temperature with the dew point, without an error: the South Pole's, and that of any station whose humidity sensor fails. Whether it
# freezes is lost with it. Seen:
#   metar-taf-parser NZSP: none
#   metar-taf-parser KNKT: none
#   avwx NZSP: none
#   metar NZSP: -70
#   avwx KNKT: none
#   metar KNKT: 26
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund metar-taf-parser@9.1.3
python3 -m venv venv
venv/bin/pip install --quiet avwx-engine==1.9.10 metar==2.0.2
cat > read.mjs <<'JS'
import { parseMetar } from 'metar-taf-parser'
for (const report of process.argv.slice(2)) console.log(`metar-taf-parser ${report.slice(0, 4)}: ${parseMetar(report).temperature ?? 'none'}`)
JS
reports=('NZSP 091750Z 11009KT 9999 IC FEW015 M70/ A2823' 'KNKT 132203Z AUTO 05039G55KT 5SM -RA OVC043 26/ A2956')
node read.mjs "${reports[@]}" | tee seen
venv/bin/python -W ignore - "${reports[@]}" <<'PY' | tee -a seen
import sys

import avwx
from metar import Metar

for report in sys.argv[1:]:
    read = avwx.Metar.from_report(report).data.temperature
    print(f"avwx {report[:4]}: {read.value if read else 'none'}")
    print(f"metar {report[:4]}: {Metar.Metar(report, year=2026, month=9).temp.value('C'):.0f}")
PY
for line in 'metar-taf-parser NZSP: none' 'metar-taf-parser KNKT: none' 'avwx NZSP: none' 'avwx KNKT: none' 'metar NZSP: -70' 'metar KNKT: 26'; do
  grep -qx -- "$line" seen
done
