#!/usr/bin/env bash
# iso8601-duration 2.1.4 (npm), github.com/ChannelMeter/iso8601duration of 2015 (Go) and iso8601 0.6.6 (crates.io), against isodate 0.7.2 (PyPI).
# SIRI, by which trains and buses to airports tell how they run, writes a delay as a duration of XML Schema, and one that is before its time
# with a minus: -PT5M (XML Schema part 2, 3.2.6; SIRI's element Delay). Two of three parsers look for the P anywhere in the text and read it
# as five minutes late; who waits for the train by that has missed it. XML Schema has fractions of seconds, and ISO 8601 of whatever is written
# last: one parser loses the seconds that have a fraction, two make nothing of an hour and a half, and none of them says so. The crate refuses
# the minus, as it may: ISO 8601-1 has none. Seen, in seconds:
#   PT5M: isodate 300, npm 300, Go 300, crate 300
#   -PT5M: isodate -300, npm 300, Go 300, crate refused
#   -PT1H30M: isodate -5400, npm 5400, Go 5400, crate refused
#   PT1M30.5S: isodate 90.5, npm 90.5, Go 60, crate 90.5
#   PT1.5H: isodate 5400, npm 5400, Go 0, crate 0
#   PT0,5H: isodate 1800, npm 1800, Go 0, crate 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet isodate==0.7.2
npm install --silent --no-audit --no-fund iso8601-duration@2.1.4
cat >go.mod <<'MOD'
module seen

go 1.24

require github.com/ChannelMeter/iso8601duration v0.0.0-20150204201828-8da3af7a2a61
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	duration "github.com/ChannelMeter/iso8601duration"
)

func main() {
	for _, text := range os.Args[1:] {
		if read, err := duration.FromString(text); err != nil {
			fmt.Println("refused")
		} else {
			fmt.Println(read.ToDuration().Seconds())
		}
	}
}
GO
cat >Cargo.toml <<'TOML'
[package]
name = "seen"
version = "0.0.0"
edition = "2021"

[[bin]]
name = "seen"
path = "main.rs"

[dependencies]
iso8601 = "=0.6.6"
TOML
cat >main.rs <<'RS'
fn main() {
    for text in std::env::args().skip(1) {
        match iso8601::duration(&text) {
            Ok(read) => println!("{}", std::time::Duration::from(read).as_secs_f64()),
            Err(_) => println!("refused"),
        }
    }
}
RS
cat >read.mjs <<'JS'
import { parse, toSeconds } from 'iso8601-duration'

for (const text of process.argv.slice(2)) console.log(toSeconds(parse(text)))
JS
cat >read.py <<'PY'
import subprocess

import isodate

DURATIONS = ["PT5M", "-PT5M", "-PT1H30M", "PT1M30.5S", "PT1.5H", "PT0,5H"]
PARSERS = {"npm": ["node", "read.mjs"], "Go": ["./read"], "crate": ["target/debug/seen"]}
answers = {
    name: subprocess.run([*command, *DURATIONS], capture_output=True, text=True, check=True).stdout.split()
    for name, command in PARSERS.items()
}
for n, text in enumerate(DURATIONS):
    seconds = isodate.parse_duration(text).total_seconds()
    print(f"{text}: isodate {seconds:g}, " + ", ".join(f"{name} {answers[name][n]}" for name in PARSERS))
PY
go build -mod=mod -o read .
cargo build --quiet
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
PT5M: isodate 300, npm 300, Go 300, crate 300
-PT5M: isodate -300, npm 300, Go 300, crate refused
-PT1H30M: isodate -5400, npm 5400, Go 5400, crate refused
PT1M30.5S: isodate 90.5, npm 90.5, Go 60, crate 90.5
PT1.5H: isodate 5400, npm 5400, Go 0, crate 0
PT0,5H: isodate 1800, npm 1800, Go 0, crate 0
SEEN
