import { onTestFinished } from 'vitest'
import { issueKey } from '../../../../api/accounts/keys/keys.ts'
import type { ReportedWait } from '../../../../api/data/reports/report-rules.ts'
import { openState } from '../../../../api/state/open.ts'
import type { State } from '../../../../api/state/state.ts'
import { isoUtc } from '../../../../config/domain.ts'
import { NOW } from '../../example-snapshot.ts'
import { temporaryFolder } from '../../harness.ts'

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

/** A new state with a number of accounts. */
export async function stateWith(travellers: number): Promise<{ state: State; accounts: string[] }> {
  const state = await openState({ data_dir: temporaryFolder() })
  onTestFinished(() => state.close())
  return { state, accounts: await travellersOf(state, travellers) }
}

/** Adds a number of accounts. */
export async function travellersOf(state: State, travellers: number): Promise<string[]> {
  const accounts: string[] = []
  for (let i = 0; i < travellers; i++) accounts.push((await issueKey(state, { tier: 'free' }, NOW)).account_id)
  return accounts
}
