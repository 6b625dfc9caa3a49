#!/usr/bin/env bash
# gocal 0.9.1 and go-ical of 2025-03-29 (Go), node-ical 0.26.1 and rrule 2.8.1 (npm) and icalevents 0.3.1 (PyPI), against ical.js 2.2.1 (npm)
# and recurring-ical-events 3.8.2 (PyPI).
# In a calendar, nights without flights are a rule with EXDATE for the nights that drop out and RDATE for those that are added (RFC 5545, 3.8.5.2).
# Four readers of seven leave the added night out, and honour the dropped one; in go-ical the lines that should add dates read EXDATE a second
# time. The end of a rule, where times have a zone, has to be in UTC, and its last night belongs to it (3.3.10): gocal and rrule compare it with
# the local time of the night, so that east of Greenwich the last night is free. "The last Sunday of the month" gocal reads as any Sunday in the
# week from the day of the first one on. Nothing is raised. The nights of a runway in Frankfurt are made up, from 22 to 28 October 2026 without
# the 26th and with the 31st, and the last Sundays of four months. Seen:
#   nights, ical.js: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct, 28 Oct, 31 Oct
#   nights, recurring-ical-events: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct, 28 Oct, 31 Oct
#   nights, node-ical: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct, 28 Oct
#   nights, icalevents: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct, 28 Oct
#   nights, go-ical: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct, 28 Oct
#   nights, gocal: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct
#   nights, rrule: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct, 31 Oct
#   sundays, ical.js: 27 Sep, 25 Oct, 29 Nov, 27 Dec
#   sundays, recurring-ical-events: 27 Sep, 25 Oct, 29 Nov, 27 Dec
#   sundays, node-ical: 27 Sep, 25 Oct, 29 Nov, 27 Dec
#   sundays, icalevents: 27 Sep, 25 Oct, 29 Nov, 27 Dec
#   sundays, go-ical: 27 Sep, 25 Oct, 29 Nov, 27 Dec
#   sundays, gocal: 27 Sep, 1 Nov, 29 Nov, 27 Dec
#   sundays, rrule: 27 Sep, 25 Oct, 29 Nov, 27 Dec
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet icalevents==0.3.1 recurring-ical-events==3.8.2 icalendar==7.3.2
npm install --silent --no-audit --no-fund ical.js@2.2.1 node-ical@0.26.1 rrule@2.8.1
cat >lines <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//seen//EN
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:nights
DTSTAMP:20260901T000000Z
SUMMARY:nights
DTSTART;TZID=Europe/Berlin:20261022T230000
DTEND;TZID=Europe/Berlin:20261022T233000
RRULE:FREQ=DAILY;UNTIL=20261028T220000Z
EXDATE;TZID=Europe/Berlin:20261026T230000
RDATE;TZID=Europe/Berlin:20261031T230000
END:VEVENT
BEGIN:VEVENT
UID:sundays
DTSTAMP:20260901T000000Z
SUMMARY:sundays
DTSTART;TZID=Europe/Berlin:20260927T120000
DTEND;TZID=Europe/Berlin:20260927T130000
RRULE:FREQ=MONTHLY;BYDAY=-1SU;COUNT=4
END:VEVENT
END:VCALENDAR
ICS
sed 's/$/\r/' lines >runway.ics
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import ical from 'node-ical'
import rrule from 'rrule'

