import { type KnownState, type StateNow, sinceWhen } from './health/recorded-states.ts'
import type { Fact } from './published/facts.ts'
import type { SnapshotContent } from './snapshot/content.ts'
import { snapshotReader } from './snapshot/reader.ts'

const subjectOf = (iata: string, fact: Fact) => `fact:${iata}/${fact}`

/** The state of every fact of the airports that have an active source. Of the others nothing ever changes by what we see. */
export function factStates(content: SnapshotContent): (StateNow & { iata: string; fact: Fact })[] {
  const snapshot = snapshotReader('', content)
  return Object.keys(content.coverage).flatMap((iata) =>
    snapshot
      .facts(iata)
      .map(({ fact, state, reason }) => ({ subject: subjectOf(iata, fact), iata, fact, state, reason })),
  )
}

/** When each of these facts came into its state, by airport; without those that were never seen in another. */
export function factsSince(
  facts: ReturnType<typeof factStates>,
  known: ReadonlyMap<string, KnownState>,
  now: number,
): SnapshotContent['facts'] {
  const since: SnapshotContent['facts'] = {}
  for (const { subject, iata, fact, state } of facts) {
    const at = sinceWhen(known.get(subject), state, now)
    if (at !== null) since[iata] = { ...since[iata], [fact]: at }
  }
  return since
}
