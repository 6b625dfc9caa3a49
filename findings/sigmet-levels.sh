#!/usr/bin/env bash
# avwx-engine 1.9.10 and aviconv-met 0.4.0 (PyPI) and @squawk/weather 0.6.1 (npm).
# A SIGMET gives the layer of ice or turbulence in flight levels, FL250/370, as one level, FL340, or in feet, also below a level: 2000/9000FT,
# SFC/5000FT, 7000FT/FL160 (Annex 3, table A6-1A). None of the three reads all of it. aviconv-met keeps the lower of two levels, and the upper one
# where the lower is in feet, and has no feet; @squawk/weather has no feet either, and no level that stands alone; avwx-engine loses
# 2000/9000FT, and gives feet and hundreds of feet as bare numbers under one unit: the layer from 7000 to 160 ends below its base, and a top of
# 5000 is above one of 370. What is lost are the low layers, through which every flight climbs and descends. Nothing is refused. Seen:
#   FL250/370    avwx-engine 250-370 ft, aviconv-met FL250, @squawk/weather 25000-37000
#   FL340        avwx-engine none-340 ft, aviconv-met FL340, @squawk/weather none
#   SFC/FL070    avwx-engine 0-70 ft, aviconv-met SFC/FL070, @squawk/weather sfc-7000
#   SFC/5000FT   avwx-engine 0-5000 ft, aviconv-met none, @squawk/weather none
#   2000/9000FT  avwx-engine none, aviconv-met none, @squawk/weather none
#   7000FT/FL160 avwx-engine 7000-160 ft, aviconv-met FL160, @squawk/weather none
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @squawk/weather@0.6.1
python3 -m venv venv
venv/bin/pip install --quiet avwx-engine==1.9.10 aviconv-met==0.4.0
cat >levels <<'TXT'
FL250/370
FL340
SFC/FL070
SFC/5000FT
2000/9000FT
7000FT/FL160
TXT
cat >read.py <<'PY'
import sys
from datetime import date

from aviconv_met import parse_sigmet
from avwx import AirSigmet

for level in sys.stdin.read().split():
    text = (
        "EGTT SIGMET 3 VALID 011200/011600 EGRR- EGTT LONDON FIR SEV ICE FCST "
        f"WI N5100 W00200 - N5200 W00200 - N5200 E00000 - N5100 W00200 {level} MOV E 25KT NC"
    )
    report = AirSigmet.from_report(f"WSUK31 EGRR 011150 {text}", issued=date(2026, 12, 1))
    ends = [end and end.value for end in (report.data.forecast.floor, report.data.forecast.ceiling)]
    first = "none" if ends == [None, None] else f"{'-'.join(str(end).lower() for end in ends)} {report.units.altitude}"
    print(f"{level:12} avwx-engine {first}, aviconv-met {parse_sigmet(f'{text}=').level or 'none'}")
PY
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { parseSigmet } from '@squawk/weather'
for (const level of readFileSync('levels', 'utf8').trim().split('\n')) {
  const area = 'WI N5100 W00200 - N5200 W00200 - N5200 E00000 - N5100 W00200'
  const text = `EGTT SIGMET 3 VALID 011200/011600 EGRR-\nEGTT LONDON FIR SEV ICE FCST ${area} ${level} MOV E 25KT NC=`
  const { altitudeRange, tops } = parseSigmet(`WSUK31 EGRR 011150\n${text}`)
  if (tops) throw new Error(`${level}: tops`)
  console.log(`@squawk/weather ${altitudeRange ? `${altitudeRange.baseFt ?? 'sfc'}-${altitudeRange.topFt}` : 'none'}`)
}
JS
venv/bin/python read.py <levels >python
node read.mjs >node
paste -d '|' python node | sed 's/|/, /' | tee seen
diff seen - <<'SEEN'
FL250/370    avwx-engine 250-370 ft, aviconv-met FL250, @squawk/weather 25000-37000
FL340        avwx-engine none-340 ft, aviconv-met FL340, @squawk/weather none
SFC/FL070    avwx-engine 0-70 ft, aviconv-met SFC/FL070, @squawk/weather sfc-7000
SFC/5000FT   avwx-engine 0-5000 ft, aviconv-met none, @squawk/weather none
2000/9000FT  avwx-engine none, aviconv-met none, @squawk/weather none
7000FT/FL160 avwx-engine 7000-160 ft, aviconv-met FL160, @squawk/weather none
SEEN
