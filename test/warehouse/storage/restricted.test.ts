import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataPaths } from '../../../config/settings.ts'
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
/** Files of the machine and of the data folder beside the warehouse, however they are spelled. */
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
  'FOLDER/key-pepper',
  'FOLDER/key-*',
  'WAREHOUSE/../key-pepper',
  'WAREHOUSE/./../key-pepper',
  'WAREHOUSE/../warehouse/../key-pepper',
  'WAREHOUSE*/../key-pepper',
  'file://WAREHOUSE/../key-pepper',
]

/** Characters that the engine takes for a space, or that hide the name of a function from a pattern. */
const SPACES = ['', '\u200b', '\u2060', '\ufeff', '\u00a0', '\u3000', ' -- a\r', ' -- a\n', '/* */', '\t', '\v', '\f']
const INNER = ["COPY (SELECT 1) TO ''OUT''", "SELECT * FROM read_text(''/etc/passwd'')"]

const hidden = SPACES.flatMap((space) => [
  ...INNER.map((sql) => `SELECT * FROM query${space}('${sql}')`),
  `SELECT * FROM enable_logging${space}()`,
  `SELECT * FROM${space} read_text${space}('/etc/passwd')`,
  `EXPLAIN${space} ANALYZE${space} COPY (SELECT 1) TO 'OUT'`,
])

const WRITES = [
  "COPY (SELECT 1) TO 'OUT'",
  "COPY readings TO 'OUT' (FORMAT parquet)",
  "COPY (SELECT 1) TO 'WAREHOUSE/readings/out.parquet'",
  "COPY (SELECT 1) TO '/dev/stdout'",
  'COPY FROM DATABASE memory TO system',
  'INSERT INTO airports SELECT * FROM airports',
  'INSERT INTO warehouse.main.readings SELECT * FROM warehouse.main.readings',
  'DELETE FROM warehouse.main.readings',
  'DELETE FROM airports',
  "UPDATE warehouse.main.readings SET iata = 'JFK'",
  "UPDATE airports SET name = 'x'",
  'CREATE TABLE t AS SELECT 1',
  'CREATE TEMP TABLE t AS SELECT 1',
  'CREATE OR REPLACE VIEW readings AS SELECT 1',
  'CREATE MACRO f() AS 1',
  'CREATE OR REPLACE TABLE warehouse.main.readings AS SELECT 1',
  'DROP TABLE warehouse.main.readings',
  'DROP VIEW readings',
  'ALTER VIEW readings RENAME TO x',
  "COMMENT ON VIEW readings IS 'x'",
  'ALTER TABLE warehouse.main.readings DROP COLUMN iata',
  "ATTACH 'OUT'",
  'DETACH warehouse',
  'DETACH memory',
  'USE system',
  'BEGIN',
  "EXPORT DATABASE 'OUT'",
  "IMPORT DATABASE '/tmp'",
  'CHECKPOINT',
  'CHECKPOINT warehouse',
  'FORCE CHECKPOINT warehouse',
  'VACUUM',
  'SET enable_external_access = true',
  'SET lock_configuration = false',
  "SET SESSION TimeZone = 'America/New_York'",
  "SET allowed_directories = ['/']",
  "SET VARIABLE x = (SELECT content FROM read_text('/etc/passwd'))",
  'SET memory_limit = 0',
  "SET GLOBAL temp_directory = 'OUT'",
  'RESET lock_configuration',
  'RESET ALL',
  "PRAGMA enable_profiling = 'json'",
  "PRAGMA profiling_output = 'OUT'",
  "PRAGMA temp_directory = '/tmp'",
  "CALL enable_logging(storage => 'file', storage_path => 'OUT')",
  'CREATE SECRET (TYPE s3)',
  'CREATE PERSISTENT SECRET s (TYPE http)',
  'INSTALL httpfs',
  'LOAD httpfs',
  "LOAD '/tmp/x.duckdb_extension'",
  'UPDATE EXTENSIONS',
  'PREPARE p AS SELECT 1',
  'EXECUTE p',
  'DEALLOCATE p',
  'MERGE INTO airports USING sources ON false WHEN NOT MATCHED THEN INSERT DEFAULT VALUES',
]

