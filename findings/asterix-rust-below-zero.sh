#!/usr/bin/env bash
# asterix 0.4.0 (crates.io), against asterix-decoder 0.7.11 (PyPI).
# What a radar tells of an aircraft (EUROCONTROL ASTERIX, category 048) and of itself (category 034) has signed numbers in two's complement:
# the flight level in quarters (item I048/090), and the height, latitude and longitude of the radar (item I034/120, heights in metres, high
# byte first). The crate reads all of them as unsigned, the height with its bytes the other way round, and drops the quarters. An aircraft on
# the ground of an airport by the sea is below flight level 0 as soon as the pressure is a few hPa above 1013: the crate has it at flight level
# 4095, which is 409,500 ft. The radar of Sydney has a latitude of 326 degrees, which there is not, and that of Kennedy, 13 m high, stands at
# 3,328 m and 286 degrees. Nothing is refused. The messages are made up. Seen, crate, then asterix-decoder:
#   on the ground   4095; -1
#   climbing        2; 2.5
#   cruise          350; 350
#   Kennedy         3328 m, 40.640, 286.221; 13 m, 40.640, -73.779
#   Sydney          5376 m, 326.054, 151.177; 21 m, -33.946, 151.177
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet asterix-decoder==0.7.11
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "seen"
version = "0.0.0"
edition = "2021"

[dependencies]
asterix = "=0.4.0"
deku = "=0.16.0"
TOML
cat >src/main.rs <<'RS'
use asterix::{AsterixMessage, AsterixPacket};
use deku::DekuContainerRead;

fn main() {
    let hex = std::env::args().nth(1).unwrap();
    let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
    let (_, packet) = AsterixPacket::from_bytes((&bytes, 0)).unwrap();
    match &packet.messages[0] {
        AsterixMessage::Cat48(target) => print!("{}", target.flight_level_in_binary_repre.as_ref().unwrap().flight_level),
        AsterixMessage::Cat34(radar) => {
            let place = radar.three_d_position_of_data_source.as_ref().unwrap();
            print!("{} m, {:.3}, {:.3}", place.height_of_wgs_84, place.latitude_in_wgs_84, place.longitude_in_wgs_84)
        }
    }
}
RS
cat >read.py <<'PY'
import subprocess

import asterix


def message(category, items):
    return bytes([category]) + (len(items) + 3).to_bytes(2, "big") + items


def target(quarters):
    """Category 048 with I048/010, 140, 020 and 090."""
    return message(48, bytes.fromhex("e41907356d4da0") + (quarters & 0x3FFF).to_bytes(2, "big"))


def radar(metres, latitude, longitude):
    """Category 034 with I034/010, 000 and 120."""
    angles = b"".join(round(angle / 180 * 2**23).to_bytes(3, "big", signed=True) for angle in (latitude, longitude))
    return message(34, bytes.fromhex("c110190701") + metres.to_bytes(2, "big", signed=True) + angles)


def decoder(data):
    [record] = asterix.parse(data)
    if "I090" in record:
        return f"{record['I090']['FL']['val']:g}"
    place = {name: field["val"] for name, field in record["I120"].items()}
    return f"{place['Height']:g} m, {place['LAT']:.3f}, {place['Lon']:.3f}"


for words, data in [
    ("on the ground", target(-4)),
    ("climbing", target(10)),
    ("cruise", target(1400)),
    ("Kennedy", radar(13, 40.6398, -73.7789)),
    ("Sydney", radar(21, -33.9461, 151.1772)),
]:
    crate = subprocess.run(["target/debug/seen", data.hex()], capture_output=True, text=True, check=True).stdout
    print(f"{words:<15} {crate}; {decoder(data)}")
PY
cargo build --quiet
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
on the ground   4095; -1
climbing        2; 2.5
cruise          350; 350
Kennedy         3328 m, 40.640, 286.221; 13 m, 40.640, -73.779
Sydney          5376 m, 326.054, 151.177; 21 m, -33.946, 151.177
SEEN
