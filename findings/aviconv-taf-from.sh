#!/usr/bin/env bash
# aviconv-met 0.4.0, against avwx-engine 1.9.10 (both PyPI).
# A converter of forecasts of airports between text and IWXXM, the XML that ICAO asks for. A TAF says "from 22:00" with FM302200 (ICAO Annex
# 3, appendix 5), the usual change in America and Australia and one of four elsewhere. The reader stops at the first FM, and in every
# American TAF at P6SM, "more than six miles". What follows is lost without an error: the fog of a night, so that the fair weather of the
# evening holds to the end of the forecast. An FM behind a TEMPO becomes a part of it. Written as text again the TAF is whole, since the
# package keeps the text that it read and gives it back: its "byte-stable round-trip", the check at hand, finds nothing. Seen:
#   FM302200 18005KT 0400 FG OVC001: changes 0, in IWXXM 0, text the same True; avwx-engine 1
#   BECMG 3022/3023 18005KT 0400 FG OVC001: changes 1, in IWXXM 1, text the same True; avwx-engine 1
#   TEMPO 3018/3021 4000 RA FM302200 18005KT 0400 FG OVC001: changes 1, in IWXXM 1, text the same True; avwx-engine 2
#   P6SM: visibility None, clouds 0; avwx-engine P6, clouds 1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet aviconv-met==0.4.0 avwx-engine==1.9.10
cat >changes.py <<'PY'
import datetime

import avwx
from aviconv_met import format_taf, parse_taf
from aviconv_met.iwxxm import to_iwxxm

ISSUED = datetime.date(2026, 11, 30)


def other(text):
    return avwx.Taf.from_report(text, issued=ISSUED).data.forecast


for change in (
    "FM302200 18005KT 0400 FG OVC001",
    "BECMG 3022/3023 18005KT 0400 FG OVC001",
    "TEMPO 3018/3021 4000 RA FM302200 18005KT 0400 FG OVC001",
):
    text = f"TAF EGLL 301100Z 3012/0118 24010KT 9999 SCT030 {change}"
    taf = parse_taf(text)
    written = len(to_iwxxm(taf).findall("{*}changeForecast"))
    print(f"{change}: changes {len(taf.change_groups)}, in IWXXM {written}, text the same {format_taf(taf) == text}; avwx-engine {len(other(text)) - 1}")
american = "TAF KORD 301120Z 3012/0118 33012KT P6SM BKN035"
taf = parse_taf(american)
print(f"P6SM: visibility {taf.visibility}, clouds {len(taf.clouds)}; avwx-engine {other(american)[0].visibility.repr}, clouds {len(other(american)[0].clouds)}")
PY
venv/bin/python -W ignore changes.py | tee seen
diff seen - <<'SEEN'
FM302200 18005KT 0400 FG OVC001: changes 0, in IWXXM 0, text the same True; avwx-engine 1
BECMG 3022/3023 18005KT 0400 FG OVC001: changes 1, in IWXXM 1, text the same True; avwx-engine 1
TEMPO 3018/3021 4000 RA FM302200 18005KT 0400 FG OVC001: changes 1, in IWXXM 1, text the same True; avwx-engine 2
P6SM: visibility None, clouds 0; avwx-engine P6, clouds 1
SEEN
