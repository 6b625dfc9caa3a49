#!/usr/bin/env bash
# pyModeS 3.6.1 (PyPI), a decoder of the positions that aircraft send (ADS-B).
# A position is sent in two forms, by turns: an even and an odd message together give it anywhere, one message alone gives it near a place that
# is known (DO-260B, A.1.7). The package folds the longitude of a pair into -180 to 180, and not that of one message: seen from Fiji, an
# aircraft beyond the date line is at 180.1 degrees, and on the way back at -180.1. Its decoder of streams uses one message alone after a gap
# of more than ten seconds, as over the sea: an aircraft that crosses the line in a gap jumps once around the earth and back. GeoJSON (RFC
# 7946, 4), the boxes of maps and cells know no 180.1, and the latitude and the distances on a sphere look right. The aircraft is made up, and
# flies east at 17 degrees south. Seen:
#   one message, reference at 179.9: 180.1
#   a stream: 16 s 179.981, 17 s 179.987, 30 s 180.065, 31 s -179.929, 32 s -179.923
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet pymodes==3.6.1
cat >fly.py <<'PY'
from math import floor

from pyModeS import PipeDecoder, decode

GENERATOR, STEPS, ZONES = 0x1FFF409, 131072, 57  # ZONES: zones of longitude at 17 degrees south, DO-260B A.1.7.2
LATITUDE = -17


def message(longitude, odd):
    zone = 360 / (60 - odd)
    north = floor(STEPS * (LATITUDE % zone) / zone + 0.5)
    zone = 360 / (ZONES - odd)
    east = floor(STEPS * (longitude % zone) / zone + 0.5)
    altitude = 0b110001011000
    bits = f"{17:05b}101{0xC88001:024b}{11:05b}000{altitude:012b}0{odd}{north % STEPS:017b}{east % STEPS:017b}"
    rest = int(bits, 2) << 24
    for bit in range(111, 23, -1):
        if rest >> bit & 1:
            rest ^= GENERATOR << (bit - 24)
    return f"{int(bits, 2):022X}{rest:06X}"


alone = decode(message(-179.9, 0), reference=(LATITUDE, 179.9))
assert alone["crc_valid"]
print(f"one message, reference at 179.9: {alone['longitude']:.1f}")
stream = PipeDecoder()
seen = []
for second in [*range(18), *range(30, 33)]:
    longitude = (179.885 + second * 0.006 + 180) % 360 - 180
    answer = stream.decode(message(longitude, second % 2), timestamp=1000.0 + second)
    seen.append(f"{second} s {answer.get('longitude') or 0:.3f}")
print("a stream:", ", ".join(seen[-5:]))
PY
venv/bin/python fly.py | tee seen
diff seen - <<'SEEN'
one message, reference at 179.9: 180.1
a stream: 16 s 179.981, 17 s 179.987, 30 s 180.065, 31 s -179.929, 32 s -179.923
SEEN
