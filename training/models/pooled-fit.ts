import { type Examples, examplesOf, joinExamples, knownBy } from '../features/examples.ts'
import type { PreparedSeries } from '../features/profile.ts'
import type { RunSettings } from '../settings/run-settings.ts'
import { type FitReport, fitNet } from './fit.ts'
import { createNet, meanOfNets, normalisationOf, type QuantileNet } from './quantile-net.ts'

/** Examples of all airports up to a last cutoff, made once; a fit at an earlier cutoff uses those known by then. */
export function pooledExamples(series: readonly PreparedSeries[], cutoff_ms: number, { fit }: RunSettings): Examples {
  const step = fit.origin_step_hours * Math.ceil(series.length / fit.series_per_step)
  return joinExamples(series.map((each) => examplesOf(each, cutoff_ms, step)))
}

export interface PooledFit {
  net: QuantileNet
  report: FitReport
}

/**
 * Fits nets on the examples of all airports known by a cutoff, one from each seed, and joins them. All airports share them because the few hundred noisy
 * hours of one airport teach less than all of them together; inputs and outputs are in units of the airport's own
 * spread, which makes airports alike. Without examples the nets correct nothing.
 */
export function fitEnsemble(examples: Examples, cutoff_ms: number, settings: RunSettings): PooledFit {
  const known = knownBy(examples, cutoff_ms)
  const normalisation = normalisationOf(known.inputs, settings.leave_out)
  const fits = settings.seeds.map((seed) => {
    const net = createNet(normalisation, seed, settings.net)
    return { net, report: fitNet(net, known, seed, settings.fit) }
  })
  return { net: meanOfNets(fits.map(({ net }) => net)), report: fits[0]!.report }
}
