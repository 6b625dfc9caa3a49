import pg from 'pg'
import { HoldshortError, SettingsError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'

/** The settings that name the catalog database of an installation. */
export type CatalogSettings = Pick<Settings, 'catalog_url' | 'database_url'>

const CONNECT_MS = 4_000
const ANSWER_MS = 30_000
/** The class of our advisory locks. That of the schema is beside those of the turns. */
export const LOCK_CLASS = 1_215_261_796
const SCHEMA_LOCK = 3
const INVALID_CATALOG_NAME = '3D000'
/** The second is the answer to a process that creates it at the same time. */
const DUPLICATE_DATABASE = ['42P04', '23505']
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * The address of the database that holds the catalog: of `HOLDSHORT_CATALOG_URL`, otherwise beside the database of the accounts, with
 * `_warehouse` after its name.
 * @throws SettingsError where neither is set.
 */
export function catalogUrl({ catalog_url, database_url }: CatalogSettings): string {
  if (catalog_url !== undefined) return catalog_url
  if (database_url === undefined)
    throw new SettingsError([{ parameter: 'DATABASE_URL', message: 'must be set where HOLDSHORT_STORE is a bucket' }])
  const url = new URL(database_url)
  url.pathname = `${url.pathname.replace(/\/$/, '')}_warehouse`
  return url.href
}

/** An address for people: without the password. */
function publicAddress(url: string): string {
  const { host, pathname } = new URL(url)
  return `the catalog database ${host}${pathname}`
}

/** Gives an error of PostgreSQL the code of ours. */
export function asCatalogDatabaseError(url: string, cause: unknown): HoldshortError {
  if (cause instanceof HoldshortError) return cause
  const { code, message } = cause as Error & { code?: string }
  if (code === INVALID_CATALOG_NAME || code === '42P01' || code === '3F000')
    return new HoldshortError(
      'STORE_REFUSED',
      `${publicAddress(url)} is not prepared; run \`holdshort store create\``,
      {
        cause,
      },
    )
  if (/^(28|42)/.test(code ?? ''))
    return new HoldshortError('STORE_REFUSED', `${publicAddress(url)} refuses: ${message}`, { cause })
  return new HoldshortError('STORE_UNREACHABLE', `${publicAddress(url)} gave no usable answer (${message})`, { cause })
}

/** How every connection to the catalog database is made; its first statement is `PREPARE`. */
export const catalogConnection = (url: string, name: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: name,
  keepAlive: true,
  connectionTimeoutMillis: CONNECT_MS,
})

/**
 * Transactions wait for each other's rows, so their isolation must not depend on the server's settings: at another level the later
 * one would fail. A statement, because PgBouncer refuses parameters of the start.
 */
export const PREPARE = "SET default_transaction_isolation = 'read committed'"

/** Opens a connection. `name` is what PostgreSQL shows in `pg_stat_activity`. @throws HoldshortError STORE_UNREACHABLE, STORE_REFUSED */
export async function connectCatalog(url: string, name: string, answer_ms?: number): Promise<pg.Client> {
  const client = new pg.Client({
    ...catalogConnection(url, name),
    ...(answer_ms !== undefined && { query_timeout: answer_ms }),
  })
  // A lost connection is noticed by the query that needs it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(PREPARE)
    return client
  } catch (error) {
    throw asCatalogDatabaseError(url, error)
  }
}

