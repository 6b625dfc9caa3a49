import { readFileSync } from 'node:fs'
import { projectFile } from '../../config/paths.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import {
  type FakeSnapshotContent,
  fakeSnapshot,
  forecastFrom,
  historyOf,
  measured,
  UNSUPPORTED,
} from './fake-snapshot.ts'

/** Saturday 21 November 2026, 14:20 UTC: 09:20 in New York, 19:50 in Delhi. */
export const NOW = Date.parse('2026-11-21T14:20:00Z')
export const THIS_HOUR = Math.floor(NOW / HOUR_MS) * HOUR_MS

/** Delays, weather and coverage of the example, as they are at that instant. */
const EXAMPLE: Required<Pick<FakeSnapshotContent, 'delays' | 'flowPrograms' | 'weather' | 'tafs' | 'coverage'>> =
  JSON.parse(readFileSync(projectFile('test/api/example-snapshot.json'), 'utf8'))

/** The content of the example snapshot: JFK has every fact, LGA only delays, the other airports nothing. */
export function exampleContent(over: FakeSnapshotContent = {}): FakeSnapshotContent {
  const observed = Array.from({ length: 48 }, (_, back) => THIS_HOUR - (48 - back) * HOUR_MS)
  return {
    queues: { 'JFK security': measured(NOW, 14) },
    forecasts: [forecastFrom('JFK', THIS_HOUR), forecastFrom('JFK', THIS_HOUR, 'T4')],
    history: [historyOf('JFK', observed, () => 125), historyOf('JFK', observed, () => 80, 'T4')],
    ...EXAMPLE,
    delays: { ...EXAMPLE.delays, GRU: UNSUPPORTED },
    ...over,
  }
}

let changed = 0

/** The example snapshot, generated at an instant (epoch ms). One with other content has an id of its own, because pages are kept by it. */
export const snapshotAt = (generatedMs = NOW, over?: FakeSnapshotContent) =>
  fakeSnapshot(generatedMs, exampleContent(over && { id: `changed-${++changed}`, ...over }))
