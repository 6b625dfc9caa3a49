#!/usr/bin/env python3
"""Checks and scores a CSV of forecasts against a benchmark folder. Needs Python 3.9 and nothing else.

    python3 score.py predictions.csv            prints a table
    python3 score.py predictions.csv --json     prints the figures
    python3 score.py --keys                     prints every row that a forecast is wanted for

score.mjs gives the same figures.
"""
import csv
import datetime
import gzip
import io
import json
import math
import os
import re
import sys

HOUR = 3600
QUANTILES = (("p10", 0.1), ("p50", 0.5), ("p90", 0.9))
NEAR_MINUTES = 5
MAX_FAULTS = 20
COLUMNS = ("airport", "issued_at", "valid_at", "p10", "p50", "p90")
INSTANT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def read_csv(path):
    """The lines of a CSV, plain or .gz, as cells."""
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rb") as file:
        text = file.read().decode("utf-8-sig")
    return [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text))]


def instant_of(text):
    """Epoch seconds of an instant with a zone; None for anything else."""
    match = INSTANT.fullmatch(text)
    if not match:
        return None
    day, minute, second, _, zone = match.groups()
    zone = "+00:00" if zone == "Z" else zone if ":" in zone else zone[:3] + ":" + zone[3:]
    try:
        return int(datetime.datetime.fromisoformat(f"{day}T{minute}{second or ':00'}{zone}").timestamp())
    except ValueError:
        return None


