import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPoolClient } from 'kysely'
import { partText } from '../../answers/statements/text.ts'
import { DEFAULT_MIGRATION_TABLE } from '../../api/state/kysely.ts'
import { installationOnServer, readMarker, requireSameOnServer } from '../../api/state/marker.ts'
import {
  COLUMNS_IN_POSTGRESQL,
  ENCODING_LACKING_LETTERS,
  type FoundColumn,
  isComplete,
  lackingLettersText,
  missingFrom,
} from '../../api/state/migrations.ts'
import { readPepperFile } from '../../api/state/peppers.ts'
import { openPool } from '../../api/state/postgresql.ts'
import { STATE_TABLE_NAMES } from '../../api/state/tables.ts'
import { dataPaths, hostInUrl, type Settings } from '../../config/settings.ts'
import { allSources } from '../../config/sources.ts'
import { CLOCK_AHEAD_MS } from '../../config/vocabulary.ts'
import { pingRedis } from '../../jobs/redis/ping.ts'
import { dateOf } from '../../pipeline/transport/server-date.ts'
import { folderHolder, folderSharers } from '../../warehouse/storage/folder-use.ts'
import { reasonOf } from '../runtime/report-error.ts'
import { requireFreePort } from '../runtime/require-free-port.ts'
import { unknown, type Verdict, wrong } from './finding.ts'

/** The server of a URL without name and password. */
const serverOf = (url: string) => new URL(url).host || 'the local socket'

/** Whether the port is free, or used by the service that runs on this data folder. */
export async function checkPort(settings: Settings): Promise<Verdict> {
  const { port, data_dir } = settings
  const host = hostInUrl(settings.host)
  try {
    await requireFreePort(settings)
    return port === 0 ? 'any free port' : `${host}:${port} is free`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      const users = [await folderHolder(data_dir, 'supervisor'), ...(await folderSharers(data_dir))]
      const ours = users.find((user) => user !== null && /^holdshort (start|serve|demo)\b/.test(user.command))
      if (ours) return `${host}:${port} is used by our own "${ours.command}" (process ${ours.pid})`
      return wrong(
        `${host}:${port} is in use by another program; stop it, or choose another port with --port or HOLDSHORT_PORT`,
      )
    }
    return wrong(
      `${host}:${port} cannot be listened on (${code ?? reasonOf(error)}); change HOLDSHORT_HOST or HOLDSHORT_PORT`,
    )
  }
}

/** A server may be starting, or drop the first connection after a pause. */
const SECOND_TRY_MS = 1_000

/** Asks a server, and once more after a second. */
async function askTwice(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask()
  } catch {
    await sleep(SECOND_TRY_MS)
    await ask()
  }
}

/** Whether Redis answers. */
export async function checkRedis(redis_url: string): Promise<Verdict> {
  try {
    await askTwice(() => pingRedis(redis_url))
    return `${serverOf(redis_url)} answers`
  } catch (error) {
    return wrong(`${serverOf(redis_url)} does not answer, twice (${reasonOf(error)}); start it or correct REDIS_URL`)
  }
}

/** The rights that the role lacks: to make tables in its schema, and to use those of the state that are there. */
const MISSING_RIGHTS = `SELECT 'CREATE on a schema of its search_path' AS missing
  WHERE current_schema() IS NULL OR NOT has_schema_privilege(current_schema(), 'CREATE')
  UNION ALL
  SELECT wanted || ' on ' || name FROM unnest($1::text[]) AS name, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS wanted
  WHERE to_regclass(name) IS NOT NULL AND NOT has_table_privilege(to_regclass(name), wanted)
  UNION ALL
  SELECT 'writing: it is read-only' WHERE current_setting('transaction_read_only') = 'on'`

