import { DAY_MS, HORIZON_HOURS } from '../../config/vocabulary.ts'
import { type ExampleRequest, type Examples, examplesOfAll, knownBy } from '../../forecasting/features/examples.ts'
import type { PreparedSeries } from '../../forecasting/features/profile.ts'
import { clamp } from '../../forecasting/statistics/statistics.ts'
import type { NetShareSettings, TrainingSettings } from '../settings/training-settings.ts'
import { airportBiases, createAirportInputs, type FittedBiases, weightsOfAirport } from './airport-inputs.ts'
import { type FitReport, fitNet } from './fit.ts'
import {
  createNet,
  disposeNet,
  meanOfNets,
  type Normalisation,
  normalisationOf,
  type QuantileNet,
  readWeights,
  writeWeights,
} from './quantile-net.ts'

/**
 * Examples of all airports up to a last cutoff, made once; a fit at an earlier cutoff uses those known by then. `lanes` are further series that
 * only teach: queues behave alike, and a single lane shows more of it than the mean of several.
 */
export function pooledExamples(
  series: readonly PreparedSeries[],
  lanes: readonly PreparedSeries[],
  cutoff_ms: number,
  { fit }: TrainingSettings,
): Examples {
  const requests = (queues: readonly PreparedSeries[], most: number): ExampleRequest[] => {
    if (most === 0) return []
    const hours = queues.reduce((sum, { hour_ms }) => sum + hour_ms.length, 0)
    const parts = samplingParts(hours, most, fit)
    return queues.map((queueSeries) => ({ series: queueSeries, step_hours: fit.origin_step_hours, ...parts }))
  }
  return examplesOfAll([...requests(series, fit.airport_examples), ...requests(lanes, fit.lane_examples)], cutoff_ms)
}

/** The part of the examples that near hours may be, before there are fewer origins. */
const NEAR_PART = 1 / 3

/**
 * The parts of the examples of this many observed hours to sample, so that there are about `most`. Each origin has the hours observed in its horizon. Those far
 * ahead are the most and much alike, so they are thinned first: with fewer origins, nets forecast all hours ahead worse.
 */
export function samplingParts(
  hours: number,
  most: number,
  { origin_step_hours, near_hours }: Pick<TrainingSettings['fit'], 'origin_step_hours' | 'near_hours'>,
): Required<Pick<ExampleRequest, 'origin_part' | 'far_part' | 'near_hours'>> {
  const near = (hours * near_hours) / origin_step_hours
  const far = (hours * (HORIZON_HOURS - near_hours)) / origin_step_hours
  if (near + far <= most) return { origin_part: 1, far_part: 1, near_hours }
  const origin_part = Math.min(1, (NEAR_PART * most) / near)
  return { origin_part, far_part: Math.min(1, (most / origin_part - near) / far), near_hours }
}

const NO_BIASES = new Float32Array(0)

/** The report of a net that would have no share in any forecast. */
const NOT_FITTED: FitReport = { rows: 0, epochs: 0, steps: 0, loss: 0 }

/** Nets of one cutoff, joined. */
export interface PooledFit {
  share: number
  report: FitReport
  /** The net of an airport, made once; airports that the fit did not know have the shared one. */
  netOf: (iata: string) => QuantileNet
  /** Frees all nets that were made. */
  dispose: () => void
}

/** A net that was fitted from one seed, and what is each airport's own, in plain values. */
export interface FittedNet extends FittedBiases {
  normalisation: Normalisation
  share: number
  report: FitReport
}

/**
 * Fits a net on the examples of all airports known by a cutoff. All airports share it because the few hundred noisy
 * hours of one airport teach less than all of them together; inputs and outputs are in units of the airport's own
 * spread, which makes airports alike. Without examples the net corrects nothing.
 */
export function fitSeed(examples: Examples, cutoff_ms: number, seed: number, settings: TrainingSettings): FittedNet {
  const known = knownBy(examples, cutoff_ms)
  const normalisation = normalisationOf(examples.inputs, settings.leave_out, known)
  const share = netShareOf(daysOf(examples.issued_ms, known), settings.net_share)
  const net = createNet(normalisation, seed, settings.net)
  const own = share === 0 ? null : createAirportInputs(examples.airports, seed, normalisation.mean.length, settings.net)
  const report = share === 0 ? NOT_FITTED : fitNet(net, examples, seed, settings, known, own)
  const weights = readWeights(net)
  disposeNet(net)
  const airports = own ? examples.airports : []
  return { normalisation, share, report, weights, airports, airport_biases: own ? airportBiases(own) : NO_BIASES }
}

/** Stands for all airports that a fit did not know. */
const UNKNOWN_AIRPORT = ''

/** Joins fits of the same examples and cutoff, one from each seed: the net of an airport is the mean of its nets. */
export function joinFits(fits: readonly FittedNet[], seeds: readonly number[], settings: TrainingSettings): PooledFit {
  const { share, report, airports } = fits[0]!
  const made = new Map<string, QuantileNet>()
  const makeNet = (iata: string) =>
    meanOfNets(
      fits.map((fit, k) => {
        const net = createNet(fit.normalisation, seeds[k]!, settings.net)
        writeWeights(net, weightsOfAirport(fit, iata))
        return net
      }),
    )
  return {
    share,
    report,
    netOf: (iata) => {
      const name = airports.includes(iata) ? iata : UNKNOWN_AIRPORT
      const net = made.get(name) ?? makeNet(name)
      made.set(name, net)
      return net
    },
    dispose: () => {
      for (const net of made.values()) disposeNet(net)
      made.clear()
    },
  }
}

/** Fits nets at a cutoff, one from each seed, and joins them. */
export const fitEnsemble = (examples: Examples, cutoff_ms: number, settings: TrainingSettings): PooledFit =>
  joinFits(
    settings.seeds.map((seed) => fitSeed(examples, cutoff_ms, seed, settings)),
    settings.seeds,
    settings,
  )

/** The share of a net by the days of origins that it learned from. */
export function netShareOf(days: number, { most, from_days, full_days }: NetShareSettings): number {
  return most * clamp((days - from_days) / (full_days - from_days), 0, 1)
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
