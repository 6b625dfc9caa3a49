#!/usr/bin/env bash
# cifparse 2.0.9 (PyPI; it needs Python 3.12, though it says 3.10), a parser of the airports and procedures that the FAA gives out every 28 days.
# In ARINC 424 an elevation has five columns, in feet, and below the sea the first of them is a minus (field 5.55 for an airport, 5.68 for the
# threshold of a runway). The package takes only what consists of digits: the airports of the Imperial Valley, of the Coachella Valley and of
# Death Valley have no elevation, and nor have the thresholds of their runways. It is the None of a blank field, and who takes it for zero is
# 210 ft wrong. The signs of gradients and of ellipsoidal heights are read. Nothing is refused. Seen, columns, then the elevation:
#   KDEN 05434: 5434
#   KIPL -0054: None
#   KTRM -0115: None
#   L06  -0210: None
#   KDEN RW08 05352: 5352
#   KIPL RW08 -0055: None
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for python in python3 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[2-9]*/bin/python; do
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' && break
done
"$python" -m venv venv
venv/bin/pip install --quiet cifparse==2.0.9
cat >read.py <<'PY'
from contextlib import redirect_stdout

from cifparse import CIFP


def line(*fields):
    """A record of ARINC 424: 132 columns, each field at its column (from 1)."""
    columns = [" "] * 132
    for at, text in ((1, "SUSAP"), (22, "0"), (124, "000012411"), *fields):
        columns[at - 1 : at - 1 + len(text)] = text
    return "".join(columns)


def airport(code, latitude, longitude, elevation, name):
    return line((7, code), (11, "K2A"), (31, "YH"), (33, latitude), (42, longitude), (52, "E0110"), (57, elevation), (86, "MNAR"), (94, name))


def runway(code, name, elevation):
    return line((7, code), (11, "K2G"), (14, name), (23, "05300"), (28, "0830"), (67, elevation))


airports = [
    airport("KDEN", "N39514200", "W104402300", "05434", "DENVER INTL"),
    airport("KIPL", "N32500300", "W115344300", "-0054", "IMPERIAL CO"),
    airport("KTRM", "N33373600", "W116093600", "-0115", "JACQUELINE COCHRAN RGNL"),
    airport("L06 ", "N36275000", "W116525300", "-0210", "FURNACE CREEK"),
]
runways = [runway("KDEN", "RW08 ", "05352"), runway("KIPL", "RW08 ", "-0055")]
with open("FAACIFP18", "w") as file:
    file.write("\n".join([*airports, *runways]) + "\n")
with redirect_stdout(None):
    parser = CIFP("FAACIFP18")
    parser.parse()
for sent, seen in zip(airports, parser.get_airports()):
    print(f"{sent[6:10]} {sent[56:61]}: {seen.primary.elevation}")
for sent, seen in zip(runways, parser.get_runways()):
    print(f"{sent[6:10]} {sent[13:17]} {sent[66:71]}: {seen.primary.threshold_elevation}")
PY
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
KDEN 05434: 5434
KIPL -0054: None
KTRM -0115: None
L06  -0210: None
KDEN RW08 05352: 5352
KIPL RW08 -0055: None
SEEN
