import { airportDirectory } from '../../config/airports/directory.ts'
import { DAY_MS, isoUtc } from '../../config/vocabulary.ts'
import {
  NOWCAST_LEADS,
  nowcastCoefficients,
  nowcastVersion,
  type SharedNowcast,
} from '../../forecasting/nowcast/coefficients.ts'
import { type NowcastSeries, nowcastSeries, scansOf } from '../../forecasting/nowcast/series.ts'
import { mean } from '../../forecasting/statistics/statistics.ts'
import { readLaneReadings } from '../../warehouse/publishing/waits/nowcast-readings.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { OwnNowcastRow } from '../../warehouse/tables/nowcasts.ts'
import { ISSUE_STEP_MS, type NowcastExample, nowcastExamples } from './examples.ts'
import { exampleNowcast, learnOwn } from './learn.ts'

const TRAINING_DAYS = 28
/** Issues of more days than this are half an hour apart: closer ones take five seconds an airport in place of one and a half. */
const FEW_DAYS = 6
/** The last two fifths of the examples are scored with an own part learned from the ones before. */
const LEARNED_SHARE = 0.6
const MIN_SCORED = 20
/** Later instants say little about how far the newest wait is to be trusted. */
const SCORED_LEAD_MINUTES = 120

export interface NowcastTraining {
  cutoff_ms: number
  trained_ms: number
  /** Airports that are wanted; default: all with readings. */
  airports?: readonly string[] | undefined
}

/** Learns the own part of each airport's nowcast from the readings that were known at an instant. */
export async function trainNowcasts(
  warehouse: Warehouse,
  { cutoff_ms, trained_ms, airports }: NowcastTraining,
): Promise<OwnNowcastRow[]> {
  const { shared } = nowcastCoefficients()
  const from_ms = cutoff_ms - TRAINING_DAYS * DAY_MS
  const readings = await readLaneReadings(warehouse, { kind: 'security', from_ms, cutoff_ms })
  return [...readings].flatMap(([iata, own]) => {
    const airport = airportDirectory().byIata.get(iata)
    if (!airport || airports?.includes(iata) === false) return []
    const min_step_ms = cutoff_ms - own[0]!.observed_ms > FEW_DAYS * DAY_MS ? ISSUE_STEP_MS : 0
    const series: NowcastSeries = { ...nowcastSeries(airport, scansOf(own)), near_slots: new Map() }
    const examples = nowcastExamples(series, from_ms, cutoff_ms, min_step_ms)
    const learned = learnOwn(examples, shared)
    if (!learned) return []
    const row = { kind: 'security' as const, iata, trained_at: isoUtc(trained_ms), learned: JSON.stringify(learned) }
    return [{ ...row, shared: nowcastVersion(), ...scoresOf(examples, shared) }]
  })
}

/** The errors on the last part of the examples, with an own part learned before it. */
function scoresOf(examples: readonly NowcastExample[], shared: SharedNowcast) {
  const cut = examples[Math.floor(examples.length * LEARNED_SHARE)]!.issued_ms
  const before = learnOwn(
    examples.filter(({ known_ms }) => known_ms <= cut),
    shared,
  )
  const scored = examples.filter(
    ({ issued_ms, lead }) => issued_ms >= cut && NOWCAST_LEADS[lead]! <= SCORED_LEAD_MINUTES,
  )
  const samples = scored.length
  if (samples < MIN_SCORED)
    return { samples, mae_minutes: null, shared_mae_minutes: null, persistence_mae_minutes: null, coverage_80: null }
  const forecasts = scored.map((example) => ({ example, forecast: exampleNowcast(example, shared, before) }))
  return {
    samples,
    mae_minutes: mean(forecasts.map(({ example, forecast }) => Math.abs(example.truth - forecast.p50))),
    shared_mae_minutes: mean(
      scored.map((example) => Math.abs(example.truth - exampleNowcast(example, shared, null).p50)),
    ),
    persistence_mae_minutes: mean(scored.map(({ truth, last }) => Math.abs(truth - last))),
    coverage_80: mean(
      forecasts.map(({ example: { truth }, forecast }) => (truth >= forecast.p10 && truth <= forecast.p90 ? 1 : 0)),
    ),
  }
}
