import { expect } from 'vitest'
import { keyedHash } from '../../api/state/key-format.ts'
import type { State } from '../../api/state/state.ts'
import { repetitions } from '../exhaustive.ts'
import { type Program, startProgram } from '../start-program.ts'

/** Starts a writer on the state of a folder, or on a PostgreSQL. */
export const startWriter = (folder: string, database_url = '') => startProgram('write-forever', folder, database_url)

/** The lines that a writer has printed, each split into words. */
export const outputOf = (writer: Program) => writer.lines().map((line) => line.split(' '))

/** Runs writers, several concurrently, and kills each after a different number of lines; returns all their output. */
export async function killMany(kills: number, atOnce: number, start: () => Program): Promise<string[][]> {
  const output: string[][] = []
  let killed = 0
  const runAndKillInTurn = async () => {
    while (killed < kills) {
      const lines = 4 + ((killed++ * 17) % 47)
      const writer = start()
      await writer.hasPrinted(lines)
      await writer.kill()
      output.push(...outputOf(writer))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runAndKillInTurn))
  return output
}

/** Expects that the state has everything that was acknowledged and has billed nothing twice. */
export async function expectNothingLost({ db, pepper }: State, output: string[][]): Promise<void> {
  const linesOf = (word: string) => output.filter(([first]) => first === word)
  const keys = new Map((await db.selectFrom('keys').selectAll().execute()).map((key) => [key.hash, key]))
  const keyOf = (key = '') => keys.get(keyedHash(key, pepper))
  const revoking = new Set(linesOf('revoking').map(([, key]) => key))
  const lost = {
    registered: linesOf('registered').filter(
      ([, key]) => !keyOf(key) || (keyOf(key)!.revoked_at && !revoking.has(key!)),
    ),
    revoked: linesOf('revoked').filter(([, key]) => !keyOf(key)?.revoked_at),
    reported: missing(
      linesOf('reported'),
      await db.selectFrom('wait_reports').select(['id', 'wait_minutes as value']).execute(),
    ),
    granted: missing(
      linesOf('granted'),
      await db
        .selectFrom('grants')
        .innerJoin('accounts', 'accounts.id', 'grants.account_id')
        .select(['grants.id', 'grants.account_id as value'])
        .where('accounts.tier', '=', 'pro')
        .execute(),
    ),
  }
  expect(lost).toEqual({ registered: [], revoked: [], reported: [], granted: [] })
  const counts = {
    registered: linesOf('registered').length,
    reported: linesOf('reported').length,
    granted: linesOf('granted').length,
  }
  for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(repetitions(0, 30))

  const usage = await db.selectFrom('usage').select(['account_id', 'calls']).execute()
  for (const [, payer = ''] of linesOf('payer')) {
    const calls = usage.filter(({ account_id }) => account_id === payer).reduce((sum, row) => sum + row.calls, 0)
    const flushed = Math.max(
      0,
      ...linesOf('flushed')
        .filter(([, who]) => who === payer)
        .map(([, , count]) => Number(count)),
    )
    const billed = linesOf('billed').filter(([, who]) => who === payer).length
    expect(calls, 'flushed usage is stored').toBeGreaterThanOrEqual(flushed)
    // A call may have been counted and not yet reported.
    expect(calls, 'nothing is billed twice').toBeLessThanOrEqual(billed + 1)
  }
}

function missing(acknowledged: string[][], rows: { id: string; value: string | number }[]): string[][] {
  const there = new Map(rows.map((row) => [row.id, String(row.value)]))
  return acknowledged.filter(([, id = '', value]) => there.get(id) !== value)
}
