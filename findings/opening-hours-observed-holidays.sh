#!/usr/bin/env bash
# opening-hours-py 2.1.4 (PyPI; the Rust library), against opening_hours 3.15.0 (npm) and holidays 0.109 (PyPI).
# "PH off": closed on public holidays, as lounges and counters write it. Where a holiday at the weekend is observed on another day, the Rust
# library has the other day alone: it opens on Christmas Day 2027 (a Saturday) in the United States and in Britain. What is no holiday in
# some part of a country it leaves out, in every year: New Year's Day, Easter Monday and the last Monday of August in England, as Scotland
# differs. A region cannot be given. The library of JavaScript has both days. Holidays of 2027 that `holidays` has and the library does not (+). Seen:
#   England js , rust +01-01 +03-29 +08-30 +12-25 +12-26
#   Florida js +12-31, rust +06-19 +07-04 +10-11 +12-25
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund opening_hours@3.15.0
python3 -m venv venv
venv/bin/pip install --quiet opening-hours-py==2.1.4 holidays==0.109
cat >js.mjs <<'JS'
import OpeningHours from 'opening_hours'
const days = (country_code, state) => {
  const hours = new OpeningHours('PH 10:00-12:00', { lat: 51.5, lon: 0, address: { country_code, state } })
  return hours.getOpenIntervals(new Date(2027, 0, 1), new Date(2028, 0, 1)).map(([from]) =>
    `${from.getMonth() + 1}`.padStart(2, '0') + `-${from.getDate()}`.replace(/-(\d)$/, '-0$1'))
}
console.log(JSON.stringify({ England: days('gb', 'England'), Florida: days('us', 'Florida') }))
JS
node js.mjs >js.json
cat >compare.py <<'PY'
import datetime, json, zoneinfo
import holidays
from opening_hours import OpeningHours

YEAR = 2027
UTC = zoneinfo.ZoneInfo("UTC")
def rust(country):
    hours = OpeningHours("PH 10:00-12:00", timezone=UTC, country=country)
    noons = (datetime.datetime(YEAR, 1, 1, 11, tzinfo=UTC) + datetime.timedelta(days=day) for day in range(365))
    return {f"{noon:%m-%d}" for noon in noons if "open" in str(hours.state(noon)).lower()}

js = json.load(open("js.json"))
for place, country, subdivision in [("England", "GB", "ENG"), ("Florida", "US", None)]:
    known = {f"{day:%m-%d}" for day in holidays.country_holidays(country, subdiv=subdivision, years=YEAR)}
    differ = lambda seen: " ".join(sorted([f"+{day}" for day in known - set(seen)] + [f"-{day}" for day in set(seen) - known], key=lambda text: text[1:]))
    print(f"{place} js {differ(js[place])}, rust {differ(rust(country))}")
PY
venv/bin/python compare.py | tee seen
diff seen - <<'TXT'
England js , rust +01-01 +03-29 +08-30 +12-25 +12-26
Florida js +12-31, rust +06-19 +07-04 +10-11 +12-25
TXT
