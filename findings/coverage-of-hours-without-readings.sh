#!/usr/bin/env bash
# utilsforecast 0.2.17, MAPIE 1.6.0 and skforecast 0.26.0 (PyPI).
# Waits of airports have hours without a reading: at night, while a checkpoint is closed, when a feed fails. How often an interval holds what
# was then observed is asked of the hours that have one. All three packages take a missing observation for one outside of the interval, since
# a comparison with NaN is false: an interval of 90 % that is exactly right holds 68 %, and who widens it until the figure is right has one
# that says nothing. MAPIE looks for missing values, and refuses where there is no other. utilsforecast leaves missing hours out of other losses;
# its coverage and calibration do so from polars, whose missing value is no NaN, and not from pandas; and its Winkler score, of which less is
# better, falls with each missing hour, so that of two models the one with more gaps wins. Nothing is raised.
# 20 days of hourly waits are made up, with intervals of which 90 % hold the wait; from 23:00 to 5:00 there is no reading. Seen:
#   all hours: MAPIE 0.90, skforecast 0.90
#     utilsforecast, pandas: coverage 0.90, below the upper end 0.90, Winkler 50.0, MAE 6.5
#     utilsforecast, polars: coverage 0.90, below the upper end 0.90, Winkler 50.0, MAE 6.5
#   with nights: MAPIE 0.68, skforecast 0.68
#     utilsforecast, pandas: coverage 0.68, below the upper end 0.68, Winkler 42.5, MAE 6.6
#     utilsforecast, polars: coverage 0.90, below the upper end 0.90, Winkler 42.5, MAE 6.6
#   without their rows: MAPIE 0.90, skforecast 0.90
#     utilsforecast, pandas: coverage 0.90, below the upper end 0.90, Winkler 50.0, MAE 6.6
#     utilsforecast, polars: coverage 0.90, below the upper end 0.90, Winkler 50.0, MAE 6.6
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet utilsforecast==0.2.17 mapie==1.6.0 skforecast==0.26.0 scikit-learn==1.9.1 numpy==2.4.6 pandas==2.3.3 polars==2.1.0
cat >score.py <<'PY'
import warnings

import pandas as pd
import polars as pl
from mapie.metrics.regression import regression_coverage_score
from utilsforecast import losses

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from skforecast.metrics import calculate_coverage

times = pd.date_range("2026-03-01", periods=480, freq="h")
hours = pd.DataFrame({"unique_id": "checkpoint", "ds": times, "m": 15.0, "m-lo-90": 5.0, "m-hi-90": 25.0})
hours["y"] = [40.0 if n % 10 == 3 else 6.0 + n % 18 for n in range(len(hours))]
waits = {"all hours": hours.copy(), "with nights": hours.copy()}
waits["with nights"].loc[hours.ds.dt.hour.isin([23, 0, 1, 2, 3, 4]), "y"] = None
waits["without their rows"] = waits["with nights"].dropna()


def of_utilsforecast(frame):
    calibration, winkler = losses.calibration(frame, {"m": "m-hi-90"}), losses.winkler_score(frame, ["m"], 90)
    scores = losses.coverage(frame, ["m"], 90), calibration, winkler, losses.mae(frame, ["m"])
    return "coverage {:.2f}, below the upper end {:.2f}, Winkler {:.1f}, MAE {:.1f}".format(*(score["m"][0] for score in scores))


for words, frame in waits.items():
    ends = frame[["m-lo-90", "m-hi-90"]].to_numpy()
    print(f"{words}: MAPIE {regression_coverage_score(frame.y, ends)[0]:.2f}, skforecast {calculate_coverage(frame.y, *ends.T):.2f}")
    print(f"  utilsforecast, pandas: {of_utilsforecast(frame)}")
    print(f"  utilsforecast, polars: {of_utilsforecast(pl.from_pandas(frame))}")
PY
venv/bin/python score.py | tee seen
diff seen - <<'SEEN'
all hours: MAPIE 0.90, skforecast 0.90
  utilsforecast, pandas: coverage 0.90, below the upper end 0.90, Winkler 50.0, MAE 6.5
  utilsforecast, polars: coverage 0.90, below the upper end 0.90, Winkler 50.0, MAE 6.5
with nights: MAPIE 0.68, skforecast 0.68
  utilsforecast, pandas: coverage 0.68, below the upper end 0.68, Winkler 42.5, MAE 6.6
  utilsforecast, polars: coverage 0.90, below the upper end 0.90, Winkler 42.5, MAE 6.6
without their rows: MAPIE 0.90, skforecast 0.90
  utilsforecast, pandas: coverage 0.90, below the upper end 0.90, Winkler 50.0, MAE 6.6
  utilsforecast, polars: coverage 0.90, below the upper end 0.90, Winkler 50.0, MAE 6.6
SEEN
