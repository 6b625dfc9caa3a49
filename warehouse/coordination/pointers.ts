import pg from 'pg'
import { HoldshortError } from '../../config/errors.ts'
import { asCatalogDatabaseError, catalogConnection, PREPARE } from './catalog-database.ts'

const ANSWER_MS = 5_000

/** The published version of a name. */
export interface Pointer {
  name: string
  manifest: unknown
  published_ms: number
}

/**
 * Says what is published: one row for each name, which only the pipeline that leads replaces.
 * @throws HoldshortError STORE_UNREACHABLE, STORE_REFUSED
 */
export interface Pointers {
  /** Null if nothing is published under the name. */
  read: (name: string) => Promise<Pointer | null>
  all: () => Promise<Pointer[]>
  /** Replaces what is published. @throws HoldshortError WRITE_FENCED when a later leader has begun */
  write: (name: string, epoch: number, manifest: unknown) => Promise<void>
  close: () => Promise<void>
}

interface PublishedRow {
  name: string
  manifest: unknown
  published_ms: string
}

const COLUMNS = 'name, manifest, (extract(epoch FROM published_at) * 1000)::bigint AS published_ms'

/** Opens the pointers of a catalog database. Nothing is requested yet. */
export function openPointers(url: string): Pointers {
  const pool = new pg.Pool({
    ...catalogConnection(url, 'holdshort published'),
    max: 2,
    query_timeout: ANSWER_MS,
  })
  // A lost connection is noticed by the query that needs it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.query(PREPARE).catch(() => undefined))
  const query = async (sql: string, values: unknown[] = []) => {
    try {
      return await pool.query<PublishedRow>(sql, values)
    } catch (error) {
      throw asCatalogDatabaseError(url, error)
    }
  }
  const pointer = ({ name, manifest, published_ms }: PublishedRow): Pointer => ({
    name,
    manifest,
    published_ms: Number(published_ms),
  })
  return {
    read: async (name) => {
      const [row] = (await query(`SELECT ${COLUMNS} FROM holdshort.published WHERE name = $1`, [name])).rows
      return row ? pointer(row) : null
    },
    all: async () => (await query(`SELECT ${COLUMNS} FROM holdshort.published`)).rows.map(pointer),
    write: async (name, epoch, manifest) => {
      const { rowCount } = await query(
        `INSERT INTO holdshort.published AS p (name, epoch, manifest)
         SELECT $1, $2, $3 FROM (SELECT FROM holdshort.turns WHERE name = 'lead' AND epoch <= $2 FOR SHARE) leader
         ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, manifest = excluded.manifest, published_at = clock_timestamp()
           WHERE p.epoch <= excluded.epoch`,
        [name, epoch, JSON.stringify(manifest)],
      )
      if (rowCount === 0)
        throw new HoldshortError('WRITE_FENCED', 'the pipeline of another machine leads now; nothing was published')
    },
    close: () => pool.end(),
  }
}
