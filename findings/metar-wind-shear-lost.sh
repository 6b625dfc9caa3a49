#!/usr/bin/env bash
# metar-taf-parser 9.1.3 (npm) and metar-taf-parser-mivek 1.9.0 (PyPI), one parser in two languages, against metar 1.11.0 (PyPI).
# Behind the pressure a METAR may tell of the weather that has ended since the last report (RETSRA: a thunderstorm with rain) and of wind shear
# near the runways: WS R34L for one of them, WS ALL RWY for all (WMO-No. 306, FM 15, 15.13.2 and 15.13.3). Both parsers drop the wind shear: it is
# in no field and no remark, and nothing says that a group was not read. The one in JavaScript drops the recent weather too. So the report for
# which flights go around, and delays begin, is the same as that of a calm day. Issue 102 of the latter (2024) names both and is closed.
# In a TAF it reads wind shear (WS020/24045KT). Seen, metar, then what the others make of the report, compared with the same one without the group:
#   WS R34L: metar wind shear 34L, metar-taf-parser-mivek the same, metar-taf-parser the same
#   WS ALL RWY: metar wind shear ALL, metar-taf-parser-mivek the same, metar-taf-parser the same
#   RETSRA: metar recent TSRA, metar-taf-parser-mivek another, metar-taf-parser the same
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund metar-taf-parser@9.1.3
python3 -m venv venv
venv/bin/pip install --quiet metar==1.11.0 metar-taf-parser-mivek==1.9.0
cat >groups <<'TXT'
WS R34L
WS ALL RWY
RETSRA
TXT
cat >read.py <<'PY'
from metar.Metar import Metar
from metar_taf_parser.parser.parser import MetarParser


def flat(value):
    """What a parsed report holds, as plain data without the text of the report."""
    if isinstance(value, list):
        return [flat(part) for part in value]
    if type(value).__module__.startswith("metar_taf_parser.model.model"):
        return {name: flat(part) for name, part in vars(value).items() if name != "_message"}
    return value


def read(group):
    return flat(MetarParser().parse(f"RJTT 301200Z 34008KT 9999 FEW030 18/11 Q1013{group} NOSIG"))


for group in open("groups").read().splitlines():
    seen = Metar(f"METAR RJTT 301200Z 34008KT 9999 FEW030 18/11 Q1013 {group} NOSIG")
    found = f"wind shear {seen.windshear[0]}" if seen.windshear else "recent " + "".join(part or "" for part in seen.recent[0])
    print(f"{group}: metar {found}, metar-taf-parser-mivek {'the same' if read(f' {group}') == read('') else 'another'}")
PY
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parseMetar } from 'metar-taf-parser'

const read = (group) => ({ ...parseMetar(`METAR RJTT 301200Z 34008KT 9999 FEW030 18/11 Q1013${group} NOSIG`), message: '' })
for (const group of readFileSync('groups', 'utf8').trim().split('\n')) {
  console.log(`metar-taf-parser ${isDeepStrictEqual(read(` ${group}`), read('')) ? 'the same' : 'another'}`)
}
JS
venv/bin/python read.py >python
node read.mjs >javascript
paste -d '\t' python javascript | sed 's/\t/, /' | tee seen
diff seen - <<'SEEN'
WS R34L: metar wind shear 34L, metar-taf-parser-mivek the same, metar-taf-parser the same
WS ALL RWY: metar wind shear ALL, metar-taf-parser-mivek the same, metar-taf-parser the same
RETSRA: metar recent TSRA, metar-taf-parser-mivek another, metar-taf-parser the same
SEEN
