#!/usr/bin/env bash
# airports-py 3.1.0 (PyPI) and airport-data-js 4.0.0 (npm), one list by one author, against airportsdata 20260905 (PyPI).
# `elevation_ft` of an airport with traffic is not its elevation: the figures grow with the number of flights. Kennedy stands at 221,168 ft
# in the Python package, and the five "highest" airports of North America are O'Hare, Atlanta, Dallas, Denver and Los Angeles. Airports
# without traffic have their elevation in the same column, so that a look at a few small ones finds nothing, and those between are wrong by
# amounts that could be heights: Pasco, at 410 ft, has 10,735; La Paz, at 13,355 ft, has 8,301. The npm package has the largest airports
# right and the others not. One row of both has a time zone that no computer knows, "Asia/ Bangkok", another a town. Seen:
#   airports-py: JFK 221168 ATL 383385 AMS 240906 PSC 10735 LPB 8301
#   airportsdata: JFK 13 ATL 1026 AMS -11 PSC 410 LPB 13355
#   highest of North America: ORD ATL DFW DEN LAX
#   above 15,000 ft: 629 (no airport is)
#   no zone:|Asia/ Bangkok|Vermillion Bay
#   airport-data-js: JFK 13 ATL 1026 AMS -11 PSC 10735 LPB 8301
#   above 15,000 ft: 126
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet airports-py==3.1.0 airportsdata==20260905
npm init -y >/dev/null
npm install --silent airport-data-js@4.0.0
venv/bin/python - <<'PY' | tee seen
import airportsdata
from airports import airport_data
from zoneinfo import available_timezones

codes = ["JFK", "ATL", "AMS", "PSC", "LPB"]
true = airportsdata.load("IATA")
print("airports-py:", *[f"{code} {airport_data.get_airport_by_iata(code)[0]['elevation_ft']}" for code in codes])
print("airportsdata:", *[f"{code} {round(true[code]['elevation'])}" for code in codes])
highest = airport_data.get_largest_airports_by_continent("NA", 5, "elevation")
print("highest of North America:", *[row["iata"] for row in highest])
print("above 15,000 ft:", sum((row["elevation_ft"] or 0) > 15_000 for row in airport_data.airports))
print("no zone:", *sorted({row["time"] for row in airport_data.airports} - available_timezones()), sep="|")
PY
node - <<'JS' | tee -a seen
const { getAirportByIata, findAirports } = require('airport-data-js')
const read = async () => {
  const found = await Promise.all(['JFK', 'ATL', 'AMS', 'PSC', 'LPB'].map(async (code) => (await getAirportByIata(code))[0]))
  console.log('airport-data-js:', ...found.map((one) => `${one.iata} ${one.elevation_ft}`))
  console.log('above 15,000 ft:', (await findAirports({})).filter((one) => one.elevation_ft > 15_000).length)
}
read()
JS
diff - seen <<'SEEN'
airports-py: JFK 221168 ATL 383385 AMS 240906 PSC 10735 LPB 8301
airportsdata: JFK 13 ATL 1026 AMS -11 PSC 410 LPB 13355
highest of North America: ORD ATL DFW DEN LAX
above 15,000 ft: 629
no zone:|Asia/ Bangkok|Vermillion Bay
airport-data-js: JFK 13 ATL 1026 AMS -11 PSC 10735 LPB 8301
above 15,000 ft: 126
SEEN
