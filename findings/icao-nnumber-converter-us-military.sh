#!/usr/bin/env bash
# icao-nnumber-converter-us 0.1.0 (PyPI), which turns the 24-bit address that a transponder sends into the registration of a US aircraft.
# The United States have the addresses A00000 to AFFFFF (ICAO Annex 10). The civil registrations N1 to N99999 fill A00001 to ADF7C7 in their
# order; those above are for aircraft without an N-number, and the forces fly with them. An N-number begins with 1 to 9 and has five signs at
# the most after the N. Above N99999 the package counts on, with a first digit of ten and of eleven: 14,096 addresses have the registration of
# somebody else's aircraft, by the package's own answer for the other direction, and the rest one that cannot be. What is no US address is
# answered with None, and so it should be here: a board of who is at the airport shows a private plane for a transport of the Air Force.
# Seen, address, registration, and the address of that registration:
#   A00001: N1; A00001
#   ADF7C7: N99999; ADF7C7
#   ADF7C8: N10; A0025A
#   AE22BC: N101MH; A00986
#   AE1234: N100556; none
#   AFFFFF: N113XD; A03969
#   civil that come back: 915399 of 915399
#   of the state, with a number: 133176 of 133176
#   with the number of another aircraft: 14096
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet icao-nnumber-converter-us==0.1.0
cat >read.py <<'PY'
import re

from icao_nnumber_converter_us import icao_to_n, n_to_icao

NUMBER = re.compile(r"N[1-9](\d{0,4}|\d{0,3}[A-HJ-NP-Z]|\d{0,2}[A-HJ-NP-Z]{2})")


def back(number):
    return (n_to_icao(number) or "").upper() or "none"


for address in ["A00001", "ADF7C7", "ADF7C8", "AE22BC", "AE1234", "AFFFFF"]:
    number = icao_to_n(address)
    print(f"{address}: {number}; {back(number)}")
civil = range(0xA00001, 0xADF7C8)
print("civil that come back:", sum(back(icao_to_n(f"{address:06X}")) == f"{address:06X}" for address in civil), "of", len(civil))
state = [icao_to_n(f"{address:06X}") for address in range(0xADF7C8, 0xB00000)]
print("of the state, with a number:", sum(number is not None for number in state), "of", len(state))
print("with the number of another aircraft:", sum(bool(number and NUMBER.fullmatch(number)) for number in state))
PY
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
A00001: N1; A00001
ADF7C7: N99999; ADF7C7
ADF7C8: N10; A0025A
AE22BC: N101MH; A00986
AE1234: N100556; none
AFFFFF: N113XD; A03969
civil that come back: 915399 of 915399
of the state, with a number: 133176 of 133176
with the number of another aircraft: 14096
SEEN
