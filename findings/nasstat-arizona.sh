#!/usr/bin/env bash
# nasstat 0.1.3 (PyPI).
# The FAA's list of delays gives the end of a ground stop as a time of day with the abbreviation of the airport's zone, "11:30 am MST", and
# no date: it is the next such time. Phoenix has MST, UTC-7, all year. The package takes MST and MDT both for the zone US/Mountain, which is
# at UTC-6 in summer, so that a ground stop of Phoenix is over an hour early; and in its last hour the end is that of tomorrow: a stop with
# 45 minutes to go has 1425, which are its `minDelay`, `maxDelay` and `avgDelay`. Denver, with MDT, is right, and so is Phoenix in winter.
# The clock is set in the script. Seen:
#   2026-01-15 16:00, PHX until 11:30 am MST: 150 minutes, right is 150
#   2026-07-15 16:00, PHX until 11:30 am MST: 90 minutes, right is 150
#   2026-07-15 17:45, PHX until 11:30 am MST: 1425 minutes, right is 45
#   2026-07-15 17:00, DEN until 11:30 am MDT: 30 minutes, right is 30
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet nasstat==0.1.3 requests==2.34.2 pytz==2026.6
cat >stops.py <<'PY'
from datetime import datetime
from types import SimpleNamespace
from unittest.mock import patch
from zoneinfo import ZoneInfo

from nasstat import nasstat


def stop(code, end):
    return (
        "<AIRPORT_STATUS_INFORMATION><Update_Time>as the clock</Update_Time><Delay_type><Name>Ground Stop Programs</Name>"
        f"<Ground_Stop_List><Program><ARPT>{code}</ARPT><Reason>thunderstorms</Reason><End_Time>{end}</End_Time></Program>"
        "</Ground_Stop_List></Delay_type></AIRPORT_STATUS_INFORMATION>"
    )


def seen(clock, code, end, zone, hour, minute):
    now = datetime.fromisoformat(f"{clock}+00:00")

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return now.astimezone(tz)

    answer = SimpleNamespace(text=stop(code, end), raise_for_status=lambda: None)
    with patch.object(nasstat, "datetime", Clock), patch.object(nasstat.requests, "get", lambda url: answer):
        delay = nasstat.Airport(code).getGroundStops()["GroundStop"]
    right = now.astimezone(ZoneInfo(zone)).replace(hour=hour, minute=minute) - now
    print(f"{clock}, {code} until {end}: {delay['avgDelay']} minutes, right is {right.seconds // 60}")


seen("2026-01-15 16:00", "PHX", "11:30 am MST", "America/Phoenix", 11, 30)
seen("2026-07-15 16:00", "PHX", "11:30 am MST", "America/Phoenix", 11, 30)
seen("2026-07-15 17:45", "PHX", "11:30 am MST", "America/Phoenix", 11, 30)
seen("2026-07-15 17:00", "DEN", "11:30 am MDT", "America/Denver", 11, 30)
PY
venv/bin/python stops.py | tee seen
diff seen - <<'SEEN'
2026-01-15 16:00, PHX until 11:30 am MST: 150 minutes, right is 150
2026-07-15 16:00, PHX until 11:30 am MST: 90 minutes, right is 150
2026-07-15 17:45, PHX until 11:30 am MST: 1425 minutes, right is 45
2026-07-15 17:00, DEN until 11:30 am MDT: 30 minutes, right is 30
SEEN
