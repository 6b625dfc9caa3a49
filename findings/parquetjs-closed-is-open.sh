#!/usr/bin/env bash
# @dsnp/parquetjs 1.8.8 (npm), the parquetjs that is kept up, against hyparquet 1.33.0 (npm), on files of pyarrow 26.0.1 (PyPI).
# Parquet has two forms of pages. In the second one pyarrow and others write booleans as runs (encoding RLE, one bit each; Encodings.md of the
# format). parquetjs takes the length of the type in the place of that bit, which a boolean has not, and each value is false: a checkpoint that
# is closed is open, in every row, while the rest of the row is right. Encodings that it does not know it refuses by name. Of times in the older
# form of 12 bytes (INT96, as Spark writes and pyarrow on request) it gives the nanoseconds of the day without the day, unless one asks by
# `treatInt96AsTimestamp`: three mornings have the same time. Nothing is raised. Seen:
#   pages 1, parquetjs: 2026-03-01T06:00:00.000Z closed 12, 2026-03-02T06:00:00.000Z closed 9, 2026-03-03T06:00:00.000Z open 7
#   pages 1, hyparquet: 2026-03-01T06:00:00.000Z closed 12, 2026-03-02T06:00:00.000Z closed 9, 2026-03-03T06:00:00.000Z open 7
#   pages 2, parquetjs: 2026-03-01T06:00:00.000Z open 12, 2026-03-02T06:00:00.000Z open 9, 2026-03-03T06:00:00.000Z open 7
#   pages 2, hyparquet: 2026-03-01T06:00:00.000Z closed 12, 2026-03-02T06:00:00.000Z closed 9, 2026-03-03T06:00:00.000Z open 7
#   times of Spark, parquetjs: 21600000000000 closed 12, 21600000000000 closed 9, 21600000000000 open 7
#   times of Spark, hyparquet: 2026-03-01T06:00:00.000Z closed 12, 2026-03-02T06:00:00.000Z closed 9, 2026-03-03T06:00:00.000Z open 7
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet pyarrow==26.0.1
npm install --silent --no-audit --no-fund @dsnp/parquetjs@1.8.8 hyparquet@1.33.0
cat >write.py <<'PY'
from datetime import datetime

import pyarrow as pa
from pyarrow import parquet

days = pa.array([datetime(2026, 3, day, 6) for day in (1, 2, 3)], pa.timestamp("ms", tz="UTC"))
table = pa.table({"at": days, "closed": [True, True, False], "wait": [12, 9, 7]})
parquet.write_table(table, "pages 1", compression="none", data_page_version="1.0")
parquet.write_table(table, "pages 2", compression="none", data_page_version="2.0")
parquet.write_table(table, "times of Spark", compression="none", use_deprecated_int96_timestamps=True)
PY
cat >read.mjs <<'JS'
import parquetjs from '@dsnp/parquetjs'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'

async function byParquetjs(file) {
  const reader = await parquetjs.ParquetReader.openFile(file)
  const rows = []
  for await (const row of reader) rows.push(row)
  await reader.close()
  return rows
}

const byHyparquet = async (file) => parquetReadObjects({ file: await asyncBufferFromFile(file) })
const words = ({ at, closed, wait }) => `${at.toISOString?.() ?? at} ${closed ? 'closed' : 'open'} ${wait}`

for (const file of ['pages 1', 'pages 2', 'times of Spark']) {
  for (const [name, read] of Object.entries({ parquetjs: byParquetjs, hyparquet: byHyparquet })) {
    console.log(`${file}, ${name}: ${(await read(file)).map(words).join(', ')}`)
  }
}
JS
venv/bin/python write.py
node read.mjs | tee seen
diff seen - <<'SEEN'
pages 1, parquetjs: 2026-03-01T06:00:00.000Z closed 12, 2026-03-02T06:00:00.000Z closed 9, 2026-03-03T06:00:00.000Z open 7
pages 1, hyparquet: 2026-03-01T06:00:00.000Z closed 12, 2026-03-02T06:00:00.000Z closed 9, 2026-03-03T06:00:00.000Z open 7
pages 2, parquetjs: 2026-03-01T06:00:00.000Z open 12, 2026-03-02T06:00:00.000Z open 9, 2026-03-03T06:00:00.000Z open 7
pages 2, hyparquet: 2026-03-01T06:00:00.000Z closed 12, 2026-03-02T06:00:00.000Z closed 9, 2026-03-03T06:00:00.000Z open 7
times of Spark, parquetjs: 21600000000000 closed 12, 21600000000000 closed 9, 21600000000000 open 7
times of Spark, hyparquet: 2026-03-01T06:00:00.000Z closed 12, 2026-03-02T06:00:00.000Z closed 9, 2026-03-03T06:00:00.000Z open 7
SEEN
