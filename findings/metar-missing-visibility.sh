#!/usr/bin/env bash
# metar 2.0.2 (PyPI, python-metar).
# An automatic station whose visibility sensor is out sends four slashes in the place of the visibility. The parser gives 10,000 m for
# them, with no unparsed group and no warning: "not known" is nearly the best visibility that there is, and a filter for fog takes it for
# clear. Stations of Chile, South Africa and the Netherlands sent these reports; avwx-engine 1.9.10 gives no visibility for them. Seen:
#   SCCH //// -> 10000 meters unparsed []
#   FALW //// -> 10000 meters unparsed []
#   EHJR //// -> 10000 meters unparsed []
#   EHAM 9999 -> greater than 10000 meters unparsed []
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet metar==2.0.2
venv/bin/python - <<'PY' | tee seen
from metar import Metar

for report in (
    "SCCH 060900Z AUTO 21008KT //// NCD 02/02 Q1025",
    "FALW 092100Z AUTO 20004KT //// // ////// 08/05 Q1022",
    "EHJR 241925Z AUTO 33015KT //// // ///////// 13/06 Q1036",
    "EHAM 241925Z AUTO 33015KT 9999 FEW020 13/06 Q1036",
):
    read = Metar.Metar(report, year=2026, month=10)
    print(report.split()[0], report.split()[4], "->", read.visibility(), "unparsed", read._unparsed_groups)
PY
grep -q '^SCCH //// -> 10000 meters unparsed' seen
grep -q '^FALW //// -> 10000 meters unparsed' seen
