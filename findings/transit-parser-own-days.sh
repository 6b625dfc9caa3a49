#!/usr/bin/env bash
# transit-parser 0.2.0 (PyPI), a converter of TransXChange, the format of Britain's bus timetables, to GTFS, against transx2gtfs 0.6.0 (PyPI).
# In TransXChange a service has its days, and a journey that differs has days of its own, which take the place of those of the service
# (OperatingProfile of a VehicleJourney in the schema's guide). The converter gives all journeys the days of the service: the bus that runs on
# Sundays alone runs from Monday to Friday, and not on Sundays. Days on which a bus does not run, bank holidays and single weeks, are lost as
# well, though `region` is an option "for bank holiday handling": there are no exceptions (calendar_dates), and the bus to the airport runs on
# Christmas Day. The list of warnings is empty. The timetable is made up. Seen, the days of each bus, then its exceptions in December 2026:
#   sent: 05:10 MTWTF--, not on bank holidays; 07:20 ------S; 09:30 -----S-, not from the 20th to the 27th
#   transx2gtfs: 05:10 MTWTF--, not on 25 28; 07:20 ------S; 09:30 -----S-, not on 26
#   transit-parser: 05:10 MTWTF--; 07:20 MTWTF--; 09:30 MTWTF--
#   0 warnings
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet transit-parser==0.2.0 transx2gtfs==0.6.0
cat >convert.py <<'PY'
import csv
import io
import os
import warnings
import zipfile
from contextlib import redirect_stdout
from pathlib import Path

os.environ["TRANSX2GTFS_NAPTAN_PATH"] = "stops.csv"
import transx2gtfs

os.environ["TRANSX2GTFS_BANK_HOLIDAYS_PATH"] = transx2gtfs.get_path("bank_holidays")
from transit_parser import ConversionOptions, TxcDocument, TxcToGtfsConverter

HOLIDAYS = "<BankHolidayOperation><DaysOfOperation/><DaysOfNonOperation><AllBankHolidays/></DaysOfNonOperation></BankHolidayOperation>"
WEEK = (
    "<SpecialDaysOperation><DaysOfNonOperation><DateRange><StartDate>2026-12-20</StartDate><EndDate>2026-12-27</EndDate></DateRange>"
    "</DaysOfNonOperation></SpecialDaysOperation>"
)


def profile(days, exceptions=""):
    return f"<OperatingProfile><RegularDayType><DaysOfWeek><{days}/></DaysOfWeek></RegularDayType>{exceptions}</OperatingProfile>"


