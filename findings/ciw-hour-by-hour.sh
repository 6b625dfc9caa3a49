#!/usr/bin/env bash
# Ciw 3.2.7 (PyPI), a simulator of queues, against the formula of Erlang C.
# Two desks are open all day, a passenger comes every six minutes and needs ten (both on average, exponential): the mean wait is 22.7 minutes.
# Rosters of airports are written by the hour or by the quarter of an hour; Ciw takes one as a Schedule of numbers and of ends of shifts. At each
# end it sends all desks home and opens as many new ones, also where the number stays the same: who is being served keeps the old desk to the
# end of the service, and the new ones take the next in line at once. Two desks by the hour are up to five, and the wait is a third of the
# right one; by the quarter of an hour it is a minute. The guide says that old servers may still be there when new ones come; that two equal
# shifts are no longer one, and that the wait depends on how finely a roster is written, nobody would guess. Nothing is refused.
# Seen, the most desks at work at once, then the mean wait of 500 days:
#   by the formula      2, 22.7 min
#   two desks           2, 24.0 min
#   two, by the day     4, 23.6 min
#   two, by the hour    5, 8.3 min
#   two, by the quarter 8, 1.3 min
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet ciw==3.2.7
cat >desks.py <<'PY'
import math

import ciw

EVERY, NEEDS, DESKS, DAYS = 6, 10, 2, 500


def formula():
    load = NEEDS / EVERY
    waits = load**DESKS / math.factorial(DESKS) * DESKS / (DESKS - load)
    probability = waits / (sum(load**n / math.factorial(n) for n in range(DESKS)) + waits)
    return probability / (DESKS / NEEDS - 1 / EVERY)


def roster(minutes):
    shifts = 1440 // minutes
    return ciw.Schedule(numbers_of_servers=[DESKS] * shifts, shift_end_dates=[minutes * (n + 1) for n in range(shifts)])


def simulate(desks):
    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(1 / EVERY)],
        service_distributions=[ciw.dists.Exponential(1 / NEEDS)],
        number_of_servers=[desks],
    )
    ciw.seed(20)
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_time(DAYS * 1440)
    records = [record for record in simulation.get_all_records() if record.record_type == "service"]
    changes = sorted([(r.service_start_date, 1) for r in records] + [(r.service_end_date, -1) for r in records])
    at_work = most = 0
    for _, change in changes:
        at_work += change
        most = max(most, at_work)
    return most, sum(record.waiting_time for record in records) / len(records)


print(f"{'by the formula':<19} {DESKS}, {formula():.1f} min")
for words, desks in [
    ("two desks", DESKS),
    ("two, by the day", roster(1440)),
    ("two, by the hour", roster(60)),
    ("two, by the quarter", roster(15)),
]:
    most, wait = simulate(desks)
    print(f"{words:<19} {most}, {wait:.1f} min")
PY
venv/bin/python desks.py | tee seen
diff seen - <<'SEEN'
by the formula      2, 22.7 min
two desks           2, 24.0 min
two, by the day     4, 23.6 min
two, by the hour    5, 8.3 min
two, by the quarter 8, 1.3 min
SEEN
