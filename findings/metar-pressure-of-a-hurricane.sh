#!/usr/bin/env bash
# metar 2.0.2 (PyPI), metar-taf-parser 9.1.3 (npm).
# SLP227 in the remarks of a US report are the last three digits of the pressure at sea level: 922.7 or 1022.7 hPa. Both parsers decide by
# the digits alone (under 500 is 10xx), though the altimeter stands in the same report. In the eye wall of a hurricane, with A2724
# (922.5 hPa), they say 1022.7: fine weather. The report is Tyndall's of 10 October 2018. Seen:
#   metar: altimeter 922.5, sea level 1022.7
#   metar-taf-parser: altimeter 27.24 inHg, sea level 1022.7
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund metar-taf-parser@9.1.3
python3 -m venv venv
venv/bin/pip install --quiet metar==2.0.2
report='KPAM 101721Z AUTO 08063G112KT M1/8SM +RA FG SQ 25/25 A2724 RMK AO2 RAB1658 SLP227'
venv/bin/python - "$report" <<'PY' | tee seen
import sys

from metar import Metar

read = Metar.Metar(sys.argv[1], year=2018, month=10)
print(f"metar: altimeter {read.press.value('HPA'):.1f}, sea level {read.press_sea_level.value('HPA'):.1f}")
PY
cat > read.mjs <<'JS'
import { parseMetar } from 'metar-taf-parser'
const { altimeter, remarks } = parseMetar(process.argv[2])
const pressure = remarks.find(({ type }) => type === 'SeaLevelPressure').pressure
console.log(`metar-taf-parser: altimeter ${altimeter.value} ${altimeter.unit}, sea level ${pressure.toFixed(1)}`)
JS
node read.mjs "$report" | tee -a seen
grep -q '^metar: altimeter 922.5, sea level 1022.7' seen
grep -q '^metar-taf-parser: altimeter 27.24 inHg, sea level 1022.7' seen
