#!/usr/bin/env bash
# faadelays 2023.9.1 (PyPI), by which Home Assistant tells of the delays at airports of the United States.
# The FAA's list of events has a row for each airport with anything to tell, and a field that is null for each kind that is not in force. An
# `Airport` is made once and asked to update itself every minute. Where a ground stop is over and the airport keeps its row, the package
# resets another attribute than the one that it sets (GroundStop, ground_stop): the stop stays in force, with an end that has passed, until
# the airport has no row at all. A ground stop that becomes a ground delay program, as in many a thunderstorm, stays one; and Los
# Angeles keeps its row for a year, by a notice that it is closed to private aircraft without permission. That notice has the word CLSD, and
# so Los Angeles is closed. The count of delays is only added to: an airport with one delay has three of them after three minutes, and `delay`
# stays true when there are none. Departure and arrival delays, and ground delays, end rightly. The notice is real (without its telephone numbers), the rest made up. Seen:
#   DEN 22:05 ground stop True until 2026-06-29T23:30:00Z, ground delay False, closed False, delay True, 1 delays
#   DEN 23:40 ground stop True until 2026-06-29T23:30:00Z, ground delay True, closed False, delay True, 2 delays
#   DEN 23:41 ground stop True until 2026-06-29T23:30:00Z, ground delay True, closed False, delay True, 3 delays
#   DEN 03:00 ground stop False, ground delay False, closed False, delay True, 3 delays
#   LAX 22:05 ground stop True until 2026-06-29T23:30:00Z, ground delay False, closed True, delay True, 1 delays
#   LAX 23:40 ground stop True until 2026-06-29T23:30:00Z, ground delay False, closed True, delay True, 1 delays
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet faadelays==2023.9.1 aiohttp==3.14.5
cat >minutes.py <<'PY'
import asyncio

from faadelays import Airport

STOP = {
    "impactingCondition": "thunderstorms",
    "startTime": "2026-06-29T22:00:00Z",
    "endTime": "2026-06-29T23:30:00Z",
    "updatedAt": "2026-06-29T22:05:00Z",
    "advisoryUrl": None,
    "includedFacilities": ["ZLA", "ZDV"],
    "includedFlights": None,
    "probabilityOfExtension": "HIGH",
}
DELAY = {
    "impactingCondition": "thunderstorms",
    "avgDelay": 40.0,
    "maxDelay": 75,
    "startTime": "2026-06-29T23:30:00Z",
    "endTime": "2026-06-30T02:59:00Z",
    "updatedAt": "2026-06-29T23:31:00Z",
    "advisoryUrl": None,
    "departureScope": 1200.0,
    "includedFacilities": ["ZLA"],
    "includedFlights": None,
}
NOTICE = {
    "simpleText": "!LAX 05/277 LAX AD AP CLSD TO NON SKED TRANSIENT GA ACFT EXC 24HR PPR 2605271826-2705281600",
    "startTime": "2026-05-27T18:26:00Z",
    "endTime": "2027-05-28T16:00:00Z",
    "updatedAt": "2026-05-27T18:31:49Z",
}
KINDS = ["groundStop", "groundDelay", "airportClosure", "freeForm", "arrivalDelay", "departureDelay", "deicing"]


class Feed:
    """Answers as the session that the package asks, with the rows that are set."""

    status = 200
    rows = []

    async def get(self, url):
        return self

    async def json(self):
        return self.rows


def row(code, **fields):
    place = {"airportId": code, "airportLongName": code, "latitude": "0", "longitude": "0", "airportConfig": None}
    return place | dict.fromkeys(KINDS) | fields


async def watch(code, minutes):
    feed = Feed()
    airport = Airport(code, feed)
    for minute, feed.rows in minutes:
        await airport.update()
        stop = airport.ground_stop
        until = f" until {stop.endtime}" if stop.status else ""
        print(
            f"{code} {minute} ground stop {stop.status}{until}, ground delay {airport.ground_delay.status}, "
            f"closed {airport.closure.status}, delay {airport.delay}, {airport.delay_count} delays"
        )


denver = [
    ("22:05", [row("DEN", groundStop=STOP)]),
    ("23:40", [row("DEN", groundDelay=DELAY)]),
    ("23:41", [row("DEN", groundDelay=DELAY)]),
    ("03:00", []),
]
los_angeles = [
    ("22:05", [row("LAX", groundStop=STOP, freeForm=NOTICE)]),
    ("23:40", [row("LAX", freeForm=NOTICE)]),
]
asyncio.run(watch("DEN", denver))
asyncio.run(watch("LAX", los_angeles))
PY
venv/bin/python minutes.py | tee seen
diff seen - <<'SEEN'
DEN 22:05 ground stop True until 2026-06-29T23:30:00Z, ground delay False, closed False, delay True, 1 delays
DEN 23:40 ground stop True until 2026-06-29T23:30:00Z, ground delay True, closed False, delay True, 2 delays
DEN 23:41 ground stop True until 2026-06-29T23:30:00Z, ground delay True, closed False, delay True, 3 delays
DEN 03:00 ground stop False, ground delay False, closed False, delay True, 3 delays
LAX 22:05 ground stop True until 2026-06-29T23:30:00Z, ground delay False, closed True, delay True, 1 delays
LAX 23:40 ground stop True until 2026-06-29T23:30:00Z, ground delay False, closed True, delay True, 1 delays
SEEN
