#!/usr/bin/env bash
# pyqueueing 0.1.1 (PyPI), for a line that people leave, as at a rebooking desk or the call centre of an airport (Erlang A, M/M/c+M).
# `mean_wait_answered` is to be the mean wait of those who are served. The package divides the mean wait of all by the share that is served,
# as if those who left had not waited at all: two desks that keep their people waiting for nine minutes keep them for fifteen, and where
# anybody leaves the wait is always too long. `required_agents` with a target for that wait then asks for a desk too many. The right
# numbers are the model's own, summed over the people ahead (with k ahead, each step to the desk or out of the line takes 1/(c mu + j theta)
# in the mean, for j from 1 to k + 1); a simulation of 400,000 people agrees to 0.1 minutes. The shares served are right. 40 people in an
# hour, 6 minutes for each, patience for 15. Seen:
#   2 desks: package 15.4 minutes, right is 9.3, simulated 9.3
#   3 desks: package 6.4 minutes, right is 4.6, simulated 4.6
#   4 desks: package 2.7 minutes, right is 2.2, simulated 2.2
#   at most 5 minutes: package 4 desks, right is 3
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet pyqueueing==0.1.1
cat >desks.py <<'PY'
import heapq
import random

from pyqueueing.models.erlang_a import ErlangA
from pyqueueing.planner import CallCenterPlanner

ARRIVALS, SERVICE, LEAVING = 40.0, 10.0, 4.0  # an hour; the last two for each desk and for each person in line


def right(desks):
    """Mean wait of those who are served, in hours."""
    weights = [1.0]  # of 0, 1, 2, ... people there
    while weights[-1] > 1e-14 * max(weights):
        there = len(weights)
        weights.append(weights[-1] * ARRIVALS / (min(there, desks) * SERVICE + max(0, there - desks) * LEAVING))
    served = waited = 0.0
    for there, weight in enumerate(weights):
        share, wait = 1.0, 0.0
        for step in range(max(0, there - desks + 1)):
            pace = desks * SERVICE + (step + 1) * LEAVING
            share *= (pace - LEAVING) / pace
            wait += 1 / pace
        served += weight * share
        waited += weight * share * wait
    return waited / served


def simulated(desks, people=400_000):
    chance = random.Random(3)
    clock, free, waits = 0.0, [0.0] * desks, []
    for _ in range(people):
        clock += chance.expovariate(ARRIVALS)
        wait = max(0.0, free[0] - clock)
        if wait <= chance.expovariate(LEAVING):
            heapq.heapreplace(free, clock + wait + chance.expovariate(SERVICE))
            waits.append(wait)
    return sum(waits) / len(waits)


for desks in (2, 3, 4):
    model = ErlangA(arrival_rate=ARRIVALS, service_rate=SERVICE, servers=desks, patience_rate=LEAVING)
    package, other, seen = (60 * wait for wait in (model.mean_wait_answered(), right(desks), simulated(desks)))
    print(f"{desks} desks: package {package:.1f} minutes, right is {other:.1f}, simulated {seen:.1f}")
planner = CallCenterPlanner(ARRIVALS, SERVICE, LEAVING)
fewest = next(desks for desks in range(1, 20) if right(desks) <= 5 / 60)
print(f"at most 5 minutes: package {planner.required_agents(target_asa=5 / 60)['erlang_a']} desks, right is {fewest}")
PY
venv/bin/python desks.py | tee seen
diff seen - <<'SEEN'
2 desks: package 15.4 minutes, right is 9.3, simulated 9.3
3 desks: package 6.4 minutes, right is 4.6, simulated 4.6
4 desks: package 2.7 minutes, right is 2.2, simulated 2.2
at most 5 minutes: package 4 desks, right is 3
SEEN
