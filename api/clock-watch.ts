import type { Kysely } from 'kysely'
import { DAY_MS, HOUR_MS } from '../config/domain.ts'
import type { StateTables } from './state/tables.ts'

/** A clock that moved by more than this against the steady one was set, or the machine was suspended. */
const MAX_JUMP_MS = 600_000
/** For this long after that, nothing is deleted or ended because of its age. */
const DOUBT_MS = HOUR_MS
/** A service that was off for longer than this, by its clock, waits as long before it believes the clock. */
const MAX_GAP_MS = 2 * DAY_MS

/**
 * Tells whether the time of day can be believed. A clock that is years ahead for two minutes would otherwise sign everybody
 * out, end every grant and disconnect every client.
 */
export function watchClock(db: Kysely<StateTables>, clock: () => number, steady: () => number): () => Promise<boolean> {
  let offset = clock() - steady()
  let doubtUntil = Number.NEGATIVE_INFINITY
  let atStart: Promise<void> | null = null
  const compareWithHistory = async () => {
    const { newest } = await db
      .selectFrom('served_minutes')
      .select(({ fn }) => fn.max('minute').as('newest'))
      .executeTakeFirstOrThrow()
    const gap = newest === null ? 0 : Math.abs(clock() - Number(newest) * 60_000)
    if (gap > MAX_GAP_MS) doubtUntil = steady() + DOUBT_MS
  }
  return async () => {
    atStart ??= compareWithHistory()
    await atStart.catch(() => {
      atStart = null
    })
    const jump = clock() - steady() - offset
    if (Math.abs(jump) > MAX_JUMP_MS) {
      offset += jump
      doubtUntil = steady() + DOUBT_MS
    }
    return steady() >= doubtUntil
  }
}
