import { DAY_MS, HORIZON_HOURS } from '../../config/domain.ts'
import { type Examples, examplesOfAll, knownBy } from '../features/examples.ts'
import type { PreparedSeries } from '../features/profile.ts'
import type { RunSettings } from '../settings/run-settings.ts'
import type { SharedNet } from './contenders.ts'
import { netShareOf } from './contenders.ts'
import { type FitReport, fitNet } from './fit.ts'
import { createNet, meanOfNets, normalisationOf } from './quantile-net.ts'

/**
 * Examples of all airports up to a last cutoff, made once; a fit at an earlier cutoff uses those known by then. `lanes` are further series that
 * only teach: queues behave alike, and a single lane shows more of it than the mean of several.
 */
export function pooledExamples(
  series: readonly PreparedSeries[],
  lanes: readonly PreparedSeries[],
  cutoff_ms: number,
  { fit }: RunSettings,
): Examples {
  const requests = (of: readonly PreparedSeries[], most: number) => {
    if (most === 0) return []
    const hours = of.reduce((sum, { hour_ms }) => sum + hour_ms.length, 0)
    const step_hours = originStep(hours, most, fit.origin_step_hours)
    return of.map((each) => ({ series: each, step_hours }))
  }
  return examplesOfAll([...requests(series, fit.airport_examples), ...requests(lanes, fit.lane_examples)], cutoff_ms)
}

/**
 * Hours between origins, a multiple of `step_hours`, so that there are about `most` examples: each origin has those of the hours observed in its horizon.
 * Origins stay at as many hours of the day as with `step_hours`: nets that only ever saw forecasts issued at midnight would know the next hours of no other time.
 */
export function originStep(hours: number, most: number, step_hours: number): number {
  let multiple = Math.max(1, Math.ceil((hours * HORIZON_HOURS) / (most * step_hours)))
  while (hoursOfDay(multiple * step_hours) < hoursOfDay(step_hours)) multiple++
  return multiple * step_hours
}

/** How many hours of the day are met by going on so many hours at a time. */
function hoursOfDay(step_hours: number): number {
  let count = 1
  for (let hour = step_hours % 24; hour !== 0; hour = (hour + step_hours) % 24) count++
  return count
}

/** Of a net that would have no share in any forecast. */
const NOT_FITTED: FitReport = { rows: 0, epochs: 0, steps: 0, loss: 0 }

export interface PooledFit extends SharedNet {
  report: FitReport
}

/**
 * Fits nets on the examples of all airports known by a cutoff, one from each seed, and joins them. All airports share them because the few hundred noisy
 * hours of one airport teach less than all of them together; inputs and outputs are in units of the airport's own
 * spread, which makes airports alike. Without examples the nets correct nothing.
 */
export function fitEnsemble(examples: Examples, cutoff_ms: number, settings: RunSettings): PooledFit {
  const known = knownBy(examples, cutoff_ms)
  const normalisation = normalisationOf(examples.inputs, settings.leave_out, known)
  const share = netShareOf(daysOf(examples.issued_ms, known), settings.net_share)
  const fits = settings.seeds.map((seed) => {
    const net = createNet(normalisation, seed, settings.net)
    return { net, report: share === 0 ? NOT_FITTED : fitNet(net, examples, seed, settings, known) }
  })
  return {
    net: meanOfNets(fits.map(({ net }) => net)),
    share,
    report: fits[0]!.report,
  }
}

/** Days from the first origin to the last; 0 without any. */
function daysOf(issued_ms: Float64Array, rows: Int32Array): number {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    first = Math.min(first, issued_ms[row]!)
    last = Math.max(last, issued_ms[row]!)
  }
  return Math.max(0, last - first) / DAY_MS
}