/** Opens a connection for some work. */
export async function withCatalog<T>(url: string, name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectCatalog(url, name, ANSWER_MS)
  try {
    return await work(client)
  } catch (error) {
    throw asCatalogDatabaseError(url, error)
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** The refusal of a commit by a process whose turn is over. DuckLake would repeat a commit whose error spoke of a conflict. */
export const TURN_IS_OVER = 'another process has the turn to write'

/**
 * The tables beside those of DuckLake, which one process at a time creates: the holders of turns (`turns`), the published files (`published`), the digests of the files of
 * the tables (`table_files`), whether the installation is simulated, and its identity, which its bucket has too. The trigger refuses the commit of every connection but that of the process whose turn it is to
 * write.
 */
const SCHEMA = `
SELECT pg_advisory_xact_lock(${LOCK_CLASS}, ${SCHEMA_LOCK});
CREATE SCHEMA IF NOT EXISTS holdshort;
CREATE TABLE IF NOT EXISTS holdshort.turns (
  name text PRIMARY KEY, epoch bigint NOT NULL DEFAULT 0, holder text, since timestamptz);
INSERT INTO holdshort.turns (name) VALUES ('lead'), ('write') ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS holdshort.published (
  name text PRIMARY KEY, epoch bigint NOT NULL, manifest jsonb NOT NULL, published_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS holdshort.table_files (path text PRIMARY KEY, etag text NOT NULL, sha256 text NOT NULL);
CREATE TABLE IF NOT EXISTS holdshort.installation (simulated boolean NOT NULL);
CREATE TABLE IF NOT EXISTS holdshort.identity (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), id uuid NOT NULL DEFAULT gen_random_uuid());
INSERT INTO holdshort.identity DEFAULT VALUES ON CONFLICT DO NOTHING;
CREATE OR REPLACE FUNCTION holdshort.require_turn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM holdshort.turns
    WHERE name = 'write' AND epoch::text = current_setting('holdshort.epoch', true) FOR SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION '${TURN_IS_OVER}'; END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION holdshort.guard_catalog() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF to_regclass('public.ducklake_snapshot') IS NOT NULL
    AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'holdshort_turn') THEN
    CREATE TRIGGER holdshort_turn BEFORE INSERT ON public.ducklake_snapshot
      FOR EACH ROW EXECUTE FUNCTION holdshort.require_turn();
  END IF;
END $$;`

/**
 * Creates the catalog database and what stands in it beside the tables of DuckLake. Repeating it changes nothing.
 * @throws HoldshortError STORE_REFUSED when the role may not create databases
 */
export async function createCatalogDatabase(url: string): Promise<void> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1))
  const server = new URL(url)
  server.pathname = '/postgres'
  const isThere = await withCatalog(url, 'holdshort store', async () => true).catch((error: HoldshortError) => {
    if ((error.cause as { code?: string } | undefined)?.code === INVALID_CATALOG_NAME) return false
    throw error
  })
  if (!isThere)
    await withCatalog(server.href, 'holdshort store', async (client) => {
      try {
        await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
      } catch (cause) {
        const { code } = cause as { code?: string }
        if (DUPLICATE_DATABASE.includes(code ?? '')) return
        if (code !== INSUFFICIENT_PRIVILEGE) throw cause
        const statement = `CREATE DATABASE ${pg.escapeIdentifier(name)} OWNER ${pg.escapeIdentifier(decodeURIComponent(server.username))}`
        throw new HoldshortError(
          'STORE_REFUSED',
          `the role may not create databases; let its administrator run: ${statement}`,
          {
            cause,
          },
        )
      }
    })
  await withCatalog(url, 'holdshort store', (client) => client.query(SCHEMA))
}

/** Makes the catalog refuse the commits of processes without the turn to write, once DuckLake has made its tables. */
export const GUARD_CATALOG = 'SELECT holdshort.guard_catalog()'

/**
 * Marks a new catalog as live or simulated, and refuses to mix the two.
 * @throws HoldshortError WORLD_MISMATCH
 */
export async function requireSameWorld(url: string, simulated: boolean): Promise<void> {
  await withCatalog(url, 'holdshort', async (client) => {
    await client.query('BEGIN')
    // Two machines that start at once on a new catalog, one live and one simulated, would each see their own mark.
    await client.query('LOCK TABLE holdshort.installation IN SHARE ROW EXCLUSIVE MODE')
    await client.query(
      'INSERT INTO holdshort.installation SELECT $1::boolean WHERE NOT EXISTS (SELECT FROM holdshort.installation)',
      [simulated],
    )
    await client.query('COMMIT')
    const { rows } = await client.query<{ simulated: boolean }>('SELECT simulated FROM holdshort.installation LIMIT 1')
    if (rows[0]?.simulated === simulated) return
    const words = (value: boolean) => (value ? 'simulated' : 'live')
    throw new HoldshortError(
      'WORLD_MISMATCH',
      `${publicAddress(url)} holds ${words(!simulated)} data; ${words(simulated)} data must go to another catalog and bucket`,
    )
  })
}

/** The identity of the installation whose catalog a database holds. @throws HoldshortError STORE_REFUSED, STORE_UNREACHABLE */
export async function installationId(url: string): Promise<string> {
  return withCatalog(url, 'holdshort', async (client) => {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM holdshort.identity')
    return rows[0]!.id
  })
}
