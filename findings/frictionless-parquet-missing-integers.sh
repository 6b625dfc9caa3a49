#!/usr/bin/env bash
# frictionless 5.21.0 (PyPI) with fastparquet.
# A Parquet column of 64-bit integers of which one is null is a valid `integer` field of a table schema. Frictionless reads the file
# through pandas, where a column of integers with a gap becomes floats and the gap NaN: the row with the null is a type error
# ('"nan" ... type is "integer/default"'), and the others pass. As `number` the same file is valid. Whether a file is valid so depends
# on whether a value happens to be missing. Seen:
#   integer, none missing: True
#   integer, one missing: False Type error in the cell "nan" in row "3" and field "wait_minutes" ...
#   number, one missing: True
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet 'frictionless[parquet]==5.21.0' fastparquet==2026.9.0 pandas==2.3.3 setuptools==80.9.0
cat >validate.py <<'PY'
import pandas
from frictionless import Package

def check(kind, values):
    frame = pandas.DataFrame({"wait_minutes": pandas.array(values, dtype="Int64")})
    frame.to_parquet("waits.parquet", engine="fastparquet")
    schema = {"fields": [{"name": "wait_minutes", "type": kind}]}
    resource = {"name": "waits", "path": "waits.parquet", "format": "parquet", "schema": schema}
    report = Package.from_descriptor({"name": "waits", "resources": [resource]}).validate()
    return report.valid, *[error.message for task in report.tasks for error in task.errors]

print("integer, none missing:", *check("integer", [12, 7]))
print("integer, one missing:", *check("integer", [12, None]))
print("number, one missing:", *check("number", [12, None]))
PY
venv/bin/python -W ignore validate.py | tee seen
grep -qx 'integer, none missing: True' seen
grep -q '^integer, one missing: False Type error in the cell "nan"' seen
grep -qx 'number, one missing: True' seen
