#!/usr/bin/env bash
# pyadsb 0.0.3 (PyPI), against pyModeS 3.6.1 (PyPI), both decoders of what aircraft send of themselves (ADS-B).
# The velocity of an aircraft is sent as two speeds over ground and a vertical rate, each with a bit for its sign (type code 19), and its call
# sign as eight signs of six bits, A to Z as 1 to 26 (type codes 1 to 4). pyadsb multiplies by -1**sign, which Python reads as -(1**sign), so
# that every aircraft flies between west and south and every one descends: a departure is an arrival. The call sign is read from the wrong end,
# where the parity of the message is, with each letter moved on by one. In the message that every text on ADS-B shows, an aircraft flies to the
# south and descends, so that it comes out right. The parity is checked, and nothing is refused. Seen, pyadsb, then pyModeS:
#   to the north-east, climbing: 225 degrees, -1920 ft/min; 45, +1920
#   to the west, level: 270 degrees, +0 ft/min; 270, +0
#   to the south-west, descending: 225 degrees, -640 ft/min; 225, -640
#   KLM1023: I#B3_320; KLM1023
#   DLH400: YE#0__00; DLH400
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet pyadsb==0.0.3 pymodes==3.6.1
cat >aircraft.py <<'PY'
from adsb import Adsb
from adsb.crc import CRC_GENERATOR
from pyModeS import decode


def message(bits):
    """The 112 bits of an extended squitter (DF 17) with its parity."""
    head = f"{17:05b}{5:03b}{0x4840D6:024b}{bits}"
    rest = int(head, 2) << 24
    for at in range(87, -1, -1):
        if rest >> (at + 24) & 1:
            rest ^= CRC_GENERATOR << at
    return ((int(head, 2) << 24) | rest).to_bytes(14, "big")


def velocity(east, north, feet_a_minute):
    """Type code 19, subtype 1: speeds over ground in knots, each with the sign of west, south or down before it, and the vertical rate by 64."""
    signed = [f"{value < 0:b}{abs(value) + 1:010b}" for value in (east, north)]
    rate = f"1{feet_a_minute < 0:b}{abs(feet_a_minute) // 64 + 1:09b}"
    return message(f"{19:05b}{1:03b}00{0:03b}{''.join(signed)}{rate}00{0:08b}")


def call_sign(text):
    """Type code 4, category 3: eight signs of six bits, A to Z as 1 to 26."""
    return message(f"{4:05b}{3:03b}" + "".join(f"{ord(sign) & 63:06b}" for sign in f"{text:<8}"))


for words, data in [
    ("to the north-east, climbing", velocity(200, 200, 1920)),
    ("to the west, level", velocity(-300, 0, 0)),
    ("to the south-west, descending", velocity(-100, -100, -640)),
]:
    seen, right = Adsb.parse(data).data, decode(data.hex())
    print(f"{words}: {seen.heading():.0f} degrees, {seen.altitude_rate():+.0f} ft/min; {right['track']:.0f}, {right['vertical_rate']:+.0f}")
for text in ["KLM1023", "DLH400"]:
    data = call_sign(text)
    print(f"{text}: {Adsb.parse(data).data.callsign}; {decode(data.hex())['callsign']}")
PY
venv/bin/python aircraft.py | tee seen
diff seen - <<'SEEN'
to the north-east, climbing: 225 degrees, -1920 ft/min; 45, +1920
to the west, level: 270 degrees, +0 ft/min; 270, +0
to the south-west, descending: 225 degrees, -640 ft/min; 225, -640
KLM1023: I#B3_320; KLM1023
DLH400: YE#0__00; DLH400
SEEN
