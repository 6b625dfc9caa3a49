#!/usr/bin/env bash
# gtfs-station-stop 0.11.8 with gtfs-realtime-bindings 3.0.0 (PyPI), made for a component of Home Assistant that shows the next trains and
# buses of a stop. (Its metadata asks for Python 3.13.2; it runs on 3.11.)
# GTFS Realtime gives a train's arrival and departure each its own delay, and a departure alone where a train begins, as at many airports. A
# notice (Alert) without `active_period` is in force for as long as the feed has it. The package works out a departure from the time and the
# delay of the arrival: a train that should leave at 23:05 and waits for ten minutes leaves at 23:00, before its own time. With one train of
# which the departure alone is told, or whose time is after 24:00 (as GTFS writes the ones after midnight), there is an error in place of the
# trains of the stop. A notice without a period is not shown, and neither is one to the whole railway. Feed and timetable are made up. Seen:
#   23:00 to 23:05, a minute late in, a minute late out: in 23:01, out 23:01, right is 23:06
#   23:00 to 23:05, in on time, ten minutes late out: in 23:00, out 23:00, right is 23:15
#   23:00 to 23:05, ten minutes late out: TypeError, right is 23:15
#   24:10, a minute late in: ValueError, right is 00:11
#   notices of the airport's stop: closed since an hour, closed for an hour; not shown: closed, strike
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet gtfs-realtime-bindings==3.0.0 aiofiles==25.1.0 aiohttp==3.13.2 asyncio-atexit==1.0.1 requests==2.32.5
venv/bin/pip install --quiet --no-deps --ignore-requires-python gtfs-station-stop==0.11.8
cat >show.py <<'PY'
import datetime
import time
import zipfile

from google.transit.gtfs_realtime_pb2 import FeedMessage
from gtfs_station_stop.feed_subject import FeedSubject
from gtfs_station_stop.station_stop import StationStop
from gtfs_station_stop.stop_times import StopTimesDataset

with zipfile.ZipFile("timetable.zip", "w") as timetable:
    timetable.writestr(
        "stop_times.txt",
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        "evening,23:00:00,23:05:00,AIRPORT,1\n"
        "night,24:10:00,24:10:00,AIRPORT,1\n",
    )
times = StopTimesDataset()
times.stops_filter = {"AIRPORT"}
times.add_gtfs_data("timetable.zip")
midnight = datetime.datetime.combine(datetime.date.today(), datetime.time()).timestamp()


class Feed(FeedSubject):
    """Gives the message that it was made with in place of one from the network."""

    def __init__(self, message):
        super().__init__(["feed"])
        self.message = message

    def _get_gtfs_feed(self):
        return self.message


def empty():
    message = FeedMessage()
    message.header.gtfs_realtime_version = "2.0"
    return message


def stop_of(message):
    feed = Feed(message)
    stop = StationStop("AIRPORT", feed)
    feed.update()
    return stop


def clock(seconds):
    return f"{int(seconds) // 3600:02}:{int(seconds) // 60 % 60:02}"


def show(trip, arrival=None, departure=None):
    message = empty()
    update = message.entity.add(id="1").trip_update
    update.trip.trip_id = trip
    stop = update.stop_time_update.add(stop_id="AIRPORT", stop_sequence=1)
    if arrival is not None:
        stop.arrival.delay = arrival
    if departure is not None:
        stop.departure.delay = departure
    try:
        [train] = stop_of(message).get_time_to_arrivals(midnight, stop_times_dataset=times)
    except (TypeError, ValueError) as error:
        return type(error).__name__
    return f"in {clock(train.time)}, out {clock(train.departure_time)}"


def notice(message, text, start=None, end=None, **entity):
    alert = message.entity.add(id=text).alert
    if start or end:
        alert.active_period.add(start=start, end=end)
    alert.informed_entity.add(**entity)
    alert.header_text.translation.add(text=text)


print(f"23:00 to 23:05, a minute late in, a minute late out: {show('evening', 60, 60)}, right is 23:06")
print(f"23:00 to 23:05, in on time, ten minutes late out: {show('evening', 0, 600)}, right is 23:15")
print(f"23:00 to 23:05, ten minutes late out: {show('evening', departure=600)}, right is 23:15")
print(f"24:10, a minute late in: {show('night', 60)}, right is 00:11")
now = int(time.time())
message = empty()
notice(message, "closed", stop_id="AIRPORT")
notice(message, "closed since an hour", start=now - 3600, stop_id="AIRPORT")
notice(message, "closed for an hour", end=now + 3600, stop_id="AIRPORT")
notice(message, "strike", start=now - 3600, agency_id="RAILWAY")
shown = [alert.header_text[""] for alert in stop_of(message).alerts]
hidden = [entity.id for entity in message.entity if entity.id not in shown]
print(f"notices of the airport's stop: {', '.join(shown)}; not shown: {', '.join(hidden)}")
PY
TZ=UTC venv/bin/python show.py | tee seen
diff seen - <<'SEEN'
23:00 to 23:05, a minute late in, a minute late out: in 23:01, out 23:01, right is 23:06
23:00 to 23:05, in on time, ten minutes late out: in 23:00, out 23:00, right is 23:15
23:00 to 23:05, ten minutes late out: TypeError, right is 23:15
24:10, a minute late in: ValueError, right is 00:11
notices of the airport's stop: closed since an hour, closed for an hour; not shown: closed, strike
SEEN
