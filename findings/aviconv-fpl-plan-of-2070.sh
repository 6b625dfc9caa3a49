#!/usr/bin/env bash
# aviconv-fpl 0.4.0 (PyPI), which converts flight plans between the forms of ICAO, ADEXP and FIXM.
# In ADEXP, the form in which Europe's Network Manager hands out flight plans (EUROCONTROL-SPEC-107, annex A), the day of a flight is EOBD,
# its alternates are ALTRNT1 and ALTRNT2, and ROUTE is the whole item 15 of the ICAO form, with speed and level at its head. The package
# puts EOBD and the alternates by as fields of somebody's own: the flight of 1 June 2026 has no day and no alternates. FIXM needs a day, and
# a flight without one leaves in 2070 (the package's own comment says 1970), which is also what becomes of each ordinary ICAO plan for the
# same day, since only one filed more than a day before needs DOF (Doc 4444, appendix 2). And the ICAO form of the plan says speed and level
# twice. Nothing is raised, and `validate` finds nothing. The package reads the names that it writes, DOF, ALTNZ and ALTN2, so that the way
# there and back looks right. Seen:
#   ADEXP:         day None, alternates None, None; in FIXM 2070-01-01T23:50:00Z; findings 0
#   its own ADEXP: day 260601, alternates KBOS, KEWR; in FIXM 2026-06-01T23:50:00Z; findings 0
#   ICAO, no DOF:  day None, alternates KBOS, KEWR; in FIXM 2070-01-01T23:50:00Z; findings 0
#   ADEXP as ICAO: (FPL-XXX123-IS-B772/H-DE3RSWY/B1L-EGLL2350-N0480F350 N0480F350 DCT WOD UL9 KENET-KJFK0710-0)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet aviconv-fpl==0.4.0 aviconv-core==0.0.3 lxml==6.1.3
cat >read.py <<'PY'
from aviconv_fpl import format_fpl, parse, parse_adexp, to_fixm, validate

ADEXP = """-TITLE IFPL
-ARCID XXX123
-FLTRUL I
-FLTTYP S
-ARCTYP B772
-WKTRC H
-CEQPT SDE3RWY
-SEQPT LB1
-ADEP EGLL
-EOBD 260601
-EOBT 2350
-SPEED N0480
-RFL F350
-ROUTE N0480F350 DCT WOD UL9 KENET
-ADES KJFK
-TTLEET 0710
-ALTRNT1 KBOS
-ALTRNT2 KEWR
"""
OWN = ADEXP.replace("EOBD", "DOF").replace("ALTRNT1", "ALTNZ").replace("ALTRNT2", "ALTN2")
ICAO = "(FPL-XXX123-IS-B772/H-SDE3RWY/LB1-EGLL2350-N0480F350 DCT WOD UL9 KENET-KJFK0710 KBOS KEWR-0)"


def show(words, plan):
    [leaves] = [element.text for element in to_fixm(plan).iter() if element.tag.endswith("estimatedOffBlockTime")]
    alternates = f"{plan.destination.altn1}, {plan.destination.altn2}"
    print(f"{words} day {plan.item18.dof}, alternates {alternates}; in FIXM {leaves}; findings {len(validate(plan))}")


show("ADEXP:        ", parse_adexp(ADEXP))
show("its own ADEXP:", parse_adexp(OWN))
show("ICAO, no DOF: ", parse(ICAO))
print("ADEXP as ICAO:", format_fpl(parse_adexp(ADEXP)))
PY
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
ADEXP:         day None, alternates None, None; in FIXM 2070-01-01T23:50:00Z; findings 0
its own ADEXP: day 260601, alternates KBOS, KEWR; in FIXM 2026-06-01T23:50:00Z; findings 0
ICAO, no DOF:  day None, alternates KBOS, KEWR; in FIXM 2070-01-01T23:50:00Z; findings 0
ADEXP as ICAO: (FPL-XXX123-IS-B772/H-DE3RSWY/B1L-EGLL2350-N0480F350 N0480F350 DCT WOD UL9 KENET-KJFK0710-0)
SEEN
