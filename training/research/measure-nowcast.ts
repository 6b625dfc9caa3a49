import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { airportDirectory } from '../../config/airports/directory.ts'
import { HoldshortError } from '../../config/errors.ts'
import { mapKeys } from '../../config/map-keys.ts'
import { DAY_MS, MINUTE_MS } from '../../config/vocabulary.ts'
import { NOWCAST_LEADS, type SharedNowcast } from '../../forecasting/nowcast/coefficients.ts'
import { recentAt } from '../../forecasting/nowcast/nowcast-inputs.ts'
import { type NowcastSeries, nowcastSeries, SLOTS_A_DAY, scansOf } from '../../forecasting/nowcast/series.ts'
import { meanAround } from '../../forecasting/nowcast/usual-waits.ts'
import { lowerBound, mean, median } from '../../forecasting/statistics/statistics.ts'
import {
  halfWindow,
  ISSUE_STEP_MS,
  MAX_AGE_MS,
  type NowcastExample,
  nowcastExamples,
  truthAt,
} from '../nowcast/examples.ts'
import { learnShared } from '../nowcast/learn.ts'
import { NowcastWalk } from '../nowcast/walk.ts'
import { readLaneWaits } from './history-files.ts'

/** One airport of one historical set. */
export interface NowcastHistory {
  set: string
  series: NowcastSeries
}

/** Reads the airports of every security-* set of a folder, or of the folder itself when it is a set. */
export function readNowcastHistory(folder: string): NowcastHistory[] {
  const sets = readdirSync(folder).filter((name) => name.startsWith('security-'))
  const folders = sets.length > 0 ? sets.sort().map((name) => join(folder, name)) : [folder]
  const found = folders.flatMap((folder) => {
    const readings = readLaneWaits(folder).sort((a, b) => a.observed_ms - b.observed_ms)
    const iatas = [...new Set(readings.map(({ iata }) => iata))].sort()
    return iatas.flatMap((iata) => {
      const airport = airportDirectory().byIata.get(iata)
      if (!airport) return []
      const own = readings.filter((reading) => reading.iata === iata)
      const scans = scansOf(own.map((reading) => ({ ...reading, available_ms: reading.observed_ms })))
      return [{ set: folder.split('/').at(-1)!, series: nowcastSeries(airport, scans) }]
    })
  })
  if (found.length === 0) throw new HoldshortError('IMPORT_INVALID', `${folder}: no readings of a known airport`)
  return found
}

const NOWCAST_RULES = ['persistence', 'time_of_day', 'seasonal', 'blend'] as const
const COMPARED = [...NOWCAST_RULES, 'nowcast', 'left_out'] as const
type ComparedNowcast = (typeof COMPARED)[number]

/** Mean absolute errors in minutes at one lead; airports of a set count alike. */
export interface NowcastFigures {
  set: string
  lead_minutes: number
  airports: number
  samples: number
  mae_minutes: Record<ComparedNowcast, number>
  /** Fraction of truths inside p10–p90 of the nowcast. */
  coverage_80: number
}

/** The first part of each airport's span is learned from, the rest is scored. */
const LEARNED_SHARE = 0.6
const MIN_SAMPLES = 15
/** Airports are left out a fifth at a time. */
const FOLDS = 5

/**
 * Scores the nowcast on the later part of each set against four rules. The shared coefficients are learned from the earlier
 * parts; `left_out` learns them without the airport (a fifth of the airports at a time). The own part is learned on the way.
 */
export function measureNowcast(
  history: readonly NowcastHistory[],
  onProgress: (done: number, total: number) => void = () => {},
): NowcastFigures[] {
  const parts = history.map(({ series: { scans } }) => {
    const first = scans.observed_ms[0]!
    return first + LEARNED_SHARE * (scans.observed_ms.at(-1)! - first)
  })
  const earlier = history.map(({ series }, k) => {
    onProgress(k, 2 * history.length)
    return nowcastExamples(series, Number.NEGATIVE_INFINITY, parts[k]!).filter(({ known_ms }) => known_ms <= parts[k]!)
  })
  const shared = learnShared(earlier)
  const codes = [...new Set(history.map(({ series }) => series.iata))].sort()
  const foldOf = (iata: string) => codes.indexOf(iata) % FOLDS
  const withoutFold = Array.from({ length: FOLDS }, (_, fold) =>
    learnShared(earlier.filter((_, k) => foldOf(history[k]!.series.iata) !== fold)),
  )
  const scored = history.map(({ set, series }, k) => {
    onProgress(history.length + k, 2 * history.length)
    return { set, rows: scoredRows(series, parts[k]!, shared, withoutFold[foldOf(series.iata)]!, earlier[k]!) }
  })
  const sets = [...new Set(history.map(({ set }) => set))]
  return sets.flatMap((set) =>
    NOWCAST_LEADS.flatMap((lead_minutes) => {
      const airports = scored
        .filter((group) => group.set === set)
        .map(({ rows }) => rows.filter((row) => row.lead_minutes === lead_minutes))
        .filter((rows) => rows.length >= MIN_SAMPLES)
      if (airports.length === 0) return []
      const average = (figureOf: (row: ScoredRow) => number) => mean(airports.map((rows) => mean(rows.map(figureOf))))
      const mae = (compared: ComparedNowcast) => average((row) => Math.abs(row.truth - row[compared]))
      return [
        {
          set,
          lead_minutes,
          airports: airports.length,
          samples: airports.reduce((sum, rows) => sum + rows.length, 0),
          mae_minutes: mapKeys(COMPARED, mae),
          coverage_80: average(({ truth, p10, p90 }) => (truth >= p10 && truth <= p90 ? 1 : 0)),
        },
      ]
    }),
  )
}

