#!/usr/bin/env bash
# aviconv-fpl 0.4.0 (PyPI), which converts flight plans of ICAO to FIXM.
# Where a flight changes its speed or level, the route of an ICAO plan has the point, an oblique stroke and the new speed and level:
# KENET/M084F370 (Doc 4444, appendix 2, item 15 c3). A long flight has one as a rule. The package looks for a change without a point, which
# that form does not have, and takes the whole for the name of a point, too long for FIXM: it leaves the point out of the route's elements,
# and the change. What is left joins two airways that do not meet, or goes straight from one point to the next but one. The same becomes of
# a point by bearing and distance (DUB180040), and of the start of a cruise climb. The result is valid by the schema and `validate` finds
# nothing; the text of the route stays beside the elements, as text. A plan without any of these is right. Seen:
#   WOD UL9 KENET UN14 LIMRI: 5 elements: WOD UL9 KENET UN14 LIMRI, changes 0, findings 0
#   WOD UL9 KENET/M084F370 UN14 LIMRI: 4 elements: WOD UL9 UN14 LIMRI, changes 0, findings 0
#   WOD DCT 46N050W/M084F370 DCT LIMRI: 4 elements: WOD DIRECT DIRECT LIMRI, changes 0, findings 0
#   WOD DCT DUB180040 DCT LIMRI: 4 elements: WOD DIRECT DIRECT LIMRI, changes 0, findings 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet aviconv-fpl==0.4.0 aviconv-core==0.0.3 lxml==6.1.3
cat >routes.py <<'PY'
from aviconv_fpl import parse, to_fixm, validate

FLIGHT = "{http://www.fixm.aero/flight/4.3}"

for route in (
    "WOD UL9 KENET UN14 LIMRI",
    "WOD UL9 KENET/M084F370 UN14 LIMRI",
    "WOD DCT 46N050W/M084F370 DCT LIMRI",
    "WOD DCT DUB180040 DCT LIMRI",
):
    plan = parse(f"(FPL-XXX123-IS-B772/H-SDE3RWY/LB1-EGLL2350-N0480F350 {route}-KJFK0710-DOF/260601)")
    flight = to_fixm(plan, validate=True)
    elements = ["".join(element.itertext()).strip() for element in flight.iter(f"{FLIGHT}element")]
    changes = len(list(flight.iter(f"{FLIGHT}routeChange")))
    found = f"changes {changes}, findings {len(validate(plan))}"
    print(f"{route}: {len(elements)} elements: {' '.join(elements)}, {found}")
PY
venv/bin/python routes.py | tee seen
diff seen - <<'SEEN'
WOD UL9 KENET UN14 LIMRI: 5 elements: WOD UL9 KENET UN14 LIMRI, changes 0, findings 0
WOD UL9 KENET/M084F370 UN14 LIMRI: 4 elements: WOD UL9 UN14 LIMRI, changes 0, findings 0
WOD DCT 46N050W/M084F370 DCT LIMRI: 4 elements: WOD DIRECT DIRECT LIMRI, changes 0, findings 0
WOD DCT DUB180040 DCT LIMRI: 4 elements: WOD DIRECT DIRECT LIMRI, changes 0, findings 0
SEEN
