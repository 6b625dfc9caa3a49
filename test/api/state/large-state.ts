import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openState } from '../../../api/state/open.ts'
import { type Column, STATE_TABLE_NAMES, STATE_TABLES } from '../../../api/state/tables.ts'
import { readSettings } from '../../../config/settings.ts'
import { NOW } from '../example-snapshot.ts'

/** Rows of the tables of a large installation. */
const ROWS: Partial<Record<keyof typeof STATE_TABLES, number>> = {
  installation: 0,
  access_version: 0,
  secrets: 0,
  usage_writers: 3,
  accounts: 100_000,
  keys: 100_000,
  people: 50_000,
  usage: 200_000,
  wait_reports: 1_000_000,
  deliveries: 40_000,
}
const OTHER_ROWS = 20_000
const DAY_S = 86_400

const instantSql = (seconds: string) =>
  `to_char(to_timestamp(${seconds}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A value of row i, as SQL: distinct where rows are told apart by it, few where it is a choice. */
function sqlOfValue(name: string, column: Column<unknown>): string {
  if (column.type !== 'text') return column.isKey ? 'i' : 'i % 1000'
  // What is old is deleted, and what ends is still valid: few rows are due at the time of the tests.
  const now_s = Math.floor(NOW / 1_000)
  if (/^(?:expires_at|until)$/.test(name)) return instantSql(`${now_s} + (i::bigint * 7919) % (30 * ${DAY_S})`)
  if (/_at$|^at$|^as_of$/.test(name)) return instantSql(`${now_s} - (i::bigint * 7919) % ${DAY_S}`)
  if (name === 'iata') return `(array['JFK','LAX','ORD','ATL','DEN'])[1 + i % 5]`
  if (name === 'status') return `(array['accepted','accepted','accepted','held','replaced'])[1 + i % 5]`
  if (name === 'state') return `(array['sent','sent','sent','waiting','dropped'])[1 + i % 5]`
  if (name === 'queue') return `(array['security','security','immigration'])[1 + i % 3]`
  if (['tier', 'kind', 'model', 'action', 'terminal', 'lane', 'direction'].includes(name)) return `'${name} ' || i % 4`
  return `'${name} ' || i`
}

/** Makes a state with many rows in a new database, with the statistics that the planner needs. Returns its address. */
export async function makeLargeState(server: string, url: string): Promise<string> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`CREATE DATABASE ${new URL(url).pathname.slice(1)}`).finally(() => client.end())
  const folder = mkdtempSync(join(tmpdir(), 'holdshort-large-'))
  const key_pepper = 'a pepper of a large state'
  const settings = readSettings({ HOLDSHORT_DATA_DIR: folder, DATABASE_URL: url, HOLDSHORT_KEY_PEPPER: key_pepper })
  await (await openState(settings)).close()
  rmSync(folder, { recursive: true, force: true })
  const state = new pg.Client({ connectionString: url })
  await state.connect()
  try {
    await state.query("SET session_replication_role = replica; SET synchronous_commit = off; SET work_mem = '256MB'")
    for (const name of STATE_TABLE_NAMES) {
      const columns = Object.entries(STATE_TABLES[name].columns as Record<string, Column<unknown>>)
      const names = columns.map(([column]) => `"${column}"`).join(', ')
      const values = columns.map(([column, declared]) => sqlOfValue(column, declared)).join(', ')
      await state.query(
        `INSERT INTO ${name} (${names}) SELECT ${values} FROM generate_series(1, ${ROWS[name] ?? OTHER_ROWS}) i ON CONFLICT DO NOTHING`,
      )
    }
    await state.query('ANALYZE')
  } finally {
    await state.end()
  }
  return url
}
