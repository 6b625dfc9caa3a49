"""Forecasts of other programs on the keys of a backtest, as a CSV that `npm run learn -- measure --beside` scores with ours.

    python3 -m venv /tmp/opponents && /tmp/opponents/bin/pip install lightgbm==4.6.0 fracast==0.1.0 pyarrow==26.0.1
    npx holdshort import --kind security ../shared/history/security-us-2026/security_us_2026.csv.gz --data-dir /tmp/opponents/data
    npx holdshort features --data-dir /tmp/opponents/data --out /tmp/opponents/features.parquet
    /tmp/opponents/bin/python tools/measure/opponents.py lightgbm /tmp/opponents/features.parquet 2026-07-01 > /tmp/opponents/lightgbm.csv
    npm run learn -- measure ../shared/history/security-us-2026 --from 2026-07-01T00:00:00Z --to 2026-07-19T18:00:00Z --beside /tmp/opponents/lightgbm.csv

lightgbm: three models of the inputs of the net (quantiles 0.1, 0.5, 0.9) that correct the rule, fitted anew every seven days on what was known.
fracast:  the packaged weights, without any fit, on the hourly waits known at each issue; hours that were not observed are gaps.
Forecasts issued from the date (UTC) on are written, every six hours or as many as the last argument says. Both know what our forecasts know, and no row that became available later.
"""

import csv
import sys
from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

REFIT_DAYS = 7
HOUR = np.timedelta64(1, "h")
QUANTILES = (0.1, 0.5, 0.9)
SEED = 1
SETTINGS = {
    "objective": "quantile",
    "learning_rate": 0.08,
    "num_leaves": 31,
    "min_data_in_leaf": 200,
    "bagging_fraction": 0.5,
    "bagging_freq": 1,
    "feature_fraction": 0.5,
    "num_threads": 1,
    "seed": SEED,
    "verbose": -1,
}


def read(path):
    """The airports' rows of a training table, as columns."""
    table = pq.read_table(path)
    table = table.filter(pc.and_(pc.equal(table["terminal"], ""), pc.equal(table["direction"], "")))
    columns = {name: table[name].to_numpy() for name in ("iata", "wait_minutes", "rule_p50", "scale")}
    for name in ("issued_at", "valid_at", "truth_available_at"):
        columns[name] = table[name].cast(pa.timestamp("s", "UTC")).cast(pa.int64()).to_numpy().astype("datetime64[s]")
    inputs = [name for name in table.column_names if name.startswith("x_")]
    columns["x"] = np.column_stack([table[name].to_numpy().astype(np.float32) for name in inputs])
    return columns


def is_issue(rows, first, every):
    """Which rows are of an issue that is wanted."""
    return (rows["issued_at"] >= first) & ((rows["issued_at"] - first) % every == np.timedelta64(0, "s"))


def lightgbm(rows, first, every):
    """Predictions of the rows issued from an instant on: rows × quantiles, minutes."""
    from lightgbm import Dataset, train

    predicted = np.full((len(rows["iata"]), len(QUANTILES)), np.nan)
    target = (rows["wait_minutes"] - rows["rule_p50"]) / rows["scale"]
    start = first
    while start <= rows["issued_at"].max():
        end = start + np.timedelta64(REFIT_DAYS, "D")
        learned = rows["truth_available_at"] <= start
        wanted = (rows["issued_at"] >= start) & (rows["issued_at"] < end) & is_issue(rows, first, every)
        for place, quantile in enumerate(QUANTILES):
            trees = train(
                {**SETTINGS, "alpha": quantile}, Dataset(rows["x"][learned], target[learned]), num_boost_round=150
            )
            corrected = rows["rule_p50"][wanted] + rows["scale"][wanted] * trees.predict(rows["x"][wanted])
            predicted[wanted, place] = corrected
        print(f"{start}: fitted on {learned.sum()} rows", file=sys.stderr)
        start = end
    return predicted


def fracast(rows, first, every):
    """The same by the packaged weights."""
    import torch
    from fracast import FracastModel

    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    model = FracastModel.from_pretrained(weights="fp32")
    columns = [model.quantiles.index(quantile) for quantile in QUANTILES]
    airports = sorted(set(rows["iata"]))
    known = {}
    for airport in airports:
        own = rows["iata"] == airport
        hours, at = np.unique(rows["valid_at"][own], return_index=True)
        known[airport] = (hours, rows["wait_minutes"][own][at], rows["truth_available_at"][own][at])
    begin = rows["valid_at"].min()
    predicted = np.full((len(rows["iata"]), len(QUANTILES)), np.nan)
    for issue in np.unique(rows["issued_at"][is_issue(rows, first, every)]):
        length = int((issue - begin) / HOUR)
        contexts, used = [], []
        for airport in airports:
            hours, waits, available = known[airport]
            usable = (available <= issue) & (hours < issue)
            if usable[hours >= issue - model.context_length * HOUR].sum() < 24:
                continue
            context = np.full(length, np.nan, dtype=np.float32)
            context[((hours[usable] - begin) / HOUR).astype(int)] = waits[usable]
            contexts.append(context)
            used.append(airport)
        forecast = model.forecast_batch(np.stack(contexts), horizon=168)
        of_issue = np.flatnonzero(rows["issued_at"] == issue)
        for airport, of_airport in zip(used, forecast):
            wanted = of_issue[rows["iata"][of_issue] == airport]
            ahead = ((rows["valid_at"][wanted] - issue) / HOUR).astype(int)
            predicted[wanted] = of_airport[ahead][:, columns]
        print(f"{issue}: {len(used)} airports", file=sys.stderr)
    return predicted


FORECASTERS = {"lightgbm": lightgbm, "fracast": fracast}

if __name__ == "__main__":
    if len(sys.argv) not in (4, 5) or sys.argv[1] not in FORECASTERS:
        sys.exit(f"usage: opponents.py {'|'.join(FORECASTERS)} <features.parquet> <first day of issue> [hours between issues]")
    name, path, day, every = [*sys.argv[1:], "6"][:4]
    started = datetime.now(UTC)
    rows = read(path)
    predicted = np.sort(np.maximum(0, FORECASTERS[name](rows, np.datetime64(day, "s"), int(every) * HOUR)), axis=1)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["airport", "issued_at", "valid_at", "p10", "p50", "p90"])
    for row in np.flatnonzero(~np.isnan(predicted[:, 1])):
        instants = (f"{rows[column][row]}Z" for column in ("issued_at", "valid_at"))
        out.writerow([rows["iata"][row], *instants, *(f"{minutes:.3f}" for minutes in predicted[row])])
    print(f"{name}: {(datetime.now(UTC) - started) / timedelta(seconds=1):.0f} s", file=sys.stderr)
