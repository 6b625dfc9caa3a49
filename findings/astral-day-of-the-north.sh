#!/usr/bin/env bash
# astral 3.2 (PyPI).
# Airports that are open from sunrise to sunset (SR-SS of the AIP) need the two of one day. Near the polar circle, or where clocks are far
# ahead of the sun, the sun sets after midnight for weeks. astral answers with the sunset whose date is the one that was asked for: the end
# of the day before. daylight(), "the time range between sunrise and sunset", then ends before it begins. The evening on which the sunset
# crosses midnight is refused ("Unable to find a sunset time on the date specified"), and so is the morning on which a sunrise crosses
# midnight of UTC, at Oulu an ordinary 1 June with sunrise at 3 am. Seen, days of 2026 whose daylight ends before it begins, the first of
# them, and the days that are refused:
#   Nome 84, 2026-05-12 from 05:52 to 00:03, refused 05-11
#   Fairbanks 45, 2026-05-31 from 03:36 to 00:01, refused 05-30
#   Oulu 23, 2026-06-11 from 02:34 to 00:02, refused 06-01, refused 06-10
#   Reykjavik 9, 2026-06-18 from 02:57 to 00:00, refused 06-17
#   Keflavik 7, 2026-06-19 from 03:02 to 00:00, refused 06-18
#   Trondheim 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet astral==3.2 tzdata==2026.6
cat >read.py <<'PY'
from datetime import date, timedelta
from zoneinfo import ZoneInfo
from astral import Observer
from astral.sun import daylight

def range_of(observer, day, zone):
    try:
        return daylight(observer, day, tzinfo=zone)
    except ValueError:
        return None

AIRPORTS = [
    ("Nome", 64.51, -165.44, "America/Nome"),
    ("Fairbanks", 64.815, -147.856, "America/Anchorage"),
    ("Oulu", 64.93, 25.35, "Europe/Helsinki"),
    ("Reykjavik", 64.13, -21.94, "Atlantic/Reykjavik"),
    ("Keflavik", 63.985, -22.6, "Atlantic/Reykjavik"),
    ("Trondheim", 63.457, 10.924, "Europe/Oslo"),
]
for name, latitude, longitude, zone in AIRPORTS:
    days = [date(2026, 1, 1) + timedelta(number) for number in range(365)]
    ranges = [range_of(Observer(latitude, longitude), day, ZoneInfo(zone)) for day in days]
    wrong = [f"{begin:%Y-%m-%d} from {begin:%H:%M} to {end:%H:%M}" for begin, end in filter(None, ranges) if end < begin]
    refused = [f"{day:%m-%d}" for day, range_ in zip(days, ranges) if range_ is None]
    print(", ".join([f"{name} {len(wrong)}", *wrong[:1], *(f"refused {day}" for day in refused)]))
PY
venv/bin/python read.py | tee seen
diff seen - <<'TXT'
Nome 84, 2026-05-12 from 05:52 to 00:03, refused 05-11
Fairbanks 45, 2026-05-31 from 03:36 to 00:01, refused 05-30
Oulu 23, 2026-06-11 from 02:34 to 00:02, refused 06-01, refused 06-10
Reykjavik 9, 2026-06-18 from 02:57 to 00:00, refused 06-17
Keflavik 7, 2026-06-19 from 03:02 to 00:00, refused 06-18
Trondheim 0
TXT
