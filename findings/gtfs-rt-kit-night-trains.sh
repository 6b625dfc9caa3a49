#!/usr/bin/env bash
# gtfs-rt-kit 0.1.0 with gtfs-realtime-bindings 3.0.0 (PyPI), for the trains and buses to an airport.
# GTFS writes a departure after midnight as one of the day before, 24:10:00, and a message of GTFS Realtime about it may leave out the day:
# a trip's id is enough, start_date is asked for only where a trip is so late that it meets the next day's. The package then takes the day on
# which the message was written: the train of ten past midnight, two minutes late, is a day early. With the day in the message it is right.
# And where a message has a time and a delay, the time takes precedence (the comment at StopTimeEvent in the format's own file): the package
# gives the delay, beside the time that contradicts it. A sender that leaves the delay at zero is always on time. Seen:
#   24:10, at 00:12, with its day:    120 s, scheduled 2026-06-02 00:10
#   24:10, at 00:12, without its day: -86280 s, scheduled 2026-06-03 00:10
#   14:00, at 14:20:                  1200 s, scheduled 2026-06-01 14:00
#   14:00, at 14:20, with delay 0:    0 s, scheduled 2026-06-01 14:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet gtfs-rt-kit==0.1.0 gtfs-realtime-bindings==3.0.0 protobuf==7.36.2 tzdata==2026.6
cat >delays.py <<'PY'
import io
import zipfile
from datetime import datetime
from zoneinfo import ZoneInfo

from google.transit import gtfs_realtime_pb2
from gtfs_rt_kit import StaticGtfs, parse_feed, trip_delays

TABLES = {
    "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\nX,Example,https://example.org,Europe/London\n",
    "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nT5,Terminal 5,51.47,-0.49\nCITY,City,51.51,-0.12\n",
    "routes.txt": "route_id,agency_id,route_short_name,route_type\nR,X,Airport,2\n",
    "trips.txt": "route_id,service_id,trip_id\nR,D,day\nR,D,night\n",
    "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
    "D,1,1,1,1,1,1,1,20260101,20261231\n",
    "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    "day,14:00:00,14:00:00,T5,1\nday,14:30:00,14:30:00,CITY,2\n"
    "night,24:10:00,24:10:00,T5,1\nnight,24:40:00,24:40:00,CITY,2\n",
}
archive = io.BytesIO()
with zipfile.ZipFile(archive, "w") as file:
    for name, text in TABLES.items():
        file.writestr(name, text)
schedule = StaticGtfs(archive.getvalue())


def seen(words, trip, day, hour, minute, *, start_date="", delay=None):
    seconds = int(datetime(2026, 6, day, hour, minute, tzinfo=ZoneInfo("Europe/London")).timestamp())
    message = gtfs_realtime_pb2.FeedMessage()
    message.header.gtfs_realtime_version = "2.0"
    message.header.timestamp = seconds
    update = message.entity.add(id="1").trip_update
    update.timestamp = seconds
    update.trip.trip_id = trip
    if start_date:
        update.trip.start_date = start_date
    departure = update.stop_time_update.add(stop_sequence=1).departure
    departure.time = seconds
    if delay is not None:
        departure.delay = delay
    [answer] = trip_delays(parse_feed(message.SerializeToString()).trip_updates[0], schedule)
    print(f"{words:33} {answer.delay} s, scheduled {answer.scheduled:%Y-%m-%d %H:%M}")


seen("24:10, at 00:12, with its day:", "night", 2, 0, 12, start_date="20260601")
seen("24:10, at 00:12, without its day:", "night", 2, 0, 12)
seen("14:00, at 14:20:", "day", 1, 14, 20)
seen("14:00, at 14:20, with delay 0:", "day", 1, 14, 20, delay=0)
PY
venv/bin/python delays.py | tee seen
diff seen - <<'SEEN'
24:10, at 00:12, with its day:    120 s, scheduled 2026-06-02 00:10
24:10, at 00:12, without its day: -86280 s, scheduled 2026-06-03 00:10
14:00, at 14:20:                  1200 s, scheduled 2026-06-01 14:00
14:00, at 14:20, with delay 0:    0 s, scheduled 2026-06-01 14:00
SEEN
