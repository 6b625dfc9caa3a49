#!/usr/bin/env bash
# sunrise 3.0.0 (crates.io), against astral 3.2 (PyPI).
# Night at an airport (a curfew, the rules of visual flight, the lights of a runway) begins when the sun is a number of degrees below the
# horizon: six where it is the end of civil twilight, other numbers by national law. The elevation of the sun is the angle above the horizon,
# and negative below it. Beside the named twilights the crate has `SolarEvent::Elevation`, "the point in time where the sun reaches a given
# elevation", in radians, and counts it downwards: at -6 degrees the sun is 6 degrees above the horizon, and the night of Frankfurt begins in
# full daylight, an hour and a half early. Its own civil dusk is right. Nothing is refused: 30 degrees, four in the afternoon, is no time at
# all in Frankfurt and night in Sydney. Seen, 21 June 2027, evening, UTC, crate, then astral:
#   Frankfurt  civil dusk  20:23; 20:24
#   Frankfurt  -6 degrees  18:46; 20:24
#   Frankfurt   6 degrees  20:23; 18:48
#   Frankfurt  30 degrees  never; 16:10
#   Sydney     civil dusk  07:21; 07:21
#   Sydney     -6 degrees  06:15; 07:21
#   Sydney      6 degrees  07:21; 06:16
#   Sydney     30 degrees  09:22; 03:11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet astral==3.2
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "seen"
version = "0.0.0"
edition = "2021"

[dependencies]
sunrise = "=3.0.0"
chrono = "=0.4.42"
TOML
cat >src/main.rs <<'RS'
use chrono::NaiveDate;
use sunrise::{Coordinates, DawnType, SolarDay, SolarEvent};

fn main() {
    for (latitude, longitude) in [(50.0333, 8.5706), (-33.9461, 151.1772)] {
        let date = NaiveDate::from_ymd_opt(2027, 6, 21).unwrap();
        let day = SolarDay::new(Coordinates::new(latitude, longitude).unwrap(), date);
        let at = |degrees: f64| SolarEvent::Elevation { elevation: degrees.to_radians(), morning: false };
        for event in [SolarEvent::Dusk(DawnType::Civil), at(-6.0), at(6.0), at(30.0)] {
            println!("{}", day.event_time(event).map_or("never".into(), |time| time.format("%H:%M").to_string()));
        }
    }
}
RS
cat >compare.py <<'PY'
import subprocess
from datetime import date

from astral import Observer, SunDirection
from astral.sun import dusk, time_at_elevation

crate = iter(subprocess.run(["target/debug/seen"], capture_output=True, text=True, check=True).stdout.split())
day = date(2027, 6, 21)
for name, latitude, longitude in [("Frankfurt", 50.0333, 8.5706), ("Sydney", -33.9461, 151.1772)]:
    place = Observer(latitude, longitude)
    print(f"{name:<10} civil dusk  {next(crate)}; {dusk(place, day):%H:%M}")
    for degrees in (-6, 6, 30):
        time = time_at_elevation(place, degrees, day, SunDirection.SETTING)
        print(f"{name:<10} {degrees:>2} degrees  {next(crate)}; {time:%H:%M}")
PY
cargo build --quiet
venv/bin/python compare.py | tee seen
diff seen - <<'SEEN'
Frankfurt  civil dusk  20:23; 20:24
Frankfurt  -6 degrees  18:46; 20:24
Frankfurt   6 degrees  20:23; 18:48
Frankfurt  30 degrees  never; 16:10
Sydney     civil dusk  07:21; 07:21
Sydney     -6 degrees  06:15; 07:21
Sydney      6 degrees  07:21; 06:16
Sydney     30 degrees  09:22; 03:11
SEEN
