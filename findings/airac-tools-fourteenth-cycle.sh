#!/usr/bin/env bash
# airac-tools 1.0.11 (PyPI), which tells the cycle of aeronautical data of a day, and the days of a cycle.
# Data of airports, runways and procedures change worldwide every 28 days, and a cycle (ICAO's AIRAC) is named by the year of its first day and
# its number in that year. 13 cycles are 364 days: about every 22 years one has a fourteenth, last 2020 (2014, from 31 December) and next 2043. The
# package has thirteen in each year, and puts later days into the thirteenth: through January 2021 its cycle is 2013, which ended on 30 December
# by the same package, 2014 is refused as no cycle, and one cycle after 2013 is 2101, 56 days later. Who looks up which data were in force when
# history was recorded gets those that had been replaced. Nothing is refused but the right cycle.
# Seen, cycle of a day, its first day, whether the day is in it, and the next:
#   2020-01-01: 1913, from 2019-12-05, in it; 2001
#   2020-12-30: 2013, from 2020-12-03, in it; 2101
#   2020-12-31: 2013, from 2020-12-03, not in it; 2101
#   2021-01-27: 2013, from 2020-12-03, not in it; 2101
#   2021-01-28: 2101, from 2021-01-28, in it; 2102
#   2026-11-30: 2612, from 2026-11-26, in it; 2613
#   2044-01-10: 4313, from 2043-12-03, not in it; 4401
#   2014 is not a cycle; 2101 is 56 days after 2013
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet airac-tools==1.0.11
cat >cycles.py <<'PY'
from datetime import datetime, timezone

from airac_tools.cycle import cycle_offset, date_to_cycle, get_cycle_start_date, get_next_cycle, is_date_in_cycle, is_valid_cycle

for day in ["2020-01-01", "2020-12-30", "2020-12-31", "2021-01-27", "2021-01-28", "2026-11-30", "2044-01-10"]:
    noon = datetime.fromisoformat(f"{day}T12:00").replace(tzinfo=timezone.utc)
    cycle = date_to_cycle(noon)
    there = "in it" if is_date_in_cycle(noon, cycle) else "not in it"
    print(f"{day}: {cycle}, from {get_cycle_start_date(cycle):%Y-%m-%d}, {there}; {get_next_cycle(noon)}")
days = get_cycle_start_date(cycle_offset("2013", 1)) - get_cycle_start_date("2013")
print(f"2014 {'is' if is_valid_cycle('2014') else 'is not'} a cycle; {cycle_offset('2013', 1)} is {days.days} days after 2013")
PY
venv/bin/python cycles.py | tee seen
diff seen - <<'SEEN'
2020-01-01: 1913, from 2019-12-05, in it; 2001
2020-12-30: 2013, from 2020-12-03, in it; 2101
2020-12-31: 2013, from 2020-12-03, not in it; 2101
2021-01-27: 2013, from 2020-12-03, not in it; 2101
2021-01-28: 2101, from 2021-01-28, in it; 2102
2026-11-30: 2612, from 2026-11-26, in it; 2613
2044-01-10: 4313, from 2043-12-03, not in it; 4401
2014 is not a cycle; 2101 is 56 days after 2013
SEEN
