#!/usr/bin/env bash
# arinc424 0.3.0 (PyPI), a reader of the records of navigation databases (ARINC 424).
# An airport's record has its time zone as the letter that pilots use and minutes: Z is Greenwich, A to M without J are the twelve zones
# east of it, N to Y the twelve west of it. The reader writes the hours to add to reach GMT, and counts all letters in a row from M: right
# for the Americas, of which its manual has the example (U00, Seattle, "GMT +8:00"), and wrong for the rest of the world. Greenwich itself
# is thirteen hours off, Paris has two signs, and Tokyo and New Zealand are among the others. The record below is Seattle's, with the
# letters of other places. Seen:
#   U00 Seattle "GMT +8:00", right is +8:00
#   R00 New York "GMT +5:00", right is +5:00
#   Z00 London "GMT +13:00", right is +0:00
#   A00 Paris "GMT --12:00", right is -1:00
#   E30 Delhi "GMT --8:30", right is -5:30
#   I00 Tokyo "GMT --4:00", right is -9:00
#   M00 Auckland "GMT +0:00", right is -12:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet arinc424==0.3.0
cat >read.py <<'PY'
from arinc424.record import Record

RECORD = "SUSAP KSEAK1ASEA     0     119YHN47265984W122184232E015500433         1800018000C{zone}NMNAR    SEATTLE-TACOMA INTL           182272006"
PLACES = {"U00": "Seattle", "R00": "New York", "Z00": "London", "A00": "Paris", "E30": "Delhi", "I00": "Tokyo", "M00": "Auckland"}
EAST, WEST = "ABCDEFGHIKLM", "NOPQRSTUVWXY"

for zone, place in PLACES.items():
    record = Record()
    assert record.read(RECORD.format(zone=zone))
    seen = next(field.decode(record) for field in record.fields if field.name == "Time Zone")
    letter, minutes = zone[0], zone[1:]
    hours = f"-{EAST.index(letter) + 1}" if letter in EAST else f"+{WEST.find(letter) + 1}"
    print(f'{zone} {place} "{seen}", right is {hours}:{minutes}')
PY
venv/bin/python read.py | tee seen
diff seen - <<'TXT'
U00 Seattle "GMT +8:00", right is +8:00
R00 New York "GMT +5:00", right is +5:00
Z00 London "GMT +13:00", right is +0:00
A00 Paris "GMT --12:00", right is -1:00
E30 Delhi "GMT --8:30", right is -5:30
I00 Tokyo "GMT --4:00", right is -9:00
M00 Auckland "GMT +0:00", right is -12:00
TXT
