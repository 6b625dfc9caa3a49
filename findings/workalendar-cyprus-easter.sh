#!/usr/bin/env bash
# workalendar 17.0.0, against holidays 0.109 and python-dateutil 2.9.0 (all PyPI).
# Cyprus keeps the Easter of the Orthodox church, as Greece does, whose calendar in the same package is right. workalendar gives it the
# Easter of the West: Good Friday, Easter Monday and Pentecost Monday are days of work in the years in which the two differ, five weeks
# off in 2027, and only in years like 2025 nobody sees it. The fifteenth of August, of the Dormition, is the fifteenth of July. Seen:
#   2025: Easter 04-20, workalendar 04-20, of Greece 04-20, holidays 04-20; Dormition 07-15, holidays 08-15
#   2026: Easter 04-12, workalendar 04-05, of Greece 04-12, holidays 04-12; Dormition 07-15, holidays 08-15
#   2027: Easter 05-02, workalendar 03-28, of Greece 05-02, holidays 05-02; Dormition 07-15, holidays 08-15
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet workalendar==17.0.0 holidays==0.109 python-dateutil==2.9.0.post0
cat >read.py <<'PY'
from dateutil.easter import EASTER_ORTHODOX, easter
from workalendar.registry import registry
import holidays

def day(days, part):
    return next(f"{date:%m-%d}" for date, name in sorted(days) if part in name)

for year in (2025, 2026, 2027):
    cyprus, greece = (registry.get(code)().holidays(year) for code in ("CY", "GR"))
    other = holidays.country_holidays("CY", years=year, language="en_US").items()
    print(
        f"{year}: Easter {easter(year, EASTER_ORTHODOX):%m-%d}, workalendar {day(cyprus, 'Easter Sunday')}, of Greece {day(greece, 'Easter Sunday')},"
        f" holidays {day(other, 'Easter Sunday')}; Dormition {day(cyprus, 'Dormition')}, holidays {day(other, 'Dormition')}"
    )
PY
venv/bin/python -W ignore read.py | tee seen
diff seen - <<'TXT'
2025: Easter 04-20, workalendar 04-20, of Greece 04-20, holidays 04-20; Dormition 07-15, holidays 08-15
2026: Easter 04-12, workalendar 04-05, of Greece 04-12, holidays 04-12; Dormition 07-15, holidays 08-15
2027: Easter 05-02, workalendar 03-28, of Greece 05-02, holidays 05-02; Dormition 07-15, holidays 08-15
TXT
