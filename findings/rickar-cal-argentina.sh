#!/usr/bin/env bash
# github.com/rickar/cal/v2 2.1.13 (Go), against holidays 0.109 (PyPI).
# Argentina's Good Friday is on a Thursday: "Viernes Santo" is three days before Easter, in the tests of the package too. A law (27,399 of 2017)
# moves four holidays to a Monday: 17 June, 17 August, 12 October and 20 November go to the Monday before where they are a Tuesday or
# Wednesday, and to the one after where they are a Thursday or Friday; 20 June stays where it is. The Go calendar moves all five by a rule of
# other countries, from a Saturday to the Friday and from a Sunday to the Monday, and none on a weekday. So the Monday of a long weekend, a day of
# many travellers, is an ordinary one, and a working day is free. Seen, weekdays only, without the days that a decree adds for one year:
#   Good Friday, cal: 2027-03-25 Thu
#   Good Friday, holidays: 2026-04-03 Fri,2027-03-26 Fri
#   2026, free in cal alone: 06-17 Wed,06-19 Fri,11-20 Fri
#   2026, free in holidays alone: 04-03 Fri,06-15 Mon,11-23 Mon
#   2027, free in cal alone: 06-17 Thu,08-17 Tue,10-12 Tue,11-19 Fri
#   2027, free in holidays alone: 03-26 Fri,08-16 Mon,10-11 Mon
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet holidays==0.109
cat >go.mod <<'MOD'
module seen

go 1.24

require github.com/rickar/cal/v2 v2.1.13
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/ar"
)

func main() {
	calendar := cal.NewBusinessCalendar()
	calendar.AddHoliday(ar.Holidays...)
	end := time.Date(2028, 1, 1, 12, 0, 0, 0, time.UTC)
	for day := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC); day.Before(end); day = day.AddDate(0, 0, 1) {
		if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
			continue
		}
		if _, observed, holiday := calendar.IsHoliday(day); observed {
			fmt.Println(day.Format("2006-01-02 Mon") + " " + holiday.Name)
		}
	}
}
GO
cat >official.py <<'PY'
from holidays import country_holidays

for day, name in sorted(country_holidays("AR", years=(2026, 2027), language="es").items()):
    # weekends are free anyway; bridge days and the Pope's visit are by decree for one year, which no rule can know
    if day.weekday() < 5 and not name.startswith(("Feriado con fines turísticos", "Visita")):
        print(f"{day:%Y-%m-%d} {day:%a} {name}")
PY
go build -mod=mod -o seen .
./seen >cal
LC_ALL=C venv/bin/python official.py >official
{
  echo "Good Friday, cal: $(grep 'Viernes Santo' cal | cut -d ' ' -f 1,2 | paste -s -d ,)"
  echo "Good Friday, holidays: $(grep 'Viernes Santo' official | cut -d ' ' -f 1,2 | paste -s -d ,)"
  for year in 2026 2027; do
    echo "$year, free in cal alone: $(comm -23 <(cut -d ' ' -f 1,2 cal) <(cut -d ' ' -f 1,2 official) | grep "^$year" | cut -c 6- | paste -s -d ,)"
    echo "$year, free in holidays alone: $(comm -13 <(cut -d ' ' -f 1,2 cal) <(cut -d ' ' -f 1,2 official) | grep "^$year" | cut -c 6- | paste -s -d ,)"
  done
} | tee seen.txt
diff seen.txt - <<'SEEN'
Good Friday, cal: 2027-03-25 Thu
Good Friday, holidays: 2026-04-03 Fri,2027-03-26 Fri
2026, free in cal alone: 06-17 Wed,06-19 Fri,11-20 Fri
2026, free in holidays alone: 04-03 Fri,06-15 Mon,11-23 Mon
2027, free in cal alone: 06-17 Thu,08-17 Tue,10-12 Tue,11-19 Fri
2027, free in holidays alone: 03-26 Fri,08-16 Mon,10-11 Mon
SEEN
