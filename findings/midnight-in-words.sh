#!/usr/bin/env bash
# chrono-node 2.10.3 (npm), github.com/olebedev/when 1.1.0 (Go), dateparser 1.5.0 and parsedatetime 2.6 (PyPI).
# Who asks for the wait at "midnight tonight" means the end of this evening, and 12:30 am is half past midnight. Four parsers of dates in words
# have four answers to the first, and none is right: noon, an hour before midnight, the midnight that has passed (also where dates of the future
# are asked for), and nine in the evening. In `when` every time from 12:00 to 12:59 am is past noon, whatever the day. Four digits, as boards
# have them, lose their zeros: 0005 is five in the morning, or the time at which somebody asks. Nothing is refused, and "tomorrow at 6:30 am" is
# right in all four, as is "tomorrow at 5:30 pm". All are asked on 1 December 2026 at 20:00, for dates of the future where one can say so. Seen:
#   midnight tonight: chrono-node 01 12:00, when 01 23:00, dateparser 01 00:00, parsedatetime 01 21:00
#   tonight at midnight: chrono-node 01 12:00, when 01 23:00, dateparser 01 00:00, parsedatetime 01 00:00
#   tomorrow at 12:30 am: chrono-node 02 00:30, when 02 12:30, dateparser 02 00:30, parsedatetime 02 00:30
#   tomorrow at 0005: chrono-node 02 05:00, when 02 20:00, dateparser 02 20:00, parsedatetime 02 00:05
#   tomorrow at 6:30 am: chrono-node 02 06:30, when 02 06:30, dateparser 02 06:30, parsedatetime 02 06:30
#   tomorrow at 5:30 pm: chrono-node 02 17:30, when 02 17:30, dateparser 02 17:30, parsedatetime 02 17:30
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TZ=UTC
python3 -m venv venv
venv/bin/pip install --quiet dateparser==1.5.0 parsedatetime==2.6
npm init -y >/dev/null
npm install --silent --no-audit --no-fund chrono-node@2.10.3
cat >phrases <<'TXT'
midnight tonight
tonight at midnight
tomorrow at 12:30 am
tomorrow at 0005
tomorrow at 6:30 am
tomorrow at 5:30 pm
TXT
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import * as chrono from 'chrono-node'
for (const phrase of readFileSync('phrases', 'utf8').trim().split('\n')) {
  const date = chrono.parseDate(phrase, { instant: new Date('2026-12-01T20:00:00Z'), timezone: 0 }, { forwardDate: true })
  console.log(`${phrase}: chrono-node ${date.toISOString().slice(8, 16).replace('T', ' ')}`)
}
JS
cat >go.mod <<'MOD'
module seen

go 1.24

require github.com/olebedev/when v1.1.0
MOD
cat >read.go <<'GO'
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"github.com/olebedev/when"
	"github.com/olebedev/when/rules/common"
	"github.com/olebedev/when/rules/en"
)

func main() {
	parser := when.New(nil)
	parser.Add(en.All...)
	parser.Add(common.All...)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		found, err := parser.Parse(lines.Text(), time.Date(2026, 12, 1, 20, 0, 0, 0, time.UTC))
		if err != nil {
			panic(err)
		}
		fmt.Println("when", found.Time.Format("02 15:04"))
	}
}
GO
cat >read.py <<'PY'
import sys
from datetime import datetime

import dateparser
import parsedatetime

asked = datetime(2026, 12, 1, 20)
for phrase in sys.stdin.read().splitlines():
    first = dateparser.parse(phrase, languages=["en"], settings={"RELATIVE_BASE": asked, "PREFER_DATES_FROM": "future"})
    second, _ = parsedatetime.Calendar().parseDT(phrase, asked)
    print(f"dateparser {first:%d %H:%M}, parsedatetime {second:%d %H:%M}")
PY
go mod tidy >/dev/null 2>&1
go build -o reader read.go
node read.mjs >chrono
./reader <phrases >when
venv/bin/python -W ignore read.py <phrases >python
paste -d '|' chrono when python | sed 's/|/, /g' | tee seen
diff seen - <<'SEEN'
midnight tonight: chrono-node 01 12:00, when 01 23:00, dateparser 01 00:00, parsedatetime 01 21:00
tonight at midnight: chrono-node 01 12:00, when 01 23:00, dateparser 01 00:00, parsedatetime 01 00:00
tomorrow at 12:30 am: chrono-node 02 00:30, when 02 12:30, dateparser 02 00:30, parsedatetime 02 00:30
tomorrow at 0005: chrono-node 02 05:00, when 02 20:00, dateparser 02 20:00, parsedatetime 02 00:05
tomorrow at 6:30 am: chrono-node 02 06:30, when 02 06:30, dateparser 02 06:30, parsedatetime 02 06:30
tomorrow at 5:30 pm: chrono-node 02 17:30, when 02 17:30, dateparser 02 17:30, parsedatetime 02 17:30
SEEN