/** The tables and columns of the state that were dropped, in words; null without any, or before this release has made them. */
async function lostTables(client: PostgresPoolClient): Promise<string | null> {
  const made = await client.query<{ is_made: boolean }>(
    `SELECT to_regclass('${DEFAULT_MIGRATION_TABLE}') IS NOT NULL AS is_made`,
    [],
  )
  if (!made.rows[0]?.is_made) return null
  const done = await client.query<{ name: string }>(`SELECT name FROM ${DEFAULT_MIGRATION_TABLE}`, [])
  if (!isComplete(done.rows.map(({ name }) => name))) return null
  const columns = await client.query<FoundColumn>(COLUMNS_IN_POSTGRESQL, [])
  return missingFrom(columns.rows)
}

/** Why the state of the database is not that of the data folder, in words; null if it is, or if the folder has none. */
async function otherState(client: PostgresPoolClient, { data_dir }: Settings): Promise<string | null> {
  const { state, state_marker } = dataPaths(data_dir)
  const installation = await installationOnServer((statement) => client.query(statement, []))
  try {
    requireSameOnServer(state, readMarker(state_marker), installation)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** Whether PostgreSQL answers, the role of the service has the rights that it needs, and the pepper is there. */
export async function checkPostgresql(settings: Settings, url: string): Promise<Verdict> {
  if (settings.key_pepper === undefined && readPepperFile(dataPaths(settings.data_dir).pepper) === null)
    return wrong('HOLDSHORT_KEY_PEPPER must be set when DATABASE_URL is set, to the same value on every machine')
  const pool = openPool(url)
  try {
    let missing: string[] = []
    let lost: string | null = null
    let encoding: string | undefined
    let other: string | null = null
    await askTwice(async () => {
      const client = await pool.connect()
      try {
        const { rows } = await client.query<{ missing: string }>(MISSING_RIGHTS, [STATE_TABLE_NAMES])
        missing = rows.map((row) => row.missing)
        encoding = (await client.query<{ encoding: string }>(ENCODING_LACKING_LETTERS, [])).rows[0]?.encoding
        lost = missing.length === 0 ? await lostTables(client) : null
        other = missing.length === 0 ? await otherState(client, settings) : null
      } finally {
        client.release()
      }
    })
    if (other !== null) return wrong(`${serverOf(url)} answers, but ${other}`)
    if (lost !== null)
      return wrong(`${serverOf(url)} answers, but its database lacks ${lost}; restore it from its own backup`)
    if (encoding !== undefined)
      return wrong(
        `${serverOf(url)} answers, but ${lackingLettersText(encoding)}, and move the rows there (pg_dump, psql)`,
      )
    if (missing.length === 0) return `${serverOf(url)} answers`
    return wrong(
      `${serverOf(url)} answers, but the role of DATABASE_URL lacks ${partText(missing.slice(0, 3), missing.length)}; grant it, or make this role the owner of its database`,
    )
  } catch (error) {
    return wrong(`${serverOf(url)} does not answer, twice (${reasonOf(error)}); start it or correct DATABASE_URL`)
  } finally {
    await pool.end()
  }
}

/** Two publishers that most installations ask anyway; in the demo the simulated world. */
const CLOCK_SOURCES = ['faa-nas-status', 'awc-metar']

/** The servers whose clocks are compared with ours. */
function clockServers(settings: Settings): string[] {
  if (settings.simulated_world) return [settings.simulated_world]
  const active = allSources().filter(({ active: isActive, url }) => isActive && URL.canParse(url))
  const known = active.filter(({ id }) => CLOCK_SOURCES.includes(id))
  return (known.length > 0 ? known : active).slice(0, 2).map(({ url }) => url)
}

/** Compares the clock with the time of a source's server. */
export async function checkClock(settings: Settings, now: () => number): Promise<Verdict> {
  for (const url of clockServers(settings)) {
    const serverTime = await dateOf(url, settings.contact)
    if (serverTime === null) continue
    const difference = now() - serverTime
    const { host } = new URL(url)
    if (Math.abs(difference) <= CLOCK_AHEAD_MS) return `agrees with ${host}`
    const minutes = Math.round(Math.abs(difference) / 60_000)
    return wrong(
      `${minutes} minutes ${difference > 0 ? 'ahead of' : 'behind'} ${host}; set the clock of this machine (NTP) before you start`,
    )
  }
  return unknown('no source answered, so that the clock could not be compared')
}
