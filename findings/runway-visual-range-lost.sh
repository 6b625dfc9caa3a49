#!/usr/bin/env bash
# metar-taf-parser 9.1.3 and @squawk/weather 0.6.1 (npm) and metar-taf-parser-mivek 1.13.1 (PyPI), against metar 2.0.2 (PyPI).
# The runway visual range is a group of its own in a report of fog: R, the runway, a stroke, four figures, M or P before those of a bound, V
# between two where the range varies, and FT behind figures in feet. The tendency (U, D or N) is the last part, and is left out where it is not
# known (ICAO Annex 3, appendix 3, table A3-2; WMO FM 15, 15.7); the US has none (FMH-1, 12.6.7). Three parsers of four lose forms of it without
# a word, each other ones, and a runway that is nearly shut has no visual range: the first loses any in metres without a tendency and any that
# varies from a bound; the second all in metres; the third any that varies from or to a bound. Where the first has both ends, it puts the mark
# of the upper one on the lower: 2400 ft are more than 2400. Reports of Porto, Tel Aviv, Lviv and Thule have such groups. The ones below are
# made up by the format. Seen, in this order:
#   R17/0500          none; none; 500; 500 meters
#   R17/P2000         none; none; P2000; greater than 2000 meters
#   R08/1400VP1500    none; none; none; from 1400 to greater than 1500 meters
#   R01L/0300V0600U   300 to 600; none; 300 to 600; from 300 to 600 meters, increasing
#   R01L/M0050N       M50; none; M50; less than 50 meters, no distinct tendency
#   R04/M0600FT       M600; M600; M600; less than 600 feet
#   R04/2400VP6000FT  P2400 to 6000; 2400 to P6000; none; from 2400 to greater than 6000 feet
#   R04/M0600V1000FT  none; M600 to 1000; none; from 600 to 1000 feet
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund metar-taf-parser@9.1.3 @squawk/weather@0.6.1
python3 -m venv venv
venv/bin/pip install --quiet metar-taf-parser-mivek==1.13.1 metar==2.0.2
cat >groups.txt <<'TXT'
R17/0500
R17/P2000
R08/1400VP1500
R01L/0300V0600U
R01L/M0050N
R04/M0600FT
R04/2400VP6000FT
R04/M0600V1000FT
TXT
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { parseMetar as squawk } from '@squawk/weather'
import { parseMetar } from 'metar-taf-parser'

const both = (low, high) => (high === undefined ? low : `${low} to ${high}`)
const bound = (figures, more, less) => (figures === undefined ? undefined : `${more ? 'P' : ''}${less ? 'M' : ''}${figures}`)
for (const group of readFileSync('groups.txt', 'utf8').trim().split('\n')) {
  const report = `ENGM 301120Z 01003KT 0200 ${group} FZFG VV001 M01/M01 Q1020`
  const [first] = parseMetar(report).runwaysInfo
  const [second] = squawk(report).rvr
  console.log(
    [
      first ? both(`${first.indicator ?? ''}${first.minRange}`, first.maxRange) : 'none',
      second
        ? both(
            bound(second.visibilityFt, second.isMoreThan, second.isLessThan),
            bound(second.variableMaxFt, second.isVariableMaxMoreThan)
          )
        : 'none'
    ].join('; ')
  )
}
JS
cat >read.py <<'PY'
from metar.Metar import Metar
from metar_taf_parser.parser.parser import MetarParser

for group in open("groups.txt").read().split():
    report = f"ENGM 301120Z 01003KT 0200 {group} FZFG VV001 M01/M01 Q1020"
    ranges = [
        f"{read.indicator or ''}{read.min_range}" + (f" to {read.max_range}" if read.max_range else "")
        for read in MetarParser().parse(report).runways_info
    ]
    right = Metar(report).runway_visual_range().split(", ", 1)[1]
    print(f"{ranges[0] if ranges else 'none'}; {right}")
PY
node read.mjs >node
venv/bin/python read.py >python
paste -d '|' groups.txt node python | awk -F '|' '{ printf "%-17s %s; %s\n", $1, $2, $3 }' | tee seen
diff seen - <<'SEEN'
R17/0500          none; none; 500; 500 meters
R17/P2000         none; none; P2000; greater than 2000 meters
R08/1400VP1500    none; none; none; from 1400 to greater than 1500 meters
R01L/0300V0600U   300 to 600; none; 300 to 600; from 300 to 600 meters, increasing
R01L/M0050N       M50; none; M50; less than 50 meters, no distinct tendency
R04/M0600FT       M600; M600; M600; less than 600 feet
R04/2400VP6000FT  P2400 to 6000; 2400 to P6000; none; from 2400 to greater than 6000 feet
R04/M0600V1000FT  none; M600 to 1000; none; from 600 to 1000 feet
SEEN
