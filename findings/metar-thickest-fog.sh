#!/usr/bin/env bash
# avwx-engine 1.9.10, metar-taf-parser-mivek 1.13.1, aviconv-met 0.4.0 and metar 2.0.2 (PyPI), metar-taf-parser 9.1.3 and @squawk/weather
# 0.6.1 (npm).
# US stations give a visibility below a mile in sixteenths and eighths, and write M1/4SM for "less than a quarter", the lowest that most
# automatic stations know (FMH-1, table of reportable values; AIM 7-1-15). Three readers lose 1/16, 3/16 and 5/16 of a mile, one loses
# M1/4 too, and one makes it a negative distance. The visibility is then missing in the thickest fog and in no other: a filter for less than
# half a mile finds 1/4 and not 1/16. Nothing is raised; avwx lists a wind that nobody sent ("M14KT"). Seen:
#   avwx-engine             1/16 none,   3/16 none,   1/4 0.25, 5/16 none,   M1/4 none
#   metar-taf-parser-mivek  1/16 none,   3/16 none,   1/4 1/4,  5/16 none,   M1/4 M1/4
#   metar-taf-parser        1/16 none,   3/16 none,   1/4 0.25, 5/16 none,   M1/4 <0.25
#   aviconv-met             1/16 0.0625, 3/16 0.1875, 1/4 0.25, 5/16 0.3125, M1/4 -0.25
#   metar                   1/16 0.0625, 3/16 0.1875, 1/4 0.25, 5/16 0.3125, M1/4 <0.25
#   @squawk/weather         1/16 0.0625, 3/16 0.1875, 1/4 0.25, 5/16 0.3125, M1/4 <0.25
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund metar-taf-parser@9.1.3 @squawk/weather@0.6.1
python3 -m venv venv
venv/bin/pip install --quiet avwx-engine==1.9.10 metar-taf-parser-mivek==1.13.1 aviconv-met==0.4.0 metar==2.0.2
cat >read.py <<'PY'
import aviconv_met
import avwx
from metar import Metar
from metar_taf_parser.parser.parser import MetarParser

MILES = ("1/16", "3/16", "1/4", "5/16", "M1/4")


def report(miles):
    return f"KORD 291151Z 24008KT {miles}SM FG VV001 05/05 A2990"


def avwx_engine(miles):
    visibility = avwx.Metar.from_report(report(miles)).data.visibility
    return visibility and visibility.value


def mivek(miles):
    visibility = MetarParser().parse(report(miles)).visibility
    return visibility and visibility.distance


def aviconv(miles):
    return aviconv_met.parse_metar(f"METAR {report(miles)}").visibility.distance


def metar(miles):
    visibility = Metar.Metar(report(miles), year=2026, month=11).vis
    return f"{visibility._gtlt or ''}{visibility.value('SM')}"


for name, reader in (
    ("avwx-engine", avwx_engine),
    ("metar-taf-parser-mivek", mivek),
    ("aviconv-met", aviconv),
    ("metar", metar),
):
    print(f"{name}: {', '.join(f'{miles} {reader(miles) or str(None).lower()}' for miles in MILES)}")
PY
cat >read.mjs <<'JS'
import { parseMetar as parse } from 'metar-taf-parser'
import { parseMetar as squawk } from '@squawk/weather'

const report = (miles) => `KORD 291151Z 24008KT ${miles}SM FG VV001 05/05 A2990`
const readers = {
  'metar-taf-parser': (miles) => {
    const visibility = parse(report(miles)).visibility
    return visibility && `${visibility.indicator === 'M' ? '<' : ''}${visibility.value}`
  },
  '@squawk/weather': (miles) => {
    const visibility = squawk(`METAR ${report(miles)}`).visibility
    return visibility && `${visibility.isLessThan ? '<' : ''}${visibility.visibilitySm}`
  }
}
for (const [name, read] of Object.entries(readers)) {
  const seen = ['1/16', '3/16', '1/4', '5/16', 'M1/4'].map((miles) => `${miles} ${read(miles) ?? 'none'}`)
  console.log(`${name}: ${seen.join(', ')}`)
}
JS
{
  venv/bin/python -W ignore read.py
  node read.mjs
} | tee seen
diff seen - <<'SEEN'
avwx-engine: 1/16 none, 3/16 none, 1/4 0.25, 5/16 none, M1/4 none
metar-taf-parser-mivek: 1/16 none, 3/16 none, 1/4 1/4, 5/16 none, M1/4 M1/4
aviconv-met: 1/16 0.0625, 3/16 0.1875, 1/4 0.25, 5/16 0.3125, M1/4 -0.25
metar: 1/16 0.0625, 3/16 0.1875, 1/4 0.25, 5/16 0.3125, M1/4 <0.25
metar-taf-parser: 1/16 none, 3/16 none, 1/4 0.25, 5/16 none, M1/4 <0.25
@squawk/weather: 1/16 0.0625, 3/16 0.1875, 1/4 0.25, 5/16 0.3125, M1/4 <0.25
SEEN
