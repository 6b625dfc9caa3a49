#!/usr/bin/env bash
# siri-lite 0.14.0 (PyPI), a client of SIRI's departures of a stop, for the trains and buses to an airport.
# In SIRI (EN 15531-3, stop monitoring) a call has the status of its departure, which may be `cancelled`, while its times stay; the time that
# is expected is optional, and a call that nobody follows has the one of the timetable alone, AimedDepartureTime. The package reads neither
# of them: a call keeps no status, so that a cancelled train is the next one and nothing on it says otherwise, and a train without an
# expected time is left out, as if none ran. The departures below are made up; it is ten o'clock. Seen:
#   sent: 10:02 cancelled, 10:17 by the timetable, 10:35 delayed
#   read: 10:02 in 2 min, 10:35 in 35 min; status of the first: None
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet siri-lite==0.14.0
cat >departures.py <<'PY'
from datetime import datetime

from siri_lite.siri_client import parse_stop_monitoring_response


def visit(**call):
    journey = {"LineRef": "B", "DestinationName": "Airport", "MonitoredCall": {"StopPointName": "City", **call}}
    return {"RecordedAtTime": "2026-06-01T09:59:30Z", "MonitoringRef": "CITY", "MonitoredVehicleJourney": journey}


def at(time):
    return f"2026-06-01T{time}:00Z"


visits = [
    visit(AimedDepartureTime=at("10:02"), ExpectedDepartureTime=at("10:02"), DepartureStatus="cancelled"),
    visit(AimedDepartureTime=at("10:17")),
    visit(AimedDepartureTime=at("10:32"), ExpectedDepartureTime=at("10:35"), DepartureStatus="delayed"),
]
delivery = {"ResponseTimestamp": at("10:00"), "MonitoredStopVisit": visits}
calls = parse_stop_monitoring_response({"Siri": {"ServiceDelivery": {"StopMonitoringDelivery": [delivery]}}})
now = datetime.fromisoformat("2026-06-01T10:00:00+00:00")
read = [f"{c.expected_departure_time[11:16]} in {c.extract_remaining_time_before_arrival(now=now)} min" for c in calls]
status = [value for value in vars(calls[0]).values() if "cancel" in str(value).lower()]
print("sent: 10:02 cancelled, 10:17 by the timetable, 10:35 delayed")
print(f"read: {', '.join(read)}; status of the first: {status[0] if status else None}")
PY
venv/bin/python departures.py | tee seen
diff seen - <<'SEEN'
sent: 10:02 cancelled, 10:17 by the timetable, 10:35 delayed
read: 10:02 in 2 min, 10:35 in 35 min; status of the first: None
SEEN
