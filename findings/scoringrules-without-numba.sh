#!/usr/bin/env bash
# scoringrules 0.10.0 (PyPI), with and without numba 0.68.1. 0.11.0, for Python 3.12 and later, has the same formula.
# The weighted interval score of a forecast is the mean of its interval scores and of the distance between its median and what was observed
# (Bracher et al. 2021, PLOS Computational Biology 17(2), whose formula the package's manual gives). numba is an extra of the package, and
# changes the answer: without it the median itself is added in the place of its distance to the observation. A right forecast of a long wait
# has a worse score than a false one of a short wait, so a comparison of models picks the one that says too little. Nothing is raised. The
# forecasts have intervals of 50 and 90 % from 10 to 50 and from 5 to 60 minutes; the wait was 40 minutes. Seen:
#   median 40: without numba 13.1, with numba 5.1, by hand 5.1
#   median 12: without numba 7.5, with numba 10.7, by hand 10.7
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet scoringrules==0.10.0 numpy==2.4.6 scipy==1.17.1
cat >score.py <<'PY'
import sys

import numpy as np
import scoringrules

ALPHA, LOWER, UPPER, SEEN, MEDIANS = np.array([0.5, 0.1]), np.array([10.0, 5.0]), np.array([50.0, 60.0]), 40.0, (40.0, 12.0)


def by_hand(median):
    below, above = np.maximum(LOWER - SEEN, 0), np.maximum(SEEN - UPPER, 0)
    intervals = UPPER - LOWER + 2 / ALPHA * (below + above)
    return (abs(SEEN - median) / 2 + sum(ALPHA / 2 * intervals)) / (len(ALPHA) + 0.5)


def package(median):
    return scoringrules.weighted_interval_score(np.array([SEEN]), np.array([median]), LOWER[None], UPPER[None], ALPHA).item()


print(*(f"{(by_hand if sys.argv[1] == 'hand' else package)(median):.1f}" for median in MEDIANS))
PY
read -r long_without short_without < <(venv/bin/python score.py package)
venv/bin/pip install --quiet numba==0.68.1
read -r long_with short_with < <(venv/bin/python score.py package)
read -r long_hand short_hand < <(venv/bin/python score.py hand)
{
  echo "median 40: without numba $long_without, with numba $long_with, by hand $long_hand"
  echo "median 12: without numba $short_without, with numba $short_with, by hand $short_hand"
} | tee seen
diff seen - <<'SEEN'
median 40: without numba 13.1, with numba 5.1, by hand 5.1
median 12: without numba 7.5, with numba 10.7, by hand 10.7
SEEN
