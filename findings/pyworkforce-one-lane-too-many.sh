#!/usr/bin/env bash
# pyworkforce 0.5.1 (PyPI).
# required_positions gives "the positions needed" so that a share of people waits no longer than a limit, by Erlang's formula. The search
# begins at the load plus one, rounded, and never looks below: for a load of 2.6 it begins at 4 positions, though 3 carry it. In a call
# centre calls take minutes and the limit is seconds; more are needed in any case, and the answer is right. At a checkpoint or a desk the
# service takes a minute and the limit is ten: the fewest that carry the load are mostly enough, and for a load in the upper half between two
# integers the answer is a lane too many, at small loads a third more staff or twice as much. `service_level` of the same class says that
# one less is enough. Seen, for 95 % within the limit:
#   156 an hour, 1 minute each, limit 10 minutes: 4 positions, 3 give 98.6 %
#   100 an hour, 30 seconds each, limit 10 minutes: 2 positions, 1 give 97.0 %
#   340 an hour, 30 seconds each, limit 10 minutes: 4 positions, 3 give 96.8 %
#   of loads of 10 to 1200 an hour: 30 of 120 (1 minute, limit 10), 45 of 120 (30 seconds, limit 10), 0 of 120 (4 minutes, limit 20 seconds)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet pyworkforce==0.5.1
cat >lanes.py <<'PY'
from pyworkforce.queuing import ErlangC

SHARE = 0.95


def queue(per_hour, service, limit):
    return ErlangC(transactions=per_hour, aht=service, asa=limit, interval=60)


def fewest(erlang):
    positions = int(erlang.intensity) + 1
    while erlang.service_level(positions) < SHARE:
        positions += 1
    return positions


def answer(erlang):
    return erlang.required_positions(SHARE)["raw_positions"]


for per_hour, service, words in ((156, 1, "1 minute"), (100, 0.5, "30 seconds"), (340, 0.5, "30 seconds")):
    erlang = queue(per_hour, service, 10)
    enough = fewest(erlang)
    share = erlang.service_level(enough)
    print(f"{per_hour} an hour, {words} each, limit 10 minutes: {answer(erlang)} positions, {enough} give {share:.1%}".replace("%", " %"))
counts = []
for service, limit, words in ((1, 10, "1 minute, limit 10"), (0.5, 10, "30 seconds, limit 10"), (4, 1 / 3, "4 minutes, limit 20 seconds")):
    loads = [queue(per_hour, service, limit) for per_hour in range(10, 1201, 10)]
    counts.append(f"{sum(answer(erlang) > fewest(erlang) for erlang in loads)} of {len(loads)} ({words})")
print(f"of loads of 10 to 1200 an hour: {', '.join(counts)}")
PY
venv/bin/python -W ignore lanes.py | tee seen
diff seen - <<'SEEN'
156 an hour, 1 minute each, limit 10 minutes: 4 positions, 3 give 98.6 %
100 an hour, 30 seconds each, limit 10 minutes: 2 positions, 1 give 97.0 %
340 an hour, 30 seconds each, limit 10 minutes: 4 positions, 3 give 96.8 %
of loads of 10 to 1200 an hour: 30 of 120 (1 minute, limit 10), 45 of 120 (30 seconds, limit 10), 0 of 120 (4 minutes, limit 20 seconds)
SEEN
