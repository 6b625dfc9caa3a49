"""A forecaster of its own, made from `holdshort features` alone: for each hour of the week the weighted quantiles of past waits.

  python3 seasonal.py <features.csv> <issued_at> > forecasts.csv
  holdshort import forecasts.csv --forecaster seasonal

The table comes from `holdshort features --out features.parquet`, as CSV:
  holdshort query --unsafe "COPY (FROM 'features.parquet') TO 'features.csv'"
Run it each day, before the hours that it forecasts: only forecasts that were imported in time count in the contest.
"""
import csv, datetime as dt, math, re, sys

HORIZON_HOURS, FADE_DAYS, NEIGHBOUR, OTHER_DAY = 168, 28, 0.3, 0.3


def instant(text):
    return dt.datetime.fromisoformat(re.sub(r"(Z|\+00(:00)?)$", "+00:00", text))


def fit(rows, issued):
    """Past waits of each airport: (hours before the issue, start of the hour, minutes), each hour once."""
    past = {}
    for row in rows:
        if row["terminal"] or row["direction"] or instant(row["truth_available_at"]) > issued:
            continue
        valid = instant(row["valid_at"])
        past.setdefault(row["iata"], {})[valid] = float(row["wait_minutes"])
    return past


def predict(waits, valid, issued):
    """Quantiles of the waits near the hour of the week, newer ones weighing more; None where there is none."""
    weighted = []
    for hour, minutes in waits.items():
        apart = abs((hour.hour - valid.hour + 12) % 24 - 12)
        if apart > 1:
            continue
        weight = math.exp(-(issued - hour).total_seconds() / 86_400 / FADE_DAYS)
        weight *= NEIGHBOUR if apart else 1
        weight *= 1 if hour.weekday() == valid.weekday() else OTHER_DAY
        weighted.append((minutes, weight))
    if not weighted:
        return None
    weighted.sort()
    total, before, quantiles, wanted = sum(weight for _, weight in weighted), 0.0, [], [0.1, 0.5, 0.9]
    for minutes, weight in weighted:
        before += weight
        while wanted and before >= wanted[0] * total - 1e-9:
            quantiles.append(minutes)
            wanted.pop(0)
    return quantiles


if __name__ == "__main__":
    issued = instant(sys.argv[2])
    with open(sys.argv[1], newline="") as table:
        past = fit(csv.DictReader(table), issued)
    start = issued.replace(minute=0, second=0, microsecond=0)
    print("airport,issued_at,valid_at,p10,p50,p90")
    for airport, waits in sorted(past.items()):
        for ahead in range(HORIZON_HOURS):
            valid = start + dt.timedelta(hours=ahead)
            quantiles = predict(waits, valid, issued)
            if quantiles:
                stamps = (when.strftime("%Y-%m-%dT%H:%M:%SZ") for when in (issued, valid))
                print(",".join([airport, *stamps, *(f"{minutes:.2f}" for minutes in quantiles)]))