type ScoredRow = Record<ComparedNowcast, number> & { lead_minutes: number; truth: number; p10: number; p90: number }

function scoredRows(
  series: NowcastSeries,
  from_ms: number,
  shared: SharedNowcast,
  withoutAirport: SharedNowcast,
  earlier: readonly NowcastExample[],
): ScoredRow[] {
  const last_ms = series.scans.observed_ms.at(-1)!
  const shares = blendShares(series, earlier)
  const walk = new NowcastWalk(series, shared)
  const walkWithout = new NowcastWalk(series, withoutAirport)
  const rows: ScoredRow[] = []
  for (
    let issued_ms = Math.ceil(from_ms / ISSUE_STEP_MS) * ISSUE_STEP_MS;
    issued_ms < last_ms;
    issued_ms += ISSUE_STEP_MS
  ) {
    const recent = recentAt(series, issued_ms)
    if (!recent || issued_ms - recent.observed_ms > MAX_AGE_MS) continue
    const valid = NOWCAST_LEADS.map((minutes) => issued_ms + minutes * MINUTE_MS)
    const nowcasts = walk.nowcastsAt(issued_ms, valid)
    const others = walkWithout.nowcastsAt(issued_ms, valid)
    const rules = rulesAt(series, issued_ms, recent.observed_ms, recent.last, recent.cadence_minutes)
    for (const [lead, valid_ms] of valid.entries()) {
      const truth = truthAt(series, issued_ms, valid_ms, halfWindow(recent.cadence_minutes))
      const nowcast = nowcasts?.[lead]
      if (!truth || !nowcast) continue
      const { time_of_day, seasonal, expected } = rules(valid_ms)
      rows.push({
        lead_minutes: NOWCAST_LEADS[lead]!,
        truth: truth.minutes,
        persistence: recent.last,
        time_of_day,
        seasonal,
        blend: time_of_day + shares[lead]! * (recent.last - expected),
        nowcast: nowcast.p50,
        left_out: others![lead]!.p50,
        p10: nowcast.p10,
        p90: nowcast.p90,
      })
    }
  }
  return rows
}

const RULE_DAYS = 28

/** The simple rules at an instant of issue. */
function rulesAt(series: NowcastSeries, issued_ms: number, observed_ms: number, last: number, cadence_minutes: number) {
  const known = (minutes: number) => (Number.isNaN(minutes) ? last : minutes)
  const expected = known(timeOfDayMedian(series, issued_ms, observed_ms, cadence_minutes))
  return (valid_ms: number) => {
    const time_of_day = known(timeOfDayMedian(series, issued_ms, valid_ms, cadence_minutes))
    const half = halfWindow(cadence_minutes) + 5 * MINUTE_MS
    const before = [7, 1].map((days) => meanAround(series, valid_ms - days * DAY_MS, half, issued_ms))
    return { time_of_day, seasonal: before.find((minutes) => !Number.isNaN(minutes)) ?? time_of_day, expected }
  }
}

