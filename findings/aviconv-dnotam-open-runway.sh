#!/usr/bin/env bash
# aviconv-dnotam 0.1.2 with aviconv-notam 0.3.0 and aviconv-aixm 0.6.0 (PyPI).
# The code of a NOTAM has a subject in its second and third letter (MR: runway) and what has become of it in its fourth and fifth (ICAO Doc
# 8400): QMRLC is closed, QMRHW work in progress, QMRAP open with permission, QMRAO operational, QMRAK back to normal. The package makes digital
# NOTAMs of them and looks at the subject alone: a runway at work, a runway with new hours and a runway that is open again are all
# `runway_closure`, a danger area that is not active is `airspace_activation`, a VOR that is back is `navaid_unserviceable`. The package knows
# the meaning: `lookup_qcode` of its own parser tells it. `validate` has no finding. And in the AIXM that it writes no runway is closed, not even
# a closed one: the Digital NOTAM specification has the closure in the availability of the runway's direction (operationalStatus CLOSED), and
# there is only a name, a period and notes, the same for each. The NOTAMs are made up. Seen:
#   QMRLC Closed: runway_closure, findings 0, AIXM has availability: no
#   QMRHW Work in progress: runway_closure, findings 0, AIXM has availability: no
#   QMRAH Hours of service are now: runway_closure, findings 0, AIXM has availability: no
#   QMRAO Operational: runway_closure, findings 0, AIXM has availability: no
#   QMRAK Resumed normal operations: runway_closure, findings 0, AIXM has availability: no
#   QRDCD Deactivated: airspace_activation, findings 0, AIXM has availability: no
#   QNVAK Resumed normal operations: navaid_unserviceable, findings 0, AIXM has availability: no
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet aviconv-dnotam==0.1.2 aviconv-notam==0.3.0 aviconv-aixm==0.6.0 aviconv-core==0.0.3 lxml==6.1.3
cat >read.py <<'PY'
from aviconv_dnotam import encode, to_aixm_event, validate
from aviconv_notam.parser import parse
from aviconv_notam.qcode import lookup_qcode

for code, text in [
    ("QMRLC", "RWY 08L/26R CLSD"),
    ("QMRHW", "RWY 08L/26R MEN AND EQPT WORKING ON SHOULDER"),
    ("QMRAH", "RWY 08L/26R HR OF SER 0500-2300"),
    ("QMRAO", "RWY 08L/26R OPR"),
    ("QMRAK", "RWY 08L/26R RESUMED NORMAL OPS"),
    ("QRDCD", "DANGER AREA EDD138 DEACTIVATED"),
    ("QNVAK", "VOR MUN RESUMED NORMAL OPS"),
]:
    notam = parse(
        f"A0101/26 NOTAMN\nQ) EDMM/{code}/IV/NBO/A/000/999/4821N01147E005\n"
        f"A) EDDM B) 2612011000 C) 2612012000\nE) {text}"
    )
    digital = encode(notam)
    aixm = to_aixm_event(digital).decode()
    has = "yes" if "vailability" in aixm or "operationalStatus" in aixm or "CLOSED" in aixm else "no"
    print(
        f"{code} {lookup_qcode(code).condition_text}: {digital.scenario.value}, findings {len(validate(notam))}, "
        f"AIXM has availability: {has}"
    )
PY
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
QMRLC Closed: runway_closure, findings 0, AIXM has availability: no
QMRHW Work in progress: runway_closure, findings 0, AIXM has availability: no
QMRAH Hours of service are now: runway_closure, findings 0, AIXM has availability: no
QMRAO Operational: runway_closure, findings 0, AIXM has availability: no
QMRAK Resumed normal operations: runway_closure, findings 0, AIXM has availability: no
QRDCD Deactivated: airspace_activation, findings 0, AIXM has availability: no
QNVAK Resumed normal operations: navaid_unserviceable, findings 0, AIXM has availability: no
SEEN
