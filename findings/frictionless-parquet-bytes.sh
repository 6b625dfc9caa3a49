#!/usr/bin/env bash
# frictionless 5.21.0 (PyPI) with fastparquet, a package whose resource is a Parquet file.
# The Data Package standard lets a resource state its size in `bytes`, and `hash` beside it. Frictionless checks `bytes` of a CSV; of
# Parquet it counts none, so a right size is always a byte-count error ("actual is None"), while a `hash` of the same file,
# right or wrong, is not looked at. The same package is valid as soon as `bytes` is left out. Seen:
#   bytes: False The data source does not match the expected byte count: expected is "N" and actual is "None"
#   right hash: True   wrong hash: True   without: True
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet 'frictionless[parquet]==5.21.0' fastparquet==2026.9.0 pandas==2.3.3 setuptools==80.9.0
cat >validate.py <<'PY'
import hashlib, os
import pandas
from frictionless import Package

pandas.DataFrame({"airport": ["JFK", "LGA"], "wait_minutes": [12, 7]}).to_parquet("waits.parquet", engine="fastparquet")
size = os.path.getsize("waits.parquet")
digest = "sha256:" + hashlib.sha256(open("waits.parquet", "rb").read()).hexdigest()
fields = [{"name": "airport", "type": "string"}, {"name": "wait_minutes", "type": "integer"}]

def check(**more):
    resource = {"name": "waits", "path": "waits.parquet", "format": "parquet", "schema": {"fields": fields}, **more}
    report = Package.from_descriptor({"name": "waits", "resources": [resource]}).validate()
    return report.valid, [error.message for task in report.tasks for error in task.errors]

valid, errors = check(bytes=size)
print("bytes:", valid, errors[0].replace(str(size), "N") if errors else "")
print("right hash:", check(hash=digest)[0], "  wrong hash:", check(hash="sha256:" + "0" * 64)[0], "  without:", check()[0])
PY
venv/bin/python -W ignore validate.py | tee seen
grep -q '^bytes: False .*expected is "N" and actual is "None"' seen
grep -qx 'right hash: True   wrong hash: True   without: True' seen
