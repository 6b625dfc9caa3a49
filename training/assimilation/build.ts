import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { airportDirectory } from '../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import { HoldshortError } from '../../config/errors.ts'
import { projectFile } from '../../config/paths.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import {
  ASSIMILATION_FILE,
  type LearnedAdjustment,
  LearnedAssimilation,
} from '../../forecasting/assimilation/learned.ts'
import { featureRows, horizonHours } from '../../forecasting/features/features.ts'
import { type PreparedSeries, prepareSeries, profileAt } from '../../forecasting/features/profile.ts'
import { priorTableIndex, typicalClass } from '../../forecasting/prior/typical.ts'
import { hitRates } from '../../forecasting/quantiles/calibration.ts'
import { isWithin5 } from '../../forecasting/quantiles/quantiles.ts'
import { backtest } from '../backtest/backtest.ts'
import { type LaneWait, readLaneWaits, seriesOfLaneWaits } from '../history/history-files.ts'
import { observedAirports, widen } from '../prior/prior.ts'
import { type AirportSlots, classTable } from '../prior/prior-table.ts'
import { runSettings } from '../settings/run-settings.ts'
import { type AssimilationExample, examplesOf, type IssuedHour } from './examples.ts'
import { fitSteps } from './fit.ts'
import { type ObservedWaits, observedWaits } from './observed-waits.ts'
import { READINGS_HOURS, runExamples } from './run-examples.ts'
import { adjustedExample, horizonScores, readingsOutside, type ScoredExample } from './scores.ts'

/** Hours after a reading that are learned from: the curves end at 24 hours. */
const HOURS_AHEAD = 25

/** One historical set: readings and hourly series at airport level. */
interface HistorySet {
  name: string
  waits: Map<string, ObservedWaits>
  series: PreparedSeries[]
}

/**
 * Learns from a folder of historical sets how the newest reading adjusts the forecast of the next hours: once for the
 * worldwide prior, once for forecasts from an airport's own history.
 * @throws HoldshortError IMPORT_INVALID when there is no such set.
 */
