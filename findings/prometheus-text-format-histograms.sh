#!/usr/bin/env bash
# parse-prometheus-text-format 1.1.1 (npm), against prometheus_client 0.26.0 (PyPI), the parser of the project itself.
# A histogram in the text format of Prometheus has one set of buckets for each set of labels, most often one a queue or an airport. The package says
# that its answer is that of prom2json, which has one entry for each set. It makes one entry of all of them, without a label: each bucket is
# that of the last set that has it, and the sum and the count are gone. Where two airports have other buckets, buckets of both are mixed, so
# that more travellers waited for up to 30 minutes than waited at all. The same metric as a gauge keeps its labels. Nothing is refused.
# A pull request that would mend it has been open since 2019 (8). Seen:
#   prometheus_client: JFK 15: 310 30: 480 +Inf: 500 count 500; LHR 5: 10 15: 20 +Inf: 50 count 50
#   parse-prometheus-text-format: {"buckets":{"5":"10","15":"20","30":"480","+Inf":"50"}}
#   a gauge: {"value":"14","labels":{"airport":"JFK"}} {"value":"18","labels":{"airport":"LHR"}}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund parse-prometheus-text-format@1.1.1
python3 -m venv venv
venv/bin/pip install --quiet prometheus_client==0.26.0
cat >metrics.txt <<'TXT'
# TYPE wait_minutes histogram
wait_minutes_bucket{airport="JFK",le="15"} 310
wait_minutes_bucket{airport="JFK",le="30"} 480
wait_minutes_bucket{airport="JFK",le="+Inf"} 500
wait_minutes_sum{airport="JFK"} 7000
wait_minutes_count{airport="JFK"} 500
wait_minutes_bucket{airport="LHR",le="5"} 10
wait_minutes_bucket{airport="LHR",le="15"} 20
wait_minutes_bucket{airport="LHR",le="+Inf"} 50
wait_minutes_sum{airport="LHR"} 900
wait_minutes_count{airport="LHR"} 50
# TYPE wait_mean gauge
wait_mean{airport="JFK"} 14
wait_mean{airport="LHR"} 18
TXT
cat >read.py <<'PY'
from itertools import groupby

from prometheus_client.parser import text_string_to_metric_families

histogram = next(text_string_to_metric_families(open("metrics.txt").read()))
parts = []
for airport, samples in groupby(histogram.samples, lambda sample: sample.labels["airport"]):
    samples = list(samples)
    buckets = [f"{s.labels['le']}: {s.value:.0f}" for s in samples if s.name.endswith("_bucket")]
    count = next(s.value for s in samples if s.name.endswith("_count"))
    parts.append(f"{airport} {' '.join(buckets)} count {count:.0f}")
print("prometheus_client:", "; ".join(parts))
PY
cat >read.cjs <<'JS'
const { readFileSync } = require('node:fs')
const parse = require('parse-prometheus-text-format')

const [histogram, gauge] = parse(readFileSync('metrics.txt', 'utf8'))
const written = ({ metrics }) => metrics.map((metric) => JSON.stringify(metric)).join(' ')
console.log(`parse-prometheus-text-format: ${written(histogram)}`)
console.log(`a gauge: ${written(gauge)}`)
JS
{
  venv/bin/python read.py
  node read.cjs
} | tee seen
diff seen - <<'SEEN'
prometheus_client: JFK 15: 310 30: 480 +Inf: 500 count 500; LHR 5: 10 15: 20 +Inf: 50 count 50
parse-prometheus-text-format: {"buckets":{"5":"10","15":"20","30":"480","+Inf":"50"}}
a gauge: {"value":"14","labels":{"airport":"JFK"}} {"value":"18","labels":{"airport":"LHR"}}
SEEN