const REFUSED = [
  ...hidden,
  ...FILE_READERS.map((reader) => `SELECT * FROM ${reader}('FOLDER/key-pepper')`),
  ...FILE_READERS.map((reader) => `SELECT (SELECT count(*) FROM ${reader}('/etc/passwd')) FROM readings`),
  ...OUTSIDE.map((path) => `SELECT * FROM read_text('${path}')`),
  ...OUTSIDE.map((path) => `SELECT * FROM '${path}'`),
  "SELECT * FROM read_text(['WAREHOUSE/verified.json', '/etc/passwd'])",
  "SELECT * FROM (SELECT * FROM (SELECT * FROM read_text('/etc/passwd')))",
  "WITH x AS (SELECT * FROM read_text('/etc/passwd')) SELECT * FROM x",
  "PIVOT (SELECT content AS a FROM read_text('/etc/passwd')) ON a",
  "FROM read_text('/etc/passwd')",
  "DESCRIBE SELECT * FROM read_csv('/etc/passwd')",
  "SUMMARIZE SELECT * FROM read_text('/etc/passwd')",
  "EXPLAIN SELECT * FROM read_csv('/etc/passwd')",
  "SELECT 1; SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM glob('FOLDER/*')",
  "SELECT * FROM glob('WAREHOUSE/../*')",
  "EXPLAIN SELECT 1; EXPLAIN ANALYZE COPY (SELECT 1) TO 'OUT'",
  ...WRITES,
  ...WRITES.map((sql) => `EXPLAIN ANALYZE ${sql}`),
  ...WRITES.map((sql) => `EXPLAIN ANALYZE VERBOSE ${sql}`),
  ...WRITES.map((sql) => `EXPLAIN VERBOSE ${sql}`),
  ...WRITES.map((sql) => `EXPLAIN (ANALYZE, FORMAT json) ${sql}`),
  ...WRITES.map((sql) => `SELECT 1; ${sql}`),
  ...WRITES.map((sql) => `WITH x AS (${sql}) SELECT * FROM x`),
  'WITH x AS (INSERT INTO airports SELECT * FROM airports RETURNING 1) SELECT * FROM x',
  'SELECT * FROM enable_profiling()',
  'SELECT * FROM Enable_Logging()',
  'SELECT * FROM "enable_logging" /* */ ()',
  'SELECT * FROM system.main.disable_logging -- a\n ()',
  "SELECT * FROM query('SELECT * FROM enable_' || 'logging()')",
  'SELECT * FROM truncate_duckdb_logs()',
  'FROM enable_logging()',
  'DESCRIBE FROM enable_logging()',
  'SUMMARIZE FROM enable_logging()',
  'SELECT (SELECT count(*) FROM enable_logging())',
  'SELECT * FROM readings, LATERAL (SELECT * FROM enable_logging())',
  'SELECT * FROM readings WHERE EXISTS (FROM enable_logging())',
  'PIVOT (FROM enable_logging()) ON 1 IN (1)',
  'SELECT * FROM duckdb_secrets()',
  'SELECT * FROM duckdb_secrets(redact = false)',
  'SELECT * FROM duckdb_settings()',
  'FROM duckdb_databases()',
  'FROM duckdb_databases',
  'SELECT path FROM system.main.duckdb_databases',
  'FROM pragma_database_list',
  'SELECT * FROM duckdb_temporary_files()',
  "SELECT * FROM which_secret('s3://x', 's3')",
  "SELECT current_setting('s3_secret_access_key')",
  "SELECT list_transform(['HOME'], lambda x: getenv(x))",
  "SELECT getenv('HOME')",
  "SELECT 'HOME'.getenv()",
  'SELECT "GetEnv"(\'HOME\')',
  "SELECT * FROM query_table('readings')",
  "SELECT * FROM query_table(['key-pepper'])",
  "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
  "SELECT * FROM postgres_scan('host=127.0.0.1', 'public', 't')",
  "SELECT * FROM postgres_query('warehouse', 'SELECT 1')",
  "SELECT * FROM postgres_execute('warehouse', 'SELECT 1')",
  "SELECT * FROM pragma_storage_info('readings')",
  "SELECT * FROM 'https://example.org/x.parquet'",
  "SELECT * FROM 's3://bucket/x.parquet'",
  "SELECT * FROM read_parquet('http://127.0.0.1:1/x.parquet')",
  "SELECT * FROM 'OUT/*.parquet'",
  'SELECT * FROM "x.csv"',
  "SELECT * FROM glob('*')",
  "SELECT write_log('x')",
  'SELECT * FROM force_checkpoint()',
  'SELECT * FROM checkpoint()',
  "SELECT * FROM ducklake_snapshots('warehouse')",
  // Functions and views that no list of forbidden names had: only what is known to compute or to describe is allowed.
  "SELECT json_serialize_plan('SELECT 1')",
  "SELECT json_deserialize_sql(json_serialize_sql('SELECT 1'))",
  "SELECT list_transform(['SELECT 1'], lambda x: json_serialize_plan(x))",
  'SELECT main.current_query()',
  'SELECT sleep_ms(1)',
  'SELECT pg_sleep(0)',
  'SELECT count(*) FILTER (WHERE txid_current() > 0) FROM readings',
  'SELECT * FROM readings ORDER BY in_search_path($$memory$$, $$main$$)',
  'FROM pg_settings',
  'SELECT * FROM pg_catalog.pg_settings',
  'SELECT * FROM system.pg_catalog.pg_database',
  'WITH pg_settings AS (SELECT 1) SELECT * FROM (SELECT 1) x, (WITH a AS (FROM pg_settings) FROM a) y',
  'WITH a AS (SELECT * FROM pg_settings), pg_settings AS (SELECT 1) SELECT * FROM a',
  'SELECT * FROM sqlite_master',
  'SELECT * FROM duckdb_extensions()',
  'SELECT * FROM pragma_user_agent()',
  'SELECT * FROM information_schema.referential_constraints',
  'SELECT * FROM catalogues.main.airports',
  'SHOW DATABASES',
  '',
  ' ; ',
]

