#!/usr/bin/env bash
# capparselib 0.6.6 with lxml 6.1.3 (PyPI; the 4.6.3 that it asks for gives the same, and has no wheel for today's Python).
# A warning of CAP names its area by codes, each with the name of its list; the value is a string (CAP 1.2, 3.2.4, geocode, and its schema). A
# US warning has the SAME codes of its counties: six digits, and the first is a zero wherever a whole county is meant (47 CFR 11.31(c), PSSCCC).
# The reader checks the warning against the schema and then makes a number of every value that looks like one: Los Angeles, 006037, is 6037,
# also as text, and is in no list of counties any more. A code that begins with a letter is right, and so is the one of a part of a county, so
# that a first look shows nothing. Nothing is refused. Who waits for warnings of an airport's county by its SAME code never gets one. Seen:
#   SAME 006037 -> 6037
#   SAME 009001 -> 9001
#   SAME 136061 -> 136061
#   UGC CAZ368 -> CAZ368
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet lxml==6.1.3
venv/bin/pip install --quiet --no-deps capparselib==0.6.6
cat >read.py <<'PY'
from capparselib.parsers import CAPParser

CODES = [("SAME", "006037"), ("SAME", "009001"), ("SAME", "136061"), ("UGC", "CAZ368")]
geocodes = "".join(f"<geocode><valueName>{name}</valueName><value>{value}</value></geocode>" for name, value in CODES)
alert = f"""<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">
  <identifier>A</identifier><sender>warnings@example.org</sender><sent>2026-11-30T09:00:00-05:00</sent>
  <status>Actual</status><msgType>Alert</msgType><scope>Public</scope>
  <info>
    <category>Met</category><event>Dense Fog Advisory</event>
    <urgency>Expected</urgency><severity>Moderate</severity><certainty>Likely</certainty>
    <area><areaDesc>Made up</areaDesc>{geocodes}</area>
  </info>
</alert>"""
area = CAPParser(alert).as_dict()[0]["cap_info"][0]["cap_area"][0]
for (name, value), geocode in zip(CODES, area["geocodes"]):
    print(f"{name} {value} -> {geocode['value']}")
PY
venv/bin/python read.py | tee seen
diff seen - <<'SEEN'
SAME 006037 -> 6037
SAME 009001 -> 9001
SAME 136061 -> 136061
UGC CAZ368 -> CAZ368
SEEN
