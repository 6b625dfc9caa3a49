import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { HoldshortError } from '../../config/errors.ts'
import { asCatalogDatabaseError, connectCatalog, GUARD_CATALOG, LOCK_CLASS, withCatalog } from './catalog-database.ts'

/**
 * A turn is held by one process of all machines: `lead` by the pipeline that runs the jobs of a leader, `write` by the process that
 * changes rows. Each has an advisory lock, which PostgreSQL frees with the connection of its holder, and an epoch, which grows with
 * each holder. What a former holder writes is refused by its epoch.
 */
export type TurnName = 'lead' | 'write'

const LOCKS: Record<TurnName, number> = { lead: 1, write: 2 }
const IS_LOCK = (name: TurnName) =>
  `locktype = 'advisory' AND classid = ${LOCK_CLASS} AND objid = ${LOCKS[name]}
   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** The interval at which a holder checks that it still holds the turn, and whether another process waits for it. */
const BEAT_MS = 1_000
/** PostgreSQL ends the connection of a holder without requests for this long: it is frozen, or cut off. */
const EXPIRY_MS = 9_000
/** A former holder may be within a commit; after this time its connections are ended. */
const COMMIT_MS = 3_000
const UNLOCK_MS = 1_000
/** A process that waits for the lead retries after this pause: a request that waits in PostgreSQL would end as an ERROR in its log, again and again while another process leads. */
const ASK_MS = 250
const LOCK_NOT_AVAILABLE = '55P03'

/** The connections of a writer are known by this name. */
export const WRITER = 'holdshort writer'

export interface Turn extends AsyncDisposable {
  /** Higher than that of every earlier holder. */
  epoch: number
  /** Aborts when the turn is lost; its reason is an error that says why. */
  lost: AbortSignal
  release: () => Promise<void>
}

export interface TurnOptions {
  /** The work of the holder, for people. */
  purpose: string
  /** How long to wait for another holder, in milliseconds. */
  wait_ms: number
  signal?: AbortSignal
  /** Called when another process waits for the turn. */
  onWanted?: () => void
}

/** Waits for a turn and takes it; null when the time is over. @throws HoldshortError STORE_UNREACHABLE, STORE_REFUSED */
export async function takeTurn(url: string, name: TurnName, options: TurnOptions): Promise<Turn | null> {
  const { purpose, wait_ms, signal } = options
  signal?.throwIfAborted()
  const client = await connectCatalog(url, `holdshort ${name}`)
  const disconnect = () => void client.end().catch(() => undefined)
  // A connection that waits for a lock ends only with its socket.
  const cutOff = () =>
    (client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy()
  signal?.addEventListener('abort', cutOff, { once: true })
  const unanswered = setTimeout(cutOff, wait_ms + 2 * COMMIT_MS)
  try {
    await client.query(
      `SELECT set_config('lock_timeout', $1, false), set_config('idle_session_timeout', '${EXPIRY_MS}', false)`,
      [String(Math.max(1, Math.round(wait_ms)))],
    )
    if (name === 'write') await client.query(`SELECT pg_advisory_lock(${LOCK_CLASS}, ${LOCKS[name]})`)
    else if (!(await lockWhenFree(client, name, wait_ms, signal))) {
      disconnect()
      return null
    }
    const holder = `${hostname()}, process ${process.pid} (${purpose})`
    return keepTurn(client, url, name, await raiseEpoch(client, name, holder), options)
  } catch (error) {
    disconnect()
    signal?.throwIfAborted()
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return null
    throw asCatalogDatabaseError(url, error)
  } finally {
    clearTimeout(unanswered)
    signal?.removeEventListener('abort', cutOff)
  }
}

/**
 * Requests a lock until it is free; false when the time is over. No holder is asked to give up the lead, so waiters stay
 * invisible; PostgreSQL grants the turn to write in their order.
 */
async function lockWhenFree(
  client: pg.Client,
  name: TurnName,
  wait_ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  for (const end = performance.now() + wait_ms; ; await sleep(ASK_MS, undefined, { signal })) {
    const { rows } = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_lock(${LOCK_CLASS}, ${LOCKS[name]}) AS taken`,
    )
    if (rows[0]!.taken) return true
    if (performance.now() + ASK_MS > end) return false
  }
}

/** From here on, writes of earlier holders are refused. */
async function raiseEpoch(client: pg.Client, name: TurnName, holder: string): Promise<number> {
  const raise = () =>
    client.query<{ epoch: string }>(
      'UPDATE holdshort.turns SET epoch = epoch + 1, holder = $2, since = now() WHERE name = $1 RETURNING epoch',
      [name, holder],
    )
  await client.query(`SET lock_timeout = ${COMMIT_MS}`)
  if (name === 'write') await client.query(GUARD_CATALOG)
  try {
    return Number((await raise()).rows[0]!.epoch)
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
      [WRITER],
    )
    return Number((await raise()).rows[0]!.epoch)
  }
}

/** Checks at each beat, until the turn is released or lost. */
function keepTurn(client: pg.Client, url: string, name: TurnName, epoch: number, { onWanted }: TurnOptions): Turn {
  const lost = new AbortController()
  let isReleased = false
  let answeredAt = performance.now()
  let isAsking = false
  const end = () => {
    clearInterval(timer)
    void client.end().catch(() => undefined)
  }
  const lose = (reason: string) => {
    if (isReleased || lost.signal.aborted) return
    end()
    lost.abort(new HoldshortError('WRITE_FENCED', `this process no longer has the turn to ${name}: ${reason}`))
  }
  const beat = async () => {
    if (performance.now() - answeredAt > EXPIRY_MS) return lose('the catalog database does not answer')
    if (isAsking) return
    isAsking = true
    try {
      const { rows } = await client.query<{ waiting: string }>(
        `SELECT count(*) AS waiting FROM pg_locks WHERE NOT granted AND ${IS_LOCK(name)}`,
      )
      answeredAt = performance.now()
      if (rows[0]!.waiting !== '0') onWanted?.()
    } catch (error) {
      lose(asCatalogDatabaseError(url, error).message)
    } finally {
      isAsking = false
    }
  }
  const timer = setInterval(() => void beat(), BEAT_MS)
  timer.unref()
  client.on('end', () => lose('its connection to the catalog database ended'))
  const release = async () => {
    if (isReleased || lost.signal.aborted) return
    isReleased = true
    clearInterval(timer)
    const unlocked = client.query(`SELECT pg_advisory_unlock(${LOCK_CLASS}, ${LOCKS[name]})`).catch(() => undefined)
    // A connection that was cut off never answers.
    await Promise.race([unlocked, sleep(UNLOCK_MS, undefined, { ref: false })])
    end()
  }
  return { epoch, lost: lost.signal, release, [Symbol.asyncDispose]: release }
}

export interface TurnHolder {
  /** Machine, process and command. */
  holder: string
  since: string
  epoch: number
}

/** The present holder of a turn; null without one. */
export async function turnHolder(url: string, name: TurnName): Promise<TurnHolder | null> {
  return withCatalog(url, 'holdshort', async (client) => {
    const { rows } = await client.query<{ holder: string; since: Date; epoch: string }>(
      `SELECT holder, since, epoch FROM holdshort.turns WHERE name = $1 AND EXISTS (SELECT FROM pg_locks WHERE granted AND ${IS_LOCK(name)})`,
      [name],
    )
    const [row] = rows
    return row ? { holder: row.holder, since: row.since.toISOString(), epoch: Number(row.epoch) } : null
  })
}