/** The median of the slots of the last 28 days near a time of the day: a quarter of an hour in dense feeds, else half an hour. */
function timeOfDayMedian(series: NowcastSeries, issued_ms: number, at_ms: number, cadence_minutes: number): number {
  const { slots, by_slot, minute_of_day } = series
  const reach = cadence_minutes < 30 ? 15 : 30
  // The local minute is taken from the nearest slot: within 28 days a clock change is rare enough for a rule.
  const anchor = Math.min(slots.middle_ms.length - 1, lowerBound(slots.middle_ms, at_ms))
  const minute =
    (((minute_of_day[anchor]! + Math.round((at_ms - slots.middle_ms[anchor]!) / MINUTE_MS)) % 1_440) + 1_440) % 1_440
  const found: number[] = []
  for (let step = -4; step <= 4; step++)
    for (const slot of by_slot[(Math.floor(minute / 10) + step + SLOTS_A_DAY) % SLOTS_A_DAY]!) {
      const middle = slots.middle_ms[slot]!
      const apart = Math.abs(minute_of_day[slot]! - minute)
      if (middle + 5 * MINUTE_MS > issued_ms || middle < issued_ms - RULE_DAYS * DAY_MS) continue
      if (Math.min(apart, 1_440 - apart) <= reach) found.push(slots.minutes[slot]!)
    }
  return median(found)
}

/** ρ of the blend at each lead: the share of the last deviation with the smallest error on the earlier part. */
function blendShares(series: NowcastSeries, earlier: readonly NowcastExample[]): number[] {
  const issues = [...new Set(earlier.map(({ issued_ms }) => issued_ms))].filter((issue) => issue % ISSUE_STEP_MS === 0)
  const step = Math.ceil(issues.length / 400)
  const sampled = new Set(issues.filter((_, k) => k % step === 0))
  const rows = earlier
    .filter(({ issued_ms }) => sampled.has(issued_ms))
    .map((example) => {
      const { issued_ms, lead, last, truth } = example
      const recent = recentAt(series, issued_ms)!
      const rule = rulesAt(series, issued_ms, recent.observed_ms, last, recent.cadence_minutes)
      const { time_of_day, expected } = rule(issued_ms + NOWCAST_LEADS[lead]! * MINUTE_MS)
      return { lead, truth, time_of_day, deviation: last - expected }
    })
  return NOWCAST_LEADS.map((_, lead) => {
    const own = rows.filter((row) => row.lead === lead)
    if (own.length === 0) return 0.5
    const shares = Array.from({ length: 21 }, (_, k) => k / 20)
    const errorOf = (share: number) =>
      mean(own.map(({ truth, time_of_day, deviation }) => Math.abs(truth - time_of_day - share * deviation)))
    return shares.reduce((best, share) => (errorOf(share) < errorOf(best) ? share : best))
  })
}

const SPARSE_SET = 'security-us-2026'

const HEADER = [
  '| set | minutes ahead | airports | samples | persistence | time of day | seasonal | blend | nowcast | below the best rule | airport left out | coverage 80 % |',
  '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
]

/** Mean absolute errors in minutes as a Markdown table: the mean over the airports of the dense sets, then each set. */
export function renderNowcastFigures(figures: readonly NowcastFigures[]): string {
  const dense = figures.filter(({ set }) => set !== SPARSE_SET)
  const pooled = NOWCAST_LEADS.flatMap((lead) =>
    pooledFigures(dense.filter(({ lead_minutes }) => lead_minutes === lead)),
  )
  return [...HEADER, ...pooled.map(tableRow), ...figures.map(tableRow), ''].join('\n')
}

/** The mean of some sets at one lead; airports count alike. */
function pooledFigures(figures: readonly NowcastFigures[]): NowcastFigures[] {
  const [first] = figures
  if (!first || figures.length === 1) return []
  const airports = figures.reduce((sum, figure) => sum + figure.airports, 0)
  const average = (figureOf: (figure: NowcastFigures) => number) =>
    mean(figures.map((figure) => figureOf(figure) * figure.airports)) * (figures.length / airports)
  const mae = (name: keyof NowcastFigures['mae_minutes']) => average(({ mae_minutes }) => mae_minutes[name])
  return [
    {
      set: 'all dense sets',
      lead_minutes: first.lead_minutes,
      airports,
      samples: figures.reduce((sum, figure) => sum + figure.samples, 0),
      mae_minutes: mapKeys(COMPARED, mae),
      coverage_80: average(({ coverage_80 }) => coverage_80),
    },
  ]
}

function tableRow({ set, lead_minutes, airports, samples, mae_minutes, coverage_80 }: NowcastFigures): string {
  const best = Math.min(...NOWCAST_RULES.map((rule) => mae_minutes[rule]))
  const percent = (fraction: number) => `${(100 * fraction).toFixed(1)} %`
  const minutes = [...NOWCAST_RULES, 'nowcast' as const].map((name) => mae_minutes[name].toFixed(2))
  const cells = [
    set,
    lead_minutes,
    airports,
    samples,
    ...minutes,
    percent(1 - mae_minutes.nowcast / best),
    mae_minutes.left_out.toFixed(2),
    percent(coverage_80),
  ]
  return `| ${cells.join(' | ')} |`
}
