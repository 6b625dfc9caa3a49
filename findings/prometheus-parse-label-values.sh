#!/usr/bin/env bash
# prometheus-parse 0.2.5 (Rust), against prometheus_client 0.26.0 (PyPI), the parser of the project itself.
# In the text format of Prometheus a label value is any text in double quotes, with \\, \" and \n for a backslash, a quote and a line feed; blanks
# and tabs may separate tokens (Prometheus, "Exposition formats", text-based format, line format). The crate cuts the labels at each comma
# and each "=", also within quotes, ends them at the first }, and undoes no escape. A queue called "Terminal 4, north" is "Terminal 4" from
# then on, the same as its neighbour "Terminal 4, south"; one whose label has an "=", as each link with a query has, has no such label; one with a
# brace is not there at all, as is a whole metric with a blank before its labels. Nothing is refused: an alert on that queue never fires.
# A pull request for the "=" has been open since 2024 (10). Seen, labels of the one sample, prometheus_client, then prometheus-parse:
#   wait{queue="T4"} 95: {"queue": "T4"}, {"queue": "T4"}
#   wait{queue="T4, north"} 95: {"queue": "T4, north"}, {"queue": "T4"}
#   wait{queue="T4, lanes=3"} 95: {"queue": "T4, lanes=3"}, {" lanes": "3", "queue": "T4"}
#   wait{queue="T4",page="/JFK?queue=t4"} 95: {"page": "/JFK?queue=t4", "queue": "T4"}, {"queue": "T4"}
#   wait{queue="T4 \"north\""} 95: {"queue": "T4 \"north\""}, {"queue": "T4 \\\"north\\"}
#   wait{airport="JFK", queue="T4"} 95: {"airport": "JFK", "queue": "T4"}, {" queue": "T4", "airport": "JFK"}
#   wait{queue="T4 {north}"} 95: {"queue": "T4 {north}"}, no sample
#   wait {queue="T4"} 95: {"queue": "T4"}, no sample
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet prometheus_client==0.26.0
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "seen"
version = "1.0.0"
edition = "2021"

[dependencies]
prometheus-parse = "=0.2.5"
TOML
cat >src/main.rs <<'RUST'
use std::collections::BTreeMap;

fn main() {
    for line in std::io::stdin().lines() {
        let lines = vec![Ok("# TYPE wait gauge".to_string()), Ok(line.unwrap())];
        let samples = prometheus_parse::Scrape::parse(lines.into_iter()).unwrap().samples;
        match samples.first() {
            Some(sample) => println!("{:?}", sample.labels.iter().collect::<BTreeMap<_, _>>()),
            None => println!("no sample"),
        }
    }
}
RUST
cat >read.py <<'PY'
import json
import sys

from prometheus_client.parser import text_string_to_metric_families

for line in sys.stdin:
    [family] = text_string_to_metric_families("# TYPE wait gauge\n" + line)
    [sample] = family.samples
    print(json.dumps(sample.labels, sort_keys=True))
PY
cat >lines <<'TXT'
wait{queue="T4"} 95
wait{queue="T4, north"} 95
wait{queue="T4, lanes=3"} 95
wait{queue="T4",page="/JFK?queue=t4"} 95
wait{queue="T4 \"north\""} 95
wait{airport="JFK", queue="T4"} 95
wait{queue="T4 {north}"} 95
wait {queue="T4"} 95
TXT
cargo build --quiet
venv/bin/python read.py <lines >python
target/debug/seen <lines >rust
paste -d '\t' lines python rust | sed 's/\t/: /; s/\t/, /' | tee seen
diff seen - <<'SEEN'
wait{queue="T4"} 95: {"queue": "T4"}, {"queue": "T4"}
wait{queue="T4, north"} 95: {"queue": "T4, north"}, {"queue": "T4"}
wait{queue="T4, lanes=3"} 95: {"queue": "T4, lanes=3"}, {" lanes": "3", "queue": "T4"}
wait{queue="T4",page="/JFK?queue=t4"} 95: {"page": "/JFK?queue=t4", "queue": "T4"}, {"queue": "T4"}
wait{queue="T4 \"north\""} 95: {"queue": "T4 \"north\""}, {"queue": "T4 \\\"north\\"}
wait{airport="JFK", queue="T4"} 95: {"airport": "JFK", "queue": "T4"}, {" queue": "T4", "airport": "JFK"}
wait{queue="T4 {north}"} 95: {"queue": "T4 {north}"}, no sample
wait {queue="T4"} 95: {"queue": "T4"}, no sample
SEEN
