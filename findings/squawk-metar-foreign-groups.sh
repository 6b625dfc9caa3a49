#!/usr/bin/env bash
# @squawk/weather 0.6.1 (npm), against metar-taf-parser 9.1.3 (npm).
# METARs differ by country: Russia and China give the wind in m/s, automatic stations of Europe write NCD for "no cloud detected" and all of
# Europe NSC for "nothing significant". Each is a group of WMO's code that this parser does not know, and with it everything behind it goes:
# after a wind in m/s there is no visibility, no weather, no cloud and no temperature, so that freezing rain at Moscow and fog at Beijing are
# reports in which nothing is wrong; after NCD and NSC no temperature and no pressure. No error, no list of groups that were not
# understood. CAVOK and the same reports in knots and with a cloud are read. metar-taf-parser reads all of them. Seen:
#   Moscow, 5 m/s, freezing rain: squawk wind -, visibility -, temperature -, weather none
#   the same in knots: squawk wind 10, visibility 8000, temperature -1, weather FZRA
#   Beijing, 8 m/s, mist at 800 m: squawk wind -, visibility -, temperature -, weather none
#   Heathrow, NCD: squawk wind 9, visibility 9999, temperature -, weather none
#   Heathrow, NSC: squawk wind 9, visibility 9999, temperature -, weather none
#   Heathrow, a cloud: squawk wind 9, visibility 9999, temperature 10, weather none
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent @squawk/weather@0.6.1 metar-taf-parser@9.1.3
cat > seen.mjs <<'JS'
import { parseMetar } from '@squawk/weather'
import { parseMetar as other } from 'metar-taf-parser'

for (const [name, raw] of [
  ['Moscow, 5 m/s, freezing rain', 'UUDD 212100Z 20005MPS 8000 -FZRA SCT005 M01/M02 Q1010 NOSIG'],
  ['the same in knots', 'UUDD 212100Z 20010KT 8000 -FZRA SCT005 M01/M02 Q1010 NOSIG'],
  ['Beijing, 8 m/s, mist at 800 m', 'ZBAA 170500Z 34008G14MPS 0800 BR OVC002 02/01 Q1018 NOSIG'],
  ['Heathrow, NCD', 'EGLL 170520Z AUTO 09009KT 9999 NCD 10/05 Q1016'],
  ['Heathrow, NSC', 'EGLL 170520Z AUTO 09009KT 9999 NSC 10/05 Q1016'],
  ['Heathrow, a cloud', 'EGLL 170520Z AUTO 09009KT 9999 FEW030 10/05 Q1016'],
]) {
  const { wind, visibility, temperatureC, weather } = parseMetar(raw)
  const codes = weather.map((one) => [one.descriptor, ...(one.phenomena ?? [])].join('')).join() || 'none'
  console.log(`${name}: squawk wind ${wind?.speedKt ?? '-'}, visibility ${visibility?.visibilityM ?? '-'}, temperature ${temperatureC ?? '-'}, weather ${codes}`)
  const { wind: w, visibility: v, temperature } = other(raw)
  console.log(`  metar-taf-parser: ${w?.speed} ${w?.unit}, ${v?.value}, ${temperature}`)
}
JS
node seen.mjs | tee seen
diff - seen <<'SEEN'
Moscow, 5 m/s, freezing rain: squawk wind -, visibility -, temperature -, weather none
  metar-taf-parser: 5 MPS, 8000, -1
the same in knots: squawk wind 10, visibility 8000, temperature -1, weather FZRA
  metar-taf-parser: 10 KT, 8000, -1
Beijing, 8 m/s, mist at 800 m: squawk wind -, visibility -, temperature -, weather none
  metar-taf-parser: 8 MPS, 800, 2
Heathrow, NCD: squawk wind 9, visibility 9999, temperature -, weather none
  metar-taf-parser: 9 KT, 9999, 10
Heathrow, NSC: squawk wind 9, visibility 9999, temperature -, weather none
  metar-taf-parser: 9 KT, 9999, 10
Heathrow, a cloud: squawk wind 9, visibility 9999, temperature 10, weather none
  metar-taf-parser: 9 KT, 9999, 10
SEEN
