#!/usr/bin/env bash
# fastparquet 2026.9.0 with pandas 3.1.1 (PyPI), on a file of DuckDB 1.5.5 (PyPI); pyarrow 26.0.1 (PyPI).
# Readings of queues have a list of flags. fastparquet reads a list of text rightly as long as pyarrow is not installed beside it. Where it
# is, as it mostly is, pandas 3 gives columns of text a type of their own, fastparquet lays its lists into such a column, and without an
# error they are gone: nothing where some list has two entries, the bare word where all have at most one, an empty list "missing". Lists of
# numbers are right, and so is a column that was written with a dictionary, which is the case once its values repeat: a file of a large
# month keeps its flags and one of a small month loses them. pandas 2 keeps all. Seen, without pyarrow and with it:
#   two flags: [['stale', 'range'], ['stale'], []], then [None, None, None]
#   one flag at most: [['stale'], ['range'], []], then ['stale', 'range', nan]
#   no flag: [[], [], []], then [nan, nan, nan]
#   numbers: [[1, 2], [3], []], then [[1, 2], [3], []]
#   a thousand rows: 666 lists with a flag, then 666 lists with a flag
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet fastparquet==2026.9.0 pandas==3.1.1 duckdb==1.5.5
cat >read.py <<'PY'
import sys
import duckdb, pandas

CASES = {
    "two flags": "SELECT * FROM (VALUES (['stale', 'range']), (['stale']), ([])) t(flags)",
    "one flag at most": "SELECT * FROM (VALUES (['stale']), (['range']), ([])) t(flags)",
    "no flag": "SELECT []::VARCHAR[] AS flags FROM range(3)",
    "numbers": "SELECT * FROM (VALUES ([1, 2]), ([3]), ([])) t(flags)",
    "a thousand rows": "SELECT CASE WHEN i % 3 = 0 THEN [] ELSE ['stale'] END AS flags FROM range(1000) t(i)",
}
plain = lambda value: [item if isinstance(item, str) else int(item) for item in value] if isinstance(value, list) else value
for name, query in CASES.items():
    duckdb.sql(f"COPY ({query}) TO 'flags.parquet' (FORMAT parquet)")
    seen = [plain(value) for value in pandas.read_parquet("flags.parquet", engine="fastparquet")["flags"].tolist()]
    print(f"{name}: {seen if len(seen) < 10 else f'{sum(isinstance(value, list) and len(value) == 1 for value in seen)} lists with a flag'}")
PY
venv/bin/python -W ignore read.py >without
venv/bin/pip install --quiet pyarrow==26.0.1
paste -d'|' without <(venv/bin/python -W ignore read.py | cut -d: -f2-) | sed 's/| /, then /' | tee seen
diff seen - <<'TXT'
two flags: [['stale', 'range'], ['stale'], []], then [None, None, None]
one flag at most: [['stale'], ['range'], []], then ['stale', 'range', nan]
no flag: [[], [], []], then [nan, nan, nan]
numbers: [[1, 2], [3], []], then [[1, 2], [3], []]
a thousand rows: 666 lists with a flag, then 666 lists with a flag
TXT