const text = readFileSync('runway.ics', 'utf8')
const tell = (reader, name, dates) => dates.forEach((date) => console.log(reader, name, date.toISOString()))
const calendar = new ICAL.Component(ICAL.parse(text))
ICAL.TimezoneService.register(calendar.getFirstSubcomponent('vtimezone'))
for (const component of calendar.getAllSubcomponents('vevent')) {
  const event = new ICAL.Event(component)
  const dates = []
  const nights = event.iterator()
  for (let next = nights.next(); next; next = nights.next()) dates.push(next.toJSDate())
  tell('ical.js', event.uid, dates)
}
const all = { from: new Date('2026-09-01'), to: new Date('2027-01-31') }
for (const event of Object.values(ical.sync.parseICS(text)).filter(({ type }) => type === 'VEVENT')) {
  tell('node-ical', event.uid, ical.expandRecurringEvent(event, all).map(({ start }) => start))
}
for (const event of text.split('BEGIN:VEVENT').slice(1)) {
  const rules = event.split('\r\n').filter((line) => /^(DTSTART|RRULE|EXDATE|RDATE)/.test(line))
  tell('rrule', event.match(/UID:(.+)\r/)[1], rrule.rrulestr(rules.join('\n'), { forceset: true }).all())
}
JS
cat >go.mod <<'MOD'
module seen

go 1.24

require (
	github.com/apognu/gocal v0.9.1
	github.com/emersion/go-ical v0.0.0-20250329121855-f41e73efc392
)
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/apognu/gocal"
	"github.com/emersion/go-ical"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func tell(reader, name string, at time.Time) {
	fmt.Println(reader, name, at.UTC().Format(time.RFC3339))
}

func main() {
	from, to := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)
	parser := gocal.NewParser(must(os.Open("runway.ics")))
	parser.Start, parser.End = &from, &to
	if err := parser.Parse(); err != nil {
		panic(err)
	}
	for _, event := range parser.Events {
		tell("gocal", event.Uid, *event.Start)
	}
	for _, event := range must(ical.NewDecoder(must(os.Open("runway.ics"))).Decode()).Events() {
		for _, at := range must(event.RecurrenceSet(nil)).All() {
			tell("go-ical", must(event.Props.Text("UID")), at)
		}
	}
}
GO
cat >read.py <<'PY'
import subprocess
from datetime import datetime, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events
from icalevents.icalparser import parse_events

READERS = ["ical.js", "recurring-ical-events", "node-ical", "icalevents", "go-ical", "gocal", "rrule"]
text = Path("runway.ics").read_text()
start, end = datetime(2026, 9, 1, tzinfo=timezone.utc), datetime(2027, 1, 31, tzinfo=timezone.utc)
events = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(start, end)
told = [("recurring-ical-events", event["UID"], event["DTSTART"].dt) for event in events]
told += [("icalevents", event.summary, event.start) for event in parse_events(text, start=start, end=end)]
for command in (["node", "read.mjs"], ["./read"]):
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    told += [(reader, name, datetime.fromisoformat(at)) for reader, name, at in map(str.split, lines)]
for name in ("nights", "sundays"):
    for reader in READERS:
        days = sorted(at.astimezone(ZoneInfo("Europe/Berlin")) for who, what, at in told if (who, what) == (reader, name))
        print(f"{name}, {reader}: {', '.join(f'{day.day} {day:%b}' for day in days)}")
PY
go build -mod=mod -o read .
TZ=UTC venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
nights, ical.js: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct, 28 Oct, 31 Oct
nights, recurring-ical-events: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct, 28 Oct, 31 Oct
nights, node-ical: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct, 28 Oct
nights, icalevents: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct, 28 Oct
nights, go-ical: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct, 28 Oct
nights, gocal: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct
nights, rrule: 22 Oct, 23 Oct, 24 Oct, 25 Oct, 27 Oct, 31 Oct
sundays, ical.js: 27 Sep, 25 Oct, 29 Nov, 27 Dec
sundays, recurring-ical-events: 27 Sep, 25 Oct, 29 Nov, 27 Dec
sundays, node-ical: 27 Sep, 25 Oct, 29 Nov, 27 Dec
sundays, icalevents: 27 Sep, 25 Oct, 29 Nov, 27 Dec
sundays, go-ical: 27 Sep, 25 Oct, 29 Nov, 27 Dec
sundays, gocal: 27 Sep, 1 Nov, 29 Nov, 27 Dec
sundays, rrule: 27 Sep, 25 Oct, 29 Nov, 27 Dec
SEEN
