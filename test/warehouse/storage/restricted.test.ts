import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAnalystSession } from '../../../warehouse/storage/analyst-session.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { reading } from '../test-rows.ts'
import { readAll } from './read-all.ts'

/** Functions that read a file by its name. */
const FILE_READERS = [
  'read_text',
  'read_blob',
  'read_csv',
  'read_csv_auto',
  'read_json',
  'read_json_objects',
  'read_ndjson',
  'read_parquet',
  'parquet_scan',
  'parquet_schema',
  'parquet_metadata',
  'parquet_file_metadata',
  'parquet_kv_metadata',
  'sniff_csv',
  'glob',
  'read_duckdb',
  'read_xlsx',
  'st_read',
  'sqlite_scan',
  'iceberg_scan',
  'delta_scan',
]
/** Files of the machine, however they are spelled. */
const OUTSIDE = [
  '/etc/passwd',
  '//etc/passwd',
  '/etc/../etc/passwd',
  'file:///etc/passwd',
  '/proc/self/environ',
  '/proc/self/cwd/package.json',
  'package.json',
  './package.json',
  '../main/package.json',
  '~/.profile',
  '/dev/stdin',
  '/etc/*',
]

test('typed SQL reads the warehouse, and neither reads nor writes anything else', async () => {
  const folder = await temporaryFolder()
  const warehouse = await newWarehouse(folder)
  await warehouse.land(readings, [reading()])
  const secret = join(folder, 'key-pepper')
  await writeFile(secret, 'pepper')
  await warehouse.close()
  const session = await openAnalystSession(folder)
  const query = (sql: string) => readAll(session, sql)
  expect(await query('SELECT count(*) AS n FROM readings')).toEqual([['1']])
  expect(await query('DESCRIBE readings')).not.toHaveLength(0)
  const pivoted = "PIVOT readings ON kind IN ('security') USING count(*) GROUP BY iata"
  expect(await query(pivoted)).toEqual([['SEA', '1']])
  await expect(query('PIVOT readings ON kind USING count(*)')).rejects.toThrow('name the values')
  expect(await query('WITH x AS (SELECT 1 AS a) SELECT a FROM x ORDER BY a')).toEqual([['1']])
  expect(await query('EXPLAIN ANALYZE SELECT count(*) FROM readings')).not.toHaveLength(0)
  expect(await query("SELECT checkpoint FROM readings WHERE checkpoint IN ('x') GROUP BY checkpoint")).toEqual([])
  const before = await readdir(folder, { recursive: true })
  const refused = [
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
    'FROM duckdb_databases()',
    'FROM duckdb_databases',
    'SELECT path FROM system.main.duckdb_databases',
    'FROM pragma_database_list',
    'CREATE SECRET s (TYPE s3)',
    'PREPARE p AS SELECT 1',
    'CHECKPOINT',
    'RESET enable_external_access',
    "IMPORT DATABASE '/tmp'",
    ...FILE_READERS.map((reader) => `SELECT * FROM ${reader}('${secret}')`),
    ...FILE_READERS.map((reader) => `SELECT (SELECT count(*) FROM ${reader}('/etc/passwd')) FROM readings`),
    ...OUTSIDE.map((path) => `SELECT * FROM read_text('${path}')`),
    ...OUTSIDE.map((path) => `SELECT * FROM '${path}'`),
    `SELECT * FROM query_table('/etc/passwd')`,
    `SELECT * FROM read_text(['${folder}/warehouse/verified.json', '/etc/passwd'])`,
    `SELECT * FROM read_text('${folder}/warehouse/./../key-pepper')`,
    `SELECT * FROM read_text('${folder}/warehouse/../warehouse/../key-pepper')`,
    `SELECT * FROM read_text('${folder}/warehouse*/../key-pepper')`,
    `SELECT * FROM read_text('${folder}/key-*')`,
    `WITH x AS (SELECT * FROM read_text('${secret}')) SELECT * FROM x`,
    `PIVOT (SELECT content AS a FROM read_text('${secret}')) ON a`,
    `FROM read_text('${secret}')`,
    `DESCRIBE SELECT * FROM read_csv('/etc/passwd')`,
    `EXPLAIN SELECT * FROM read_csv('/etc/passwd')`,
    "SELECT * FROM enable_logging('QueryLog', storage = 'file')",
    `SELECT * FROM enable_logging(storage = 'file', storage_path = '${folder}/log')`,
    'SELECT * FROM Enable_Logging()',
    'SELECT * FROM "enable_logging" /* */ ()',
    'SELECT * FROM system.main.disable_logging -- a\n ()',
    "SELECT write_log('x')",
    'SELECT * FROM checkpoint()',
    'SELECT * FROM truncate_duckdb_logs()',
    "SELECT * FROM query('SELECT * FROM enable_' || 'logging()')",
    `CALL enable_logging('QueryLog')`,
    'SELECT * FROM enable_profiling()',
    "SET memory_limit = '100GB'",
    "SET SESSION TimeZone = 'America/New_York'",
    "SET allowed_directories = ['/']",
    "PRAGMA temp_directory = '/tmp'",
    "SET temp_directory = '/tmp'",
    'RESET ALL',
    'USE system',
    'VACUUM',
    "SET VARIABLE x = (SELECT content FROM read_text('/etc/passwd'))",
    'BEGIN',
    "UPDATE airports SET name = 'x'",
    'DELETE FROM airports',
    "INSERT INTO sources (id) VALUES ('x')",
    'CREATE OR REPLACE VIEW readings AS SELECT 1',
    'CREATE MACRO f() AS 1',
    'CREATE TEMP TABLE t AS SELECT 1',
    'ALTER VIEW readings RENAME TO x',
    "COMMENT ON VIEW readings IS 'x'",
    'DETACH memory',
    'CREATE SECRET (TYPE http, PROVIDER config)',
    "SELECT * FROM postgres_scan('host=127.0.0.1', 'public', 't')",
    "COPY (SELECT 1) TO '/dev/stdout'",
    'COPY FROM DATABASE memory TO system',
    'EXECUTE p',
    'DEALLOCATE p',
    "LOAD '/tmp/x.duckdb_extension'",
    "SELECT * FROM 's3://bucket/x.parquet'",
    "SELECT * FROM read_parquet('http://127.0.0.1:1/x.parquet')",
    '',
    ' ; ',
  ]
  const allowed: string[] = []
  for (const sql of refused)
    await query(sql).then(
      () => allowed.push(sql),
      () => undefined,
    )
  expect(allowed).toEqual([])
  expect(await readdir(folder, { recursive: true })).toEqual(before)
  expect(await query('SELECT count(*) AS n FROM readings')).toEqual([['1']])
  await session.close()
})
