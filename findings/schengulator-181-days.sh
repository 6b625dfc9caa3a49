#!/usr/bin/env bash
# schengulator 1.0.0 (PyPI).
# A visitor may stay in the Schengen area for 90 days in any period of 180, looked at backwards from each day of the stay, and the days of
# entry and of exit are days of it (Regulation (EU) 2016/399, article 6); after 90 days outside, 90 more are free (the Commission's manual of
# its calculator). The Entry/Exit System counts so at the border. The package's period begins 180 days before its last day and has 181: who
# has been away for the 90 days gets "Trip does not work". And it adds the days of each stay, so that a day with an exit and an entry, a
# change of planes outside the area, counts twice. Who believes it pays for another flight. Seen, the package and the days of the period:
#   1 January to 31 March, back on 30 June: "Trip does not work as it is over 90 days!", 91 days from 2026-01-01, right is 90
#   1 to 10 May, out and back in that day, until 20 May: 21 days from 2025-11-21, right is 20
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet schengulator==1.0.0
cat >stays.py <<'PY'
import contextlib
import io
from datetime import date, timedelta

from schengulator.check_stay import check_stay
from schengulator.schengenstay import SchengenStay


def package(stays):
    counted = SchengenStay(stays[-1][1])
    for stay in stays:
        counted.add_stay(*stay)
    return f"{counted.get_days()} days from {counted.get_start_date()}"


def right(stays):
    last = date.fromisoformat(stays[-1][1])
    period = [last - timedelta(days) for days in range(180)]
    return sum(any(entry <= day.isoformat() <= leave for entry, leave in stays) for day in period)


back = [["2026-01-01", "2026-03-31"], ["2026-06-30", "2026-06-30"]]
change = [["2026-05-01", "2026-05-10"], ["2026-05-10", "2026-05-20"]]
with contextlib.redirect_stdout(io.StringIO()) as printed:
    check_stay(back[1], back[:1])
answer = printed.getvalue().strip().splitlines()[-1]
print(f'1 January to 31 March, back on 30 June: "{answer}", {package(back)}, right is {right(back)}')
print(f"1 to 10 May, out and back in that day, until 20 May: {package(change)}, right is {right(change)}")
PY
venv/bin/python stays.py | tee seen
diff seen - <<'SEEN'
1 January to 31 March, back on 30 June: "Trip does not work as it is over 90 days!", 91 days from 2026-01-01, right is 90
1 to 10 May, out and back in that day, until 20 May: 21 days from 2025-11-21, right is 20
SEEN
