#!/usr/bin/env bash
# adsb_deku 0.7.1 (Rust), against pyModeS 3.6.1 and rs1090 0.7.0 (PyPI). 0.8.0 of the crate has the same lines, and does not build any more.
# Aircraft send their altitude above the level of 1013.25 hPa, in steps of 25 ft from -1,000 on (ICAO Annex 10, volume IV, 3.1.2.6.5.4). On a
# day with 1037 hPa the runway of Heathrow is near -560 ft, and at Amsterdam it is below zero whenever the pressure is above the standard one.
# The crate makes no altitude at all of 0 and less in a position, and 0 ft in an answer to a radar: a landing ends without one. In a velocity
# a field of 0 is "not known", and 1 is zero (ICAO Doc 9871, table A-2-9). Where the rate of climb is not known, there is no speed either;
# where the speed to the east is not known, it is a knot to the west, with which a direction and a ground speed are worked out, in rs1090 too.
# Supersonic speeds, in steps of 4 kt, are a fourth of themselves in both. Seen, pyModeS, rs1090, adsb_deku (direction, kt, ft/min of climb):
#   position: 1000 ft, 1000 ft, 1000 ft
#   position: 0 ft, 0 ft, nothing
#   position: -675 ft, -675 ft, nothing
#   answer to a radar: 1000 ft, 1000 ft, 1000 ft
#   answer to a radar: -675 ft, -675 ft, 0 ft
#   velocity: 26.6 223 640, 26.6 224 640, 26.6 224 640
#   climb not known: 26.6 223 None, 26.6 224 None, nothing
#   east not known: nothing, 359.7 200 640, 359.7 200 640
#   supersonic: 26.6 894 640, 26.6 224 640, 26.6 224 640
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet pymodes==3.6.1 rs1090==0.7.0
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "seen"
version = "1.0.0"
edition = "2021"

[dependencies]
adsb_deku = "=0.7.1"
hex = "=0.4.3"
TOML
cat >src/main.rs <<'RUST'
use adsb_deku::adsb::ME;
use adsb_deku::deku::DekuContainerRead;
use adsb_deku::{Frame, DF};

fn written(bytes: &[u8]) -> String {
    let (_, frame) = Frame::from_bytes((bytes, 0)).unwrap();
    let altitude = match frame.df {
        DF::SurveillanceAltitudeReply { ac, .. } => Some(ac.0),
        DF::ADSB(adsb) => match adsb.me {
            ME::AirbornePositionBaroAltitude(position) => position.alt,
            ME::AirborneVelocity(velocity) => {
                return match velocity.calculate() {
                    Some((track, speed, climb)) => format!("{track:.1} {speed:.0} {climb}"),
                    None => "nothing".to_string(),
                }
            }
            _ => unreachable!(),
        },
        _ => unreachable!(),
    };
    altitude.map_or("nothing".to_string(), |feet| format!("{feet} ft"))
}

fn main() {
    for line in std::io::stdin().lines() {
        let bytes = hex::decode(line.unwrap().split(' ').next().unwrap()).unwrap();
        println!("{}", written(&bytes));
    }
}
RUST
cat >frames <<'TXT'
8D40621D580B025037F57AC99BCC position
8D40621D5805825037F57ADB2006 position
8D40621D5801D25037F57A024F3C position
20000130CF28AA answer to a radar
2000001D3F58C9 answer to a radar
8D40621D99006519202C00473D6C velocity
8D40621D99006519200000312365 climb not known
8D40621D99000019202C00EBF6DA east not known
8D40621D9A006519202C00DC467C supersonic
TXT
cat >read.py <<'PY'
import pyModeS
import rs1090


def written(seen):
    if seen.get("altitude") is not None:
        return f"{seen['altitude']} ft"
    if seen.get("track") is None:
        return "nothing"
    return f"{seen['track']:.1f} {seen['groundspeed']:.0f} {seen.get('vertical_rate')}"


for line in open("frames"):
    frame, words = line.rstrip("\n").split(" ", 1)
    print(f"{words}: {written(pyModeS.decode(frame))}, {written(rs1090.decode(frame))}")
PY
cargo build --quiet
venv/bin/python read.py >python
target/debug/seen <frames >rust
paste -d '\t' python rust | sed 's/\t/, /' | tee seen.txt
diff seen.txt - <<'SEEN'
position: 1000 ft, 1000 ft, 1000 ft
position: 0 ft, 0 ft, nothing
position: -675 ft, -675 ft, nothing
answer to a radar: 1000 ft, 1000 ft, 1000 ft
answer to a radar: -675 ft, -675 ft, 0 ft
velocity: 26.6 223 640, 26.6 224 640, 26.6 224 640
climb not known: 26.6 223 None, 26.6 224 None, nothing
east not known: nothing, 359.7 200 640, 359.7 200 640
supersonic: 26.6 894 640, 26.6 224 640, 26.6 224 640
SEEN
