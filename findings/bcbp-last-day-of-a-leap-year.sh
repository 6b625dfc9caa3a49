#!/usr/bin/env bash
# bcbp 6.0.2 (npm), which writes and reads the bar codes of boarding passes (IATA resolution 792).
# A pass gives its flight as a day of the year, without the year, and the day on which it was issued with the last digit of its year. From
# the two the package works out the date, whatever the year in which it is read. On two kinds of passes it is wrong, without a word:
# - the flight of 31 December of a leap year (day 366) is first taken as day 366 of the year of the reader, which is 1 January there, and
#   is a flight of the day after once the old year is over: an airline's late scans, a claim for a delay, the next one on 1 January 2029;
# - a pass printed after midnight for a flight of the evening before, late by hours, is of the same day a year later.
# The passenger below is made up. Seen:
#   day 366, issued 30 Dec 2024, read in 2024: 2024-12-31
#   day 366, issued 30 Dec 2024, read in 2025: 2025-01-01
#   day 366, issued 30 Dec 2024, read in 2026: 2025-01-01
#   day 365, issued 30 Dec 2025, read in 2026: 2025-12-31
#   day 226, issued 14 Aug 2026, read in 2026: 2026-08-14
#   day 226, issued 15 Aug 2026, read in 2026: 2027-08-14
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund bcbp@6.0.2
cat >read.mjs <<'JS'
import { decode } from 'bcbp'
const cases = [
  ['366', '4365', '30 Dec 2024', 2024],
  ['366', '4365', '30 Dec 2024', 2025],
  ['366', '4365', '30 Dec 2024', 2026],
  ['365', '5364', '30 Dec 2025', 2026],
  ['226', '6226', '14 Aug 2026', 2026],
  ['226', '6227', '15 Aug 2026', 2026]
]
for (const [day, issued, words, year] of cases) {
  const pass = `M1EXAMPLE/ANNA        EABC123 YULFRAAC 0834 ${day}F001A0025 10D>607   ${issued}00`
  const [leg] = decode(pass, year).data.legs
  console.log(`day ${day}, issued ${words}, read in ${year}: ${leg.flightDate.toISOString().slice(0, 10)}`)
}
JS
node read.mjs | tee seen
diff seen - <<'TXT'
day 366, issued 30 Dec 2024, read in 2024: 2024-12-31
day 366, issued 30 Dec 2024, read in 2025: 2025-01-01
day 366, issued 30 Dec 2024, read in 2026: 2025-01-01
day 365, issued 30 Dec 2025, read in 2026: 2025-12-31
day 226, issued 14 Aug 2026, read in 2026: 2026-08-14
day 226, issued 15 Aug 2026, read in 2026: 2027-08-14
TXT
