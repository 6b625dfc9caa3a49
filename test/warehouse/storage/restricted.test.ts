import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

test('typed SQL reads the warehouse, and neither reads nor writes anything else', async () => {
  const folder = await temporaryFolder()
  const warehouse = await openWarehouse(folder)
  await warehouse.land(readings, [reading()])
  const secret = join(folder, 'key-pepper')
  await writeFile(secret, 'pepper')
  await warehouse.restrictToReading()
  expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 1 }])
  expect(await warehouse.query('DESCRIBE readings')).not.toHaveLength(0)
  expect(await warehouse.query('WITH x AS (SELECT 1 AS a) SELECT a FROM x ORDER BY a')).toEqual([{ a: 1 }])
  expect(await warehouse.query('EXPLAIN ANALYZE SELECT count(*) FROM readings')).not.toHaveLength(0)
  const before = await readdir(folder, { recursive: true })
  for (const sql of [
    `SELECT * FROM read_text('${secret}')`,
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_csv('/etc/passwd')",
    `SELECT * FROM glob('${folder}/*')`,
    `SELECT * FROM '${secret}'`,
    `SELECT * FROM read_text('${folder}/warehouse/../key-pepper')`,
    `COPY readings TO '${folder}/out.csv'`,
    `COPY (SELECT 1) TO '${folder}/warehouse/readings/out.parquet'`,
    `ATTACH '${folder}/new.db'`,
    'INSTALL httpfs',
    'LOAD httpfs',
    "SELECT * FROM 'https://example.com/a.parquet'",
    'SET enable_external_access = true',
    'SET lock_configuration = false',
    'PRAGMA enable_profiling',
    `EXPORT DATABASE '${folder}/out'`,
    'CREATE TABLE t (a INTEGER)',
    'DROP VIEW readings',
    'SELECT 1; DROP VIEW readings',
    `EXPLAIN ANALYZE COPY (SELECT 1) TO '${folder}/out.csv'`,
    `EXPLAIN ANALYZE COPY (SELECT 1) TO '${folder}/warehouse/readings/out.parquet'`,
    `EXPLAIN (ANALYZE) COPY (SELECT 1) TO '${folder}/warehouse/out.csv'`,
    `EXPLAIN /* */ ANALYZE COPY (SELECT 1) TO '${folder}/warehouse/out.csv'`,
    `EXPLAIN SELECT 1; EXPLAIN ANALYZE COPY (SELECT 1) TO '${folder}/warehouse/out.csv'`,
    'EXPLAIN ANALYZE DROP VIEW readings',
    'EXPLAIN ANALYZE SET lock_configuration = false',
    `SELECT * FROM query('COPY (SELECT 1) TO ''${folder}/warehouse/out.csv''')`,
    "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM read_text(''/etc/passwd'')'))",
    "SELECT * FROM (SELECT * FROM (SELECT * FROM read_text('/etc/passwd')))",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM parquet_metadata('/etc/passwd')",
    `SELECT * FROM glob('${folder}/warehouse/../*')`,
    `SELECT * FROM read_text('file://${folder}/warehouse/../key-pepper')`,
    `SELECT * FROM sqlite_scan('${folder}/state.sqlite', 'keys')`,
    "SUMMARIZE SELECT * FROM read_text('/etc/passwd')",
    "SELECT 1; SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT getenv('HOME')",
    'SELECT * FROM duckdb_secrets()',
    'CREATE SECRET s (TYPE s3)',
    'PREPARE p AS SELECT 1',
    'CHECKPOINT',
    'RESET enable_external_access',
    "IMPORT DATABASE '/tmp'",
    '',
    ' ; ',
  ])
    await expect(warehouse.query(sql), sql).rejects.toThrow()
  expect(await readdir(folder, { recursive: true })).toEqual(before)
  expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 1 }])
  await warehouse.close()
})