def iso_of(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def hour_of(seconds):
    return seconds // HOUR * HOUR


def read_benchmark(folder):
    """The task, the truth by airport and hour, and the instants of issue by airport."""
    with open(os.path.join(folder, "task.json"), encoding="utf-8") as file:
        task = json.load(file)
    truth, issues = {}, {}
    for airport, hour, wait, *_ in read_csv(os.path.join(folder, task["files"]["truth"]))[1:]:
        truth.setdefault(airport, {})[instant_of(hour)] = float(wait)
    for airport, issued, *_ in read_csv(os.path.join(folder, task["files"]["issues"]))[1:]:
        issues.setdefault(airport, []).append(instant_of(issued))
    return task, truth, issues


def keys_of(task, truth, issues):
    """Every row that a forecast is wanted for, in the order in which it is scored: hours whose wait was observed."""
    for airport in sorted(issues):
        for issued in sorted(issues[airport]):
            for ahead in range(task["horizon_hours"]):
                valid = hour_of(issued) + ahead * HOUR
                if valid in truth.get(airport, {}):
                    yield airport, issued, valid, ahead


def read_forecasts(path):
    """The forecasts of a CSV by key, and what is wrong with it, at most 20 faults."""
    faults, forecasts = [], {}

    def fault(line, text):
        if len(faults) < MAX_FAULTS:
            faults.append(f"line {line}: {text}")

    rows = read_csv(path)
    header = rows[0] if rows else []
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        return {}, [f"line 1: columns missing: {', '.join(missing)}"]
    at = {name: header.index(name) for name in COLUMNS}
    for line, cells in enumerate(rows[1:], start=2):
        if len(cells) != len(header):
            fault(line, f"{len(cells)} cells, but the header has {len(header)}")
            continue
        airport = cells[at["airport"]]
        issued, valid = instant_of(cells[at["issued_at"]]), instant_of(cells[at["valid_at"]])
        values = [float(cells[at[name]]) if NUMBER.fullmatch(cells[at[name]]) else math.nan for name, _ in QUANTILES]
        wrong = [name for (name, _), value in zip(QUANTILES, values) if not math.isfinite(value)]
        if not re.fullmatch(r"[A-Z]{3}", airport):
            fault(line, f'airport: "{airport}" is not a code such as JFK')
        elif issued is None or valid is None:
            name = "issued_at" if issued is None else "valid_at"
            fault(line, f'{name}: "{cells[at[name]]}" is not an instant with a zone, such as 2026-11-21T00:00:00Z')
        elif valid < hour_of(issued):
            fault(line, "valid_at: lies before issued_at")
        elif valid != hour_of(valid):
            fault(line, "valid_at: is not the start of a UTC hour")
        elif wrong:
            fault(line, f'{wrong[0]}: "{cells[at[wrong[0]]]}" is not a number')
        elif values[0] < 0:
            fault(line, "p10: a wait is not negative")
        elif values[0] > values[1] or values[1] > values[2]:
            fault(line, "p10, p50, p90: are not in order")
        elif (airport, issued, valid) in forecasts:
            fault(line, "a second forecast of the same airport, issued_at and valid_at")
        else:
            forecasts[airport, issued, valid] = values
    return forecasts, faults


class Sums:
    def __init__(self):
        self.samples, self.error, self.loss, self.inside, self.near = 0, 0.0, 0.0, 0, 0

    def add(self, observed, values):
        p10, p50, p90 = values
        self.samples += 1
        self.error += abs(observed - p50)
        self.near += abs(observed - p50) <= NEAR_MINUTES
        self.inside += p10 <= observed <= p90
        loss = 0.0
        for value, (_, quantile) in zip(values, QUANTILES):
            error = observed - value
            loss += max(quantile * error, (quantile - 1) * error)
        self.loss += loss / len(QUANTILES)

    def score(self):
        n = self.samples
        return {
            "samples": n,
            "mae_minutes": self.error / n,
            "pinball_minutes": self.loss / n,
            "coverage_80": self.inside / n,
            "within_5": self.near / n,
        }


def pooled(scores):
    """The mean of the scores of airports: each counts alike."""
    result = {"samples": sum(each["samples"] for each in scores)}
    for name in ("mae_minutes", "pinball_minutes", "coverage_80", "within_5"):
        total = 0.0
        for each in scores:
            total += each[name]
        result[name] = total / len(scores)
    return result


def score_file(folder, path, partial=False):
    """Checks and scores a CSV of forecasts."""
    task, truth, issues = read_benchmark(folder)
    forecasts, faults = read_forecasts(path)
    buckets = task["horizon_buckets"]
    airports, scored, missing = {}, 0, 0
    for airport, issued, valid, ahead in keys_of(task, truth, issues):
        values = forecasts.get((airport, issued, valid))
        if values is None:
            missing += 1
            if not partial and len(faults) < MAX_FAULTS:
                faults.append(f"missing: {airport} {iso_of(issued)} {iso_of(valid)}")
            continue
        scored += 1
        everything, parts = airports.setdefault(airport, (Sums(), [Sums() for _ in buckets]))
        everything.add(truth[airport][valid], values)
        for (first, end), sums in zip(buckets, parts):
            if first <= ahead < end:
                sums.add(truth[airport][valid], values)
    horizons = []
    for k, (first, end) in enumerate(buckets):
        known = [parts[k].score() for _, parts in airports.values() if parts[k].samples > 0]
        horizons.append({"from_hours": first, "to_hours": end, **(pooled(known) if known else {"samples": 0})})
    return {
        "forecasts": len(forecasts),
        "scored": scored,
        "missing": missing,
        "not_scored": len(forecasts) - scored,
        "faults": faults,
        "overall": pooled([everything.score() for everything, _ in airports.values()]) if airports else None,
        "horizons": horizons,
        "airports": [{"airport": airport, **everything.score()} for airport, (everything, _) in airports.items()],
    }


def table(result, references):
    baseline = references["same_hour"]["overall"]["pinball_minutes"]
    lines = [("forecasts", "hours", "MAE", "pinball", "skill", "coverage 80 %", "within 5 min")]
    for name, each in [*references.items(), ("yours", result)]:
        overall = each["overall"]
        skill = 100 * (1 - overall["pinball_minutes"] / baseline) if baseline else math.nan
        lines.append((
            name, str(overall["samples"]), f"{overall['mae_minutes']:.3f}", f"{overall['pinball_minutes']:.4f}",
            f"{skill:.1f} %", f"{100 * overall['coverage_80']:.1f} %", f"{100 * overall['within_5']:.1f} %",
        ))
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) if k == 0 else cell.rjust(width) for k, (cell, width) in enumerate(zip(line, widths)))
        for line in lines
    )


def main(words):
    flags = [word for word in words if word.startswith("--")]
    paths = [word for word in words if not word.startswith("--")]
    folder = os.path.dirname(os.path.abspath(__file__))
    if "--keys" in flags:
        print("airport,issued_at,valid_at")
        for airport, issued, valid, _ in keys_of(*read_benchmark(folder)):
            print(f"{airport},{iso_of(issued)},{iso_of(valid)}")
        return 0
    if not paths:
        print("usage: python3 score.py predictions.csv [--json] [--partial], or python3 score.py --keys", file=sys.stderr)
        return 2
    result = score_file(folder, paths[0], partial="--partial" in flags)
    if result["faults"]:
        print(f"{paths[0]} cannot be scored:", file=sys.stderr)
        for text in result["faults"]:
            print(f"  {text}", file=sys.stderr)
        return 1
    if "--json" in flags:
        print(json.dumps(result, indent=2))
    elif result["overall"] is None:
        print("no row is scored")
    else:
        with open(os.path.join(folder, "scores.json"), encoding="utf-8") as file:
            print(table(result, json.load(file)["references"]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