BUSES = {
    "05:10": ("MTWTF--, not on bank holidays", ""),
    "07:20": ("------S", profile("Sunday")),
    "09:30": ("-----S-, not from the 20th to the 27th", profile("Saturday", WEEK)),
}
journeys = "".join(
    f"<VehicleJourney>{own}<VehicleJourneyCode>{at}</VehicleJourneyCode><ServiceRef>S1</ServiceRef><LineRef>L1</LineRef>"
    f"<JourneyPatternRef>JP1</JourneyPatternRef><DepartureTime>{at}:00</DepartureTime></VehicleJourney>"
    for at, (_, own) in BUSES.items()
)
stops = "".join(
    f"<AnnotatedStopPointRef><StopPointRef>{code}</StopPointRef><CommonName>{name}</CommonName></AnnotatedStopPointRef>"
    for code, name in (("490000001A", "Town"), ("490000002B", "Airport"))
)
xml = f"""<?xml version="1.0" encoding="UTF-8"?>
<TransXChange xmlns="http://www.transxchange.org.uk/" SchemaVersion="2.4" CreationDateTime="2026-11-01T00:00:00"
  ModificationDateTime="2026-11-01T00:00:00" Modification="new" RevisionNumber="1" FileName="airport.xml">
<StopPoints>{stops}</StopPoints>
<RouteSections><RouteSection id="RS1"><RouteLink id="RL1"><From><StopPointRef>490000001A</StopPointRef></From>
<To><StopPointRef>490000002B</StopPointRef></To><Direction>outbound</Direction></RouteLink></RouteSection></RouteSections>
<Routes><Route id="R1"><Description>Town to airport</Description><RouteSectionRef>RS1</RouteSectionRef></Route></Routes>
<JourneyPatternSections><JourneyPatternSection id="JPS1"><JourneyPatternTimingLink id="JPTL1">
<From SequenceNumber="1"><StopPointRef>490000001A</StopPointRef><TimingStatus>PTP</TimingStatus></From>
<To SequenceNumber="2"><StopPointRef>490000002B</StopPointRef><TimingStatus>PTP</TimingStatus></To>
<RouteLinkRef>RL1</RouteLinkRef><RunTime>PT30M</RunTime></JourneyPatternTimingLink></JourneyPatternSection></JourneyPatternSections>
<Operators><Operator id="O1"><OperatorCode>ABC</OperatorCode><OperatorShortName>Airport buses</OperatorShortName></Operator></Operators>
<Services><Service><ServiceCode>S1</ServiceCode><Lines><Line id="L1"><LineName>X1</LineName></Line></Lines>
<OperatingPeriod><StartDate>2026-12-01</StartDate><EndDate>2027-12-31</EndDate></OperatingPeriod>{profile("MondayToFriday", HOLIDAYS)}
<RegisteredOperatorRef>O1</RegisteredOperatorRef><Mode>bus</Mode><StandardService><Origin>Town</Origin><Destination>Airport</Destination>
<JourneyPattern id="JP1"><Direction>outbound</Direction><RouteRef>R1</RouteRef><JourneyPatternSectionRefs>JPS1</JourneyPatternSectionRefs>
</JourneyPattern></StandardService></Service></Services>
<VehicleJourneys>{journeys}</VehicleJourneys></TransXChange>"""
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def show(name, feed):
    """Prints the days of the buses of a GTFS feed, and the days of December 2026 that are taken out."""
    with zipfile.ZipFile(feed) as files:
        rows = {file: list(csv.DictReader(io.StringIO(files.read(file).decode()))) for file in files.namelist()}
    buses = []
    for at in BUSES:
        (trip,) = [time["trip_id"] for time in rows["stop_times.txt"] if time["departure_time"] == f"{at}:00"]
        (service,) = [row["service_id"] for row in rows["trips.txt"] if row["trip_id"] == trip]
        (calendar,) = [row for row in rows["calendar.txt"] if row["service_id"] == service]
        week = "".join(day[0].upper() if calendar[day] == "1" else "-" for day in DAYS)
        exceptions = [row for row in rows.get("calendar_dates.txt", []) if row["service_id"] == service]
        out = sorted({row["date"][6:] for row in exceptions if row["date"].startswith("202612") and row["exception_type"] == "2"})
        buses.append(f"{at} {week}" + (f", not on {' '.join(out)}" if out else ""))
    print(f"{name}: {'; '.join(buses)}")


if __name__ == "__main__":
    Path("sent").mkdir()
    Path("sent/airport.xml").write_text(xml)
    Path("stops.csv").write_text("ATCOCode,CommonName,Longitude,Latitude\n490000001A,Town,-0.40,51.50\n490000002B,Airport,-0.45,51.47\n")
    print("sent: " + "; ".join(f"{at} {sent}" for at, (sent, _) in BUSES.items()))
    with warnings.catch_warnings(), redirect_stdout(None):
        warnings.simplefilter("ignore")
        transx2gtfs.convert("sent", "second.zip")
    show("transx2gtfs", "second.zip")
    options = ConversionOptions(region="england", calendar_start="2026-12-01", calendar_end="2027-12-31")
    result = TxcToGtfsConverter(options).convert(TxcDocument.from_string(xml))
    result.feed.to_zip("first.zip")
    show("transit-parser", "first.zip")
    print(f"{len(result.warnings)} warnings")
PY
venv/bin/python convert.py 2>errors | tee seen || { cat errors; exit 1; }
diff seen - <<'SEEN'
sent: 05:10 MTWTF--, not on bank holidays; 07:20 ------S; 09:30 -----S-, not from the 20th to the 27th
transx2gtfs: 05:10 MTWTF--, not on 25 28; 07:20 ------S; 09:30 -----S-, not on 26
transit-parser: 05:10 MTWTF--; 07:20 MTWTF--; 09:30 MTWTF--
0 warnings
SEEN
