#!/usr/bin/env bash
# mvt-parser 1.0.0 (PyPI), a reader of the movement messages by which airlines tell an airport of a flight (MVT, IATA AHM 780), with the
# airports of airportsdata 20260905 (PyPI).
# The message of a departure has the airport of the next landing behind the time of it: "EA1300 CDG". The package tells the words of a line
# apart by their first two or three letters, and looks for an airport last. So an airport whose code begins like an element is taken for it:
# Edinburgh (EDI) is an estimated departure at "I", Adelaide (ADL) and Addis Ababa (ADD) are actual ones, and the whole message is refused for
# its time. Where the element has no form to be checked (RC, a reclearance in flight), nothing is said: the flight to Richards Bay (RCB) is
# recleared "B" and has no destination. The messages are made up. Seen:
#   CDG  1300 at CDG
#   EDI  refused: Invalid time format in ED: 'I'
#   ADD  refused: Invalid time format in movement time: 'D'
#   ADL  refused: Invalid time format in movement time: 'L'
#   AAL  refused: Invalid time format in movement time: 'L'
#   EBB  refused: Invalid time format in EB: 'B'
#   EAS  refused: Invalid time format in EA: 'S'
#   TOF  refused: Invalid takeoff fuel value: ''
#   RCB  1300 at None, recleared B
#   of all airports: 91 refused, 14 without a destination
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet mvt-parser==1.0.0 airportsdata==20260905
cat >read.py <<'PY'
import airportsdata
from mvt_parser import MVTParseError, MVTParser


def read(airport):
    message = f"MVT\nXX123/27.PPVMU.LHR\nAD1200/1210 EA1300 {airport}\nPX145"
    try:
        return MVTParser().parse(message), None
    except MVTParseError as error:
        return None, error


for airport in ["CDG", "EDI", "ADD", "ADL", "AAL", "EBB", "EAS", "TOF", "RCB"]:
    leg, error = read(airport)
    if error:
        print(f"{airport}  refused: {error}")
    else:
        recleared = f", recleared {leg.reclearance}" if leg.reclearance else ""
        print(f"{airport}  {leg.estimated_arrival} at {leg.destination_airport}{recleared}")
answers = {airport: read(airport) for airport in airportsdata.load("IATA")}
refused = [airport for airport, (_, error) in answers.items() if error]
without = [airport for airport, (leg, _) in answers.items() if leg and leg.destination_airport != airport]
print(f"of all airports: {len(refused)} refused, {len(without)} without a destination")
PY
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
CDG  1300 at CDG
EDI  refused: Invalid time format in ED: 'I'
ADD  refused: Invalid time format in movement time: 'D'
ADL  refused: Invalid time format in movement time: 'L'
AAL  refused: Invalid time format in movement time: 'L'
EBB  refused: Invalid time format in EB: 'B'
EAS  refused: Invalid time format in EA: 'S'
TOF  refused: Invalid takeoff fuel value: ''
RCB  1300 at None, recleared B
of all airports: 91 refused, 14 without a destination
SEEN
