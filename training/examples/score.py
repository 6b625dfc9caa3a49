"""Runs a model folder with nothing but Python, and scores it on a training table.

  python3 score.py <model folder>                  the forecasts of its examples.json, as JSON lines
  python3 score.py <model folder> <features.csv>   mean absolute errors of the net, the rule and the same hour

The table comes from `holdshort features --out features.parquet`, as CSV:
  holdshort query --unsafe "COPY (FROM 'features.parquet') TO 'features.csv'"
"""
import csv, json, math, struct, sys
from pathlib import Path

folder = Path(sys.argv[1])
features, card = (json.loads((folder / name).read_text()) for name in ("features.json", "card.json"))
raw, at, arrays = (folder / "weights.bin").read_bytes(), 0, []
for entry in json.loads((folder / "model.json").read_text())["weightsManifest"][0]["weights"]:
    count = math.prod(entry["shape"])
    arrays.append((entry["shape"], struct.unpack_from(f"<{count}f", raw, at)))
    at += 4 * count
# A kernel and a bias for each layer; a layer that takes all inputs begins a net.
nets = []
for (shape, kernel), (_, bias) in zip(arrays[::2], arrays[1::2]):
    if shape[0] == len(features["inputs"]):
        nets.append([])
    nets[-1].append((shape[1], kernel, bias))


def run(net, x):
    for k, (units, kernel, bias) in enumerate(net):
        x = [bias[j] + sum(value * kernel[i * units + j] for i, value in enumerate(x)) for j in range(units)]
        if k < len(net) - 1:
            x = [max(0.0, value) for value in x]
    return x


def model(row):
    """Quantiles of the model before calibration, in minutes; the steps stand in features.json."""
    x = [(row["inputs"][i["name"]] - i["mean"]) / i["std"] if i["used"] else 0.0 for i in features["inputs"]]
    net = [sum(outputs) / len(nets) for outputs in zip(*(run(net, x) for net in nets))]
    below, above = row["p50"] - row["p10"], row["p90"] - row["p50"]
    widths = (-max(0.15, below / row["scale"]), 0.0, max(0.15, above / row["scale"]))
    ofNet = [max(0.0, row["p50"] + row["scale"] * v) for v in sorted(n + w for n, w in zip(net, widths))]
    rule = (max(0.0, row["p10"]), row["p50"], row["p90"])
    # In the median the nets have half of their share.
    shares = [part * card["net_share"] for part in (1, 0.5, 1)]
    mixed = [s * n + (1 - s) * r for s, n, r in zip(shares, ofNet, rule)]
    step = row["step"]
    middle = step * math.floor(mixed[1] / step + 0.5) if step > 0 else mixed[1]
    return [min(mixed[0], middle), middle, max(mixed[2], middle)]


if len(sys.argv) == 2:
    for row in json.loads((folder / "examples.json").read_text())["rows"]:
        print(json.dumps({"terminal": row["terminal"], "horizon": row["horizon"], "model": model(row)}))
else:
    errors = {"model": [], "rule": [], "same hour": []}
    for line in csv.DictReader(open(sys.argv[2], newline="")):
        row = {name: float(line[name]) for name in ("scale", "step", "same_hour_p50")}
        row.update({q: float(line[f"rule_{q}"]) for q in ("p10", "p50", "p90")})
        row["inputs"] = {i["name"]: float(line["x_" + i["name"]]) for i in features["inputs"]}
        wait = float(line["wait_minutes"])
        for name, minutes in (("model", model(row)[1]), ("rule", row["p50"]), ("same hour", row["same_hour_p50"])):
            errors[name].append(abs(wait - minutes))
    print(json.dumps({name: round(sum(of) / len(of), 3) for name, of in errors.items() if of}))
