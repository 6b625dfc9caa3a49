import { onTestFinished } from 'vitest'
import { issueKey } from '../../../accounts/keys/keys.ts'
import type { ReportedWait } from '../../../api/reports/report-rules.ts'
import { openState } from '../../../api/state/open.ts'
import type { State } from '../../../api/state/state.ts'
import { DAY_MS, isoUtc } from '../../../config/vocabulary.ts'
import { NOW } from '../example-snapshot.ts'
import { temporaryFolder } from '../harness.ts'

/** A report, a minute old, about a queue of which nothing else is known; `over` replaces fields. */
export function reportedWait(over: Partial<ReportedWait> = {}): ReportedWait {
  return {
    iata: 'GRU',
    queue: 'baggage',
    terminal: null,
    lane: null,
    wait_minutes: 25,
    observed_at: isoUtc(NOW - 60_000),
    ...over,
  }
}

/** Where one traveller is: each number is another network. */
export const addressOf = (traveller: number) => `198.18.${traveller}.7`

/** A new state with a number of accounts that are a week old. */
export async function stateWith(travellers: number): Promise<{ state: State; accounts: string[] }> {
  const state = await openState({ data_dir: temporaryFolder() })
  onTestFinished(() => state.close())
  return { state, accounts: await travellersOf(state, travellers) }
}

/** Adds a number of accounts, made a week before or at another instant. */
export async function travellersOf(state: State, travellers: number, made = NOW - 7 * DAY_MS): Promise<string[]> {
  const accounts: string[] = []
  for (let i = 0; i < travellers; i++) accounts.push((await issueKey(state, { tier: 'free' }, made)).account_id)
  return accounts
}