export async function buildAssimilation(
  historyDir: string,
  madeAt: string,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<LearnedAssimilation> {
  const names = readdirSync(historyDir)
    .filter((name) => name.startsWith('security-'))
    .sort()
  if (names.length === 0) throw new HoldshortError('IMPORT_INVALID', `${historyDir}: no security-* set`)
  const sets = names.map((name) => historySet(name, readLaneWaits(join(historyDir, name))))
  const typical = learnTypical(typicalExamples(sets))
  onProgress(1, sets.length + 1)
  const predicted: AssimilationExample[][] = []
  for (const [k, set] of sets.entries()) {
    predicted.push(await predictedExamples(set))
    onProgress(k + 2, sets.length + 1)
  }
  return LearnedAssimilation.parse({ made_at: madeAt, made_from: names, typical, predicted: learnPredicted(predicted) })
}

/** Writes what was learned to the file that `forecasting/assimilation/learned.ts` reads. */
export async function writeAssimilation(learned: LearnedAssimilation): Promise<void> {
  await writeFile(projectFile(...ASSIMILATION_FILE), `${JSON.stringify(learned, null, 1)}\n`)
}

function historySet(name: string, readings: LaneWait[]): HistorySet {
  const series = seriesOfLaneWaits(readings).filter(({ terminal }) => terminal === '')
  return { name, waits: observedWaits(readings), series: series.map(prepareSeries) }
}

/** The wait observed in an hour of a series; NaN where none is known. */
function truthFinder({ hour_ms, mean }: PreparedSeries): (hour: number) => number {
  const rows = new Map(Array.from(hour_ms, (hour, row) => [hour, row]))
  return (hour) => {
    const row = rows.get(hour)
    return row === undefined ? Number.NaN : mean[row]!
  }
}

/** Examples of each airport against a prior that is made from the other airports. */
function typicalExamples(sets: readonly HistorySet[]): AssimilationExample[] {
  const airports = observedAirports(sets.flatMap(({ series }) => series))
  return sets.flatMap(({ series, waits }) =>
    series.flatMap((each) => {
      const own = waits.get(each.iata)
      if (!own) return []
      return examplesOf({
        waits: own,
        from_ms: Number.NEGATIVE_INFINITY,
        to_ms: Number.POSITIVE_INFINITY,
        hours: HOURS_AHEAD,
        issued: priorWithout(each.iata, airports),
        truthAt: truthFinder(each),
      })
    }),
  )
}

/** The prior's forecast of an airport's hours, made from the other airports. */
function priorWithout(iata: string, airports: readonly AirportSlots[]): (hour_ms: number) => IssuedHour {
  const { size, timezone } = airportDirectory().byIata.get(iata)!
  const others = airports.filter((airport) => airport.iata !== iata)
  const factor = typicalClass(size).widened_by
  const table = classTable(others, size).map((cell) => widen(cell, factor))
  return (hour_ms) => {
    const { hour, weekday } = localClock(timezone, [hour_ms])
    return table[priorTableIndex(hour[0]!, weekday[0]!)]!
  }
}

const FOLDS = 5

/** Learns from all airports; the scores are of each fifth of the airports with curves learned from the others. */
function learnTypical(examples: readonly AssimilationExample[]): LearnedAdjustment {
  const codes = [...new Set(examples.map(({ iata }) => iata))].sort()
  const foldOf = ({ iata }: AssimilationExample) => codes.indexOf(iata) % FOLDS
  const scored = Array.from({ length: FOLDS }, (_, fold) =>
    adjustAll(
      learnFrom(examples.filter((example) => foldOf(example) !== fold)),
      examples.filter((example) => foldOf(example) === fold),
    ),
  ).flat()
  return learnedAdjustment(
    examples,
    scored,
    'Each airport was scored with a prior made from the other airports, and with curves learned from four fifths of the airports without it.',
  )
}

/** Days of origins of the backtest that makes the forecasts, and hours between origins: not a divisor of the day, so that every hour of the day is one. */
const BACKTEST_DAYS = 28
const EVERY_HOURS = 5
/** A set that spans fewer days is too short for the backtest of a net: there the same-hour quantiles are the forecast. */
const MIN_DAYS_FOR_NET = 60
const SHORT_SET_WARM_UP_DAYS = 3
/** The first part of each set is learned from for the scores; the rest is scored. */
const LEARNED_SHARE = 0.6

async function predictedExamples({ series, waits }: HistorySet): Promise<AssimilationExample[]> {
  const first = Math.min(...series.map(({ hour_ms }) => hour_ms[0]!))
  const last = Math.max(...series.map(({ hour_ms }) => hour_ms.at(-1)!))
  if (last - first < MIN_DAYS_FOR_NET * DAY_MS) return series.flatMap((each) => sameHourExamples(each, waits))
  const to_ms = last - 2 * DAY_MS
  const runs = await backtest(series, {
    from_ms: to_ms - BACKTEST_DAYS * DAY_MS,
    to_ms,
    settings: runSettings({ backtest: { every_hours: EVERY_HOURS } }),
  })
  return runs.flatMap((run) => runExamples(run, waits.get(run.iata), READINGS_HOURS, HOURS_AHEAD))
}

/** Examples of a short series, forecast each hour by the same-hour quantiles of what was known then. */
function sameHourExamples(series: PreparedSeries, waits: Map<string, ObservedWaits>): AssimilationExample[] {
  const own = waits.get(series.iata)
  if (!own) return []
  const examples: AssimilationExample[] = []
  const start = series.hour_ms[0]! + SHORT_SET_WARM_UP_DAYS * DAY_MS
  for (let issued_ms = start; issued_ms < series.hour_ms.at(-1)!; issued_ms += HOUR_MS) {
    const profile = profileAt(series, issued_ms)
    if (!profile) continue
    const { p10, p50, p90 } = featureRows(series, profile, horizonHours(issued_ms).subarray(0, HOURS_AHEAD + 2))
    const rowOf = (hour_ms: number) => Math.round((hour_ms - issued_ms) / HOUR_MS)
    const ofHour = examplesOf({
      waits: own,
      from_ms: issued_ms,
      to_ms: issued_ms + HOUR_MS,
      hours: HOURS_AHEAD,
      issued: (hour_ms) => ({ p10: p10[rowOf(hour_ms)]!, p50: p50[rowOf(hour_ms)]!, p90: p90[rowOf(hour_ms)]! }),
      truthAt: truthFinder(series),
    })
    examples.push(...ofHour)
  }
  return examples
}

/** Learns from all examples; the scores are of the last part of each set with curves learned from the earlier part. */
function learnPredicted(sets: readonly AssimilationExample[][]): LearnedAdjustment {
  const split = sets.map((examples) => {
    const instants = examples.map(({ observed_ms }) => observed_ms).sort((a, b) => a - b)
    const cut = instants[Math.floor(instants.length * LEARNED_SHARE)] ?? Number.POSITIVE_INFINITY
    const ended = ({ observed_ms, lead_hours }: AssimilationExample) => observed_ms + (lead_hours + 0.5) * HOUR_MS
    return {
      earlier: examples.filter((example) => ended(example) <= cut),
      later: examples.filter(({ observed_ms }) => observed_ms > cut),
    }
  })
  const scored = adjustAll(
    learnFrom(split.flatMap(({ earlier }) => earlier)),
    split.flatMap(({ later }) => later),
  )
  return learnedAdjustment(
    sets.flat(),
    scored,
    'The last two fifths of each set were scored with curves learned from the part before it.',
  )
}

type Curves = Pick<LearnedAdjustment, 'steps' | 'within_5'>

/** No airport counts with more examples than this for the confidence, so that long series do not decide alone. */
const MAX_EXAMPLES_FOR_CONFIDENCE = 3_000

function learnFrom(examples: readonly AssimilationExample[]): Curves {
  const steps = fitSteps(examples)
  const counts = new Map<string, number>()
  for (const { iata } of examples) counts.set(iata, (counts.get(iata) ?? 0) + 1)
  const ofAirport = new Map<string, number>()
  const hits = examples.flatMap((example) => {
    const place = ofAirport.get(example.iata) ?? 0
    ofAirport.set(example.iata, place + 1)
    if (place % Math.ceil(counts.get(example.iata)! / MAX_EXAMPLES_FOR_CONFIDENCE) !== 0) return []
    const { p10, p50, p90 } = adjustedExample(example, { steps, within_5: [{ spread: 0, probability: 0 }] })
    return [{ spread: p90 - p10, hit: isWithin5(example.truth, p50) }]
  })
  const within_5 = hitRates(hits).map(({ spread, probability }) => ({
    spread: Number(spread.toFixed(2)),
    probability: Number(probability.toFixed(3)),
  }))
  return { steps, within_5 }
}

function adjustAll(curves: Curves, examples: readonly AssimilationExample[]): ScoredExample[] {
  return examples.map((example) => ({ example, adjusted: adjustedExample(example, curves) }))
}

function learnedAdjustment(
  examples: readonly AssimilationExample[],
  scored: readonly ScoredExample[],
  kept_back: string,
): LearnedAdjustment {
  return {
    airports: new Set(examples.map(({ iata }) => iata)).size,
    samples: examples.length,
    ...learnFrom(examples),
    kept_back,
    backtest: horizonScores(scored),
    readings_outside_next_hour: readingsOutside(scored),
  }
}
