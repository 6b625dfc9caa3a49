import { writeFile } from 'node:fs/promises'
import { projectFile } from '../../config/paths.ts'
import { NOWCAST_FILE, StoredCoefficients } from '../../forecasting/nowcast/coefficients.ts'
import { nowcastExamples } from '../nowcast/examples.ts'
import { learnShared } from '../nowcast/learn.ts'
import type { NowcastHistory } from './measure-nowcast.ts'

/** Learns from historical sets the coefficients that every airport starts with. */
export function buildNowcast(
  history: readonly NowcastHistory[],
  made_at: string,
  onProgress: (done: number, total: number) => void = () => {},
): StoredCoefficients {
  const examples = history.map(({ series }, k) => {
    onProgress(k, history.length + 1)
    return nowcastExamples(series, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  })
  return StoredCoefficients.parse({
    made_at,
    made_from: [...new Set(history.map(({ set }) => set))].sort(),
    airports: new Set(history.map(({ series }) => series.iata)).size,
    samples: examples.reduce((sum, own) => sum + own.length, 0),
    shared: learnShared(examples),
  })
}

/** Writes what was learned to the file that `forecasting/nowcast/coefficients.ts` reads. */
export async function writeNowcast(learned: StoredCoefficients): Promise<void> {
  await writeFile(projectFile(...NOWCAST_FILE), `${JSON.stringify(learned, null, 1)}\n`)
}
