import { type Examples, examplesOf, joinExamples, knownBy, selectExamples } from '../features/examples.ts'
import type { PreparedSeries } from '../features/profile.ts'
import { seededRandom } from '../scoring/statistics.ts'
import { type FitReport, fitNet } from './fit.ts'
import { createNet, normalisationOf, type QuantileNet } from './quantile-net.ts'

/** More examples than this improve nothing and only take time. */
const MAX_EXAMPLES = 40_000
const FIT_EPOCHS = 24
/** A net that has been fitted before needs few epochs. */
const REFIT_EPOCHS = 6

/** Up to 24 series have an origin every six hours; with more series, origins are further apart. */
const SERIES_PER_STEP = 24
const STEP_HOURS = 6

/** Examples of all airports up to a last cutoff, made once; a fit at an earlier cutoff uses those known by then. */
export function pooledExamples(series: readonly PreparedSeries[], cutoff_ms: number, seed: number): Examples {
  const step = STEP_HOURS * Math.ceil(series.length / SERIES_PER_STEP)
  return joinExamples(series.map((each, k) => examplesOf(each, cutoff_ms, seed + k, step)))
}

export interface PooledFit {
  net: QuantileNet
  report: FitReport
}

/**
 * Fits one net on the examples of all airports known by a cutoff. All airports share a net because the few hundred noisy
 * hours of one airport teach less than all of them together; inputs and outputs are in units of the airport's own
 * spread, which makes airports alike. Without examples the net equals the baseline. `earlier`, a net of an earlier
 * cutoff, is fitted further: its examples ended before the tail that now validates it began.
 */
export function fitPooled(examples: Examples, cutoff_ms: number, seed: number, earlier?: QuantileNet): PooledFit {
  const random = seededRandom(seed)
  const known = knownBy(examples, cutoff_ms)
  const share = MAX_EXAMPLES / known.truth.length
  const sample = share < 1 ? selectExamples(known, () => random() < share) : known
  const net = earlier ?? createNet(normalisationOf(sample.inputs), seed)
  return { net, report: fitNet(net, sample, { seed, max_epochs: earlier ? REFIT_EPOCHS : FIT_EPOCHS }) }
}
