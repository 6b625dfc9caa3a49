#!/usr/bin/env bash
# suntime 1.4.0, against astral 3.2 (both PyPI).
# Samoa, Tonga and the Line Islands lie east of the 180th meridian and keep the date of its other side. Asked for the sun of their 21 June,
# in their own time zone, suntime gives that of 22 June; asked for 31 December, that of the new year. It moves what it worked out from the
# longitude by a day where the date in UTC differs, which is right for Auckland and Honolulu and not for those whose clock is more than
# twelve hours ahead of their sun. Nobody sees it in the hours, which differ by a minute. astral has the day that was asked for. Seen:
#   Apia: suntime 2026-06-22 06:50 to 2026-06-22 18:09, astral 2026-06-21 06:50 to 2026-06-21 18:08
#   Tongatapu: suntime 2026-06-22 07:17 to 2026-06-22 18:07, astral 2026-06-21 07:17 to 2026-06-21 18:07
#   Kiritimati: suntime 2026-06-22 06:24 to 2026-06-22 18:38, astral 2026-06-21 06:24 to 2026-06-21 18:38
#   Auckland: suntime 2026-06-21 07:34 to 2026-06-21 17:10, astral 2026-06-21 07:34 to 2026-06-21 17:10
#   Honolulu: suntime 2026-06-21 05:50 to 2026-06-21 19:16, astral 2026-06-21 05:50 to 2026-06-21 19:16
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet suntime==1.4.0 astral==3.2 tzdata==2026.6
cat >read.py <<'PY'
from datetime import date, datetime
from zoneinfo import ZoneInfo
from astral import Observer
from astral.sun import sunrise, sunset
from suntime import Sun

AIRPORTS = [
    ("Apia", -13.83, -172.01, "Pacific/Apia"),
    ("Tongatapu", -21.24, -175.15, "Pacific/Tongatapu"),
    ("Kiritimati", 1.99, -157.35, "Pacific/Kiritimati"),
    ("Auckland", -37.01, 174.79, "Pacific/Auckland"),
    ("Honolulu", 21.32, -157.92, "Pacific/Honolulu"),
]
day = date(2026, 6, 21)
for name, latitude, longitude, zone in AIRPORTS:
    local = ZoneInfo(zone)
    sun, at = Sun(latitude, longitude), datetime(day.year, day.month, day.day, tzinfo=local)
    here = Observer(latitude, longitude)
    times = [
        (sun.get_sunrise_time(at, local), sun.get_sunset_time(at, local)),
        (sunrise(here, day, tzinfo=local), sunset(here, day, tzinfo=local)),
    ]
    words = [f"{rise:%Y-%m-%d %H:%M} to {down:%Y-%m-%d %H:%M}" for rise, down in times]
    print(f"{name}: suntime {words[0]}, astral {words[1]}")
PY
venv/bin/python read.py | tee seen
diff seen - <<'TXT'
Apia: suntime 2026-06-22 06:50 to 2026-06-22 18:09, astral 2026-06-21 06:50 to 2026-06-21 18:08
Tongatapu: suntime 2026-06-22 07:17 to 2026-06-22 18:07, astral 2026-06-21 07:17 to 2026-06-21 18:07
Kiritimati: suntime 2026-06-22 06:24 to 2026-06-22 18:38, astral 2026-06-21 06:24 to 2026-06-21 18:38
Auckland: suntime 2026-06-21 07:34 to 2026-06-21 17:10, astral 2026-06-21 07:34 to 2026-06-21 17:10
Honolulu: suntime 2026-06-21 05:50 to 2026-06-21 19:16, astral 2026-06-21 05:50 to 2026-06-21 19:16
TXT