const ALLOWED: [sql: string, rows?: string[][]][] = [
  ['SELECT count(*) FROM readings', [['1']]],
  ['FROM readings'],
  ['DESCRIBE readings'],
  ['SUMMARIZE readings'],
  ['SHOW TABLES'],
  ['VALUES (1, 2)', [['1', '2']]],
  ['EXPLAIN SELECT count(*) FROM readings'],
  ['EXPLAIN ANALYZE SELECT count(*) FROM readings'],
  ["PIVOT readings ON kind IN ('security') USING count(*) GROUP BY iata", [['SEA', '1']]],
  ['WITH RECURSIVE x AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM x WHERE a < 3) SELECT * FROM x'],
  ['WITH x AS (SELECT 1 AS a) SELECT a FROM x ORDER BY a', [['1']]],
  ["SELECT checkpoint FROM readings WHERE checkpoint IN ('x') GROUP BY checkpoint", []],
  ["SELECT * FROM rollups_as_of('2026-11-20T14:00:00Z')", []],
  ['SELECT r.iata, a.name FROM readings r JOIN airports a USING (iata)'],
  ["SELECT unnest([1, 2]), strftime(observed_at, '%Y'), observed_at AT TIME ZONE 'America/New_York' FROM readings"],
  ['SELECT * FROM duckdb_tables()'],
  ['SELECT 1; SELECT 2; -- the end'],
  ['SELECT count(*) FROM Warehouse.main.readings, memory.main.sources, main.airports'],
  ['SELECT count(*) FROM information_schema.columns JOIN information_schema.tables USING (table_name)'],
  ['SHOW ALL TABLES'],
  ['SHOW readings'],
  [
    "SELECT x ->> '$.a', y[1], z[1:2], 'a' LIKE '%', 'a' ILIKE 'A', 'a' NOT LIKE 'b', 'a' SIMILAR TO 'a', 7 // 2, 2 ^ 3, -1, NOT true, extract(year FROM DATE '2026-01-01'), {'k': 1}.k, MAP {'k': 1}['k'], CASE WHEN 1 IN (1, 2) THEN coalesce(NULL, 1) END FROM (SELECT '{\"a\": 1}'::JSON x, [1] y, [1, 2, 3] z)",
    [['1', '1', '[1,2]', 'true', 'true', 'true', 'true', '3', '8', '-1', 'false', '2026', '1', '1', '1']],
  ],
  ['SELECT [x + 1 FOR x IN [1, 2] IF x > 1]', [['[3]']]],
  [
    'SELECT row_number() OVER w, lag(iata) OVER w, median(wait_minutes) OVER w FROM readings WINDOW w AS (ORDER BY observed_at)',
  ],
  [
    'SELECT quantile_cont(wait_minutes, 0.9), arg_max(iata, wait_minutes), string_agg(iata), approx_quantile(wait_minutes, 0.5), histogram(wait_minutes) FROM readings',
  ],
  [
    'SELECT time_bucket(INTERVAL 1 HOUR, observed_at), date_trunc($$hour$$, observed_at), to_minutes(5), local_time(observed_at, $$America/Vancouver$$) FROM readings',
  ],
  ['UNPIVOT (SELECT 1 AS a, 2 AS b) ON a, b'],
  ['SELECT COLUMNS($$^i.*$$) FROM readings'],
  ['SELECT current_date > DATE $$2026-01-01$$, current_timestamp IS NOT NULL', [['true', 'true']]],
]

test('typed SQL reads the warehouse, and neither reads nor writes anything else, however it is written', async () => {
  const folder = await temporaryFolder()
  const warehouse = await newWarehouse(folder)
  await warehouse.land(readings, [reading()])
  await writeFile(join(folder, 'key-pepper'), 'pepper')
  await warehouse.close()
  const files = async () => (await readdir(folder, { recursive: true })).filter((path) => !path.startsWith('scratch'))
  const before = await files()
  const session = await openAnalystSession(folder)
  const places = { OUT: join(folder, 'out'), WAREHOUSE: dataPaths(folder).warehouse, FOLDER: folder }
  const gotThrough: string[] = []
  for (const sql of REFUSED)
    await readAll(
      session,
      sql.replace(/OUT|WAREHOUSE|FOLDER/g, (place) => places[place as keyof typeof places]),
    ).then(
      () => gotThrough.push(sql),
      () => undefined,
    )
  expect(gotThrough).toEqual([])
  await expect(readAll(session, 'PIVOT readings ON kind USING count(*)')).rejects.toThrow('name the values')
  await expect(readAll(session, 'FROM readigs')).rejects.toThrow('there is no table readigs; did you mean readings?')
  await expect(readAll(session, 'FROM pg_settings')).rejects.toThrow('the view pg_settings is not allowed; --unsafe')
  for (const [sql, rows] of ALLOWED) {
    const read = await readAll(session, sql)
    if (rows) expect(read, sql).toEqual(rows)
    else expect(read.length, sql).toBeGreaterThan(0)
  }
  await session.close()
  expect(await files()).toEqual(before)
})
