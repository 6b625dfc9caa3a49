import { type Examples, examplesOf, joinExamples, knownBy, pickExamples } from '../features/examples.ts'
import type { PreparedSeries } from '../features/profile.ts'
import { seededRandom } from '../scoring/statistics.ts'
import { type FitReport, fitNet } from './fit.ts'
import { createNet, normalisationOf, type QuantileNet } from './quantile-net.ts'

/** More rows than this no longer help, they only take time. */
const MAX_ROWS = 40_000
const FIT_EPOCHS = 24
/** A net that is fitted on needs few. */
const REFIT_EPOCHS = 6

/** Two dozen series give examples every six hours; the more there are, the rarer each has to. */
const SERIES_PER_STEP = 24
const STEP_HOURS = 6

/** Examples of all airports, made once up to a last cutoff; a fit at an earlier one takes those known by then. */
export function pooledExamples(series: readonly PreparedSeries[], cutoff_ms: number, seed: number): Examples {
  const step = STEP_HOURS * Math.ceil(series.length / SERIES_PER_STEP)
  return joinExamples(series.map((one, k) => examplesOf(one, cutoff_ms, seed + k, step)))
}

export interface PooledFit {
  net: QuantileNet
  report: FitReport
}

/**
 * Fits one net on the examples of all airports known by a cutoff. One net for all, because an airport's own few hundred
 * noisy hours teach less than all of them together: every input and output is in units of the airport's own spread, so that
 * airports are alike. With no examples the net is the baseline itself. A net of an earlier cutoff may be fitted on: what it
 * learnt from ended before the tail that now validates it began.
 */
export function fitPooled(examples: Examples, cutoff_ms: number, seed: number, earlier?: QuantileNet): PooledFit {
  const random = seededRandom(seed)
  const known = knownBy(examples, cutoff_ms)
  const share = MAX_ROWS / known.truth.length
  const kept = share < 1 ? pickExamples(known, () => random() < share) : known
  const net = earlier ?? createNet(normalisationOf(kept.inputs), seed)
  return { net, report: fitNet(net, kept, { seed, max_epochs: earlier ? REFIT_EPOCHS : FIT_EPOCHS }) }
}
