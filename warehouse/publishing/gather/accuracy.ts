import { groupBy } from '../../../config/group-by.ts'
import { getOrCreate } from '../../../config/once.ts'
import { DAY_MS, HORIZON_BUCKETS, isoUtc, utcDayOf } from '../../../config/vocabulary.ts'
import { type DailyLosses, skillsOf } from '../../../forecasting/skill/skill.ts'
import { contestSums, readImported } from '../../storage/contest-sums.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { forecasts } from '../../tables/forecasts.ts'
import { outsideForecasts } from '../../tables/outside-forecasts.ts'
import { backtestScores, type Miss, misses, scores } from '../../tables/scores.ts'
import {
  type Accuracy,
  type AccuracyContent,
  type AirportBacktest,
  type AirportRecord,
  type BucketRecord,
  type DriftingModel,
  type OutsideRecord,
  type OverallSkill,
  RECORD_DAYS,
  type RecordDays,
  type ReliabilitySums,
  type ScoreSums,
  SUM_NAMES,
} from '../read/accuracy.ts'
import { defineGathered } from './define-gathered.ts'

export const gatherAccuracy = defineGathered({
  gather: async ({ warehouse, now }): Promise<AccuracyContent> => ({ accuracy: await readAccuracy(warehouse, now) }),
  files: {
    keys: ['accuracy'],
    encode: ({ accuracy: content }) => ({ 'accuracy.json': Buffer.from(JSON.stringify(content)) }),
  },
})

/** The tables of the record. They change once an hour, and a snapshot is published every minute. */
const RECORD_TABLES = [scores, backtestScores, misses, outsideForecasts, forecasts]

/** The record as the tables have it. */
export async function readAccuracy(warehouse: Warehouse, now: number): Promise<Accuracy> {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  // Other states change more often than those of models.
  const [drift] = await warehouse.query("SELECT max(since) AS since FROM state_changes WHERE subject LIKE 'model:%'")
  return warehouse.remembered('accuracy', RECORD_TABLES, `${today} ${JSON.stringify(drift)}`, () =>
    makeAccuracy(warehouse, now, today),
  )
}

/** A thousandth of a minute is below what any figure shows, and shorter numbers make smaller snapshots. */
const SUMS = SUM_NAMES.map((name) => `round(coalesce(sum(${name}), 0)::DOUBLE, 3) AS ${name}`).join(', ')

async function makeAccuracy(warehouse: Warehouse, now: number, today: number): Promise<Accuracy> {
  const [span] = await warehouse.query<{ since: string | null }>(
    'SELECT min(day) AS since FROM scores WHERE samples > 0',
  )
  const overall: OverallSkill[] = []
  const records: AirportRecord[] = []
  for (const days of RECORD_DAYS) {
    const from = today - days * DAY_MS
    const live = { table: 'scores', where: `date >= '${utcDayOf(from)}' AND date <= '${utcDayOf(now)}'` }
    const skills = await readSkills(
      warehouse,
      { ...live, where: `${live.where} AND basis = 'predicted'` },
      from,
      days + 1,
    )
    overall.push(...skills.overall(days))
    records.push(...(await readRecords(warehouse, live.where, days, skills)))
  }
  const newest = await newestBacktests(warehouse)
  const firstDay = Math.min(today, ...newest.map(({ first_day }) => Date.parse(first_day)))
  const days = (today - firstDay) / DAY_MS + 1
  const backtest = { table: `(${NEWEST_BACKTEST_SCORES})`, where: 'true' }
  const skills = await readSkills(warehouse, backtest, firstDay, days)
  overall.push(...skills.overall(null))
  return {
    recorded_since: span?.since ?? null,
    until: isoUtc(now),
    records,
    backtests: await readBacktests(warehouse, newest, skills),
    overall,
    misses: await readMisses(warehouse, today - 30 * DAY_MS),
    drifting: await readDrifting(warehouse, now),
    outside: await readOutside(warehouse, now),
  }
}

interface SumsRow extends ScoreSums {
  iata: string
  from_hours: number
}

interface SkillTables {
  skillOf: (iata: string, from_hours: number) => Pick<BucketRecord, 'skill_mae' | 'skill_pinball'>
  overall: (days: RecordDays | null) => OverallSkill[]
}

/** The skill of security forecasts in each bucket, of all airports and of each. */
async function readSkills(
  warehouse: Warehouse,
  { table, where }: { table: string; where: string },
  first_ms: number,
  days: number,
): Promise<SkillTables> {
  const rows = await warehouse.columns(
    `SELECT iata, from_hours, (epoch(day) - ${first_ms / 1_000}) / 86400 AS day, sum(compared) AS compared,
       sum(compared_error_minutes) AS error, sum(compared_pinball_minutes) AS loss,
       sum(baseline_error_minutes) AS baseline_error, sum(baseline_pinball_minutes) AS baseline_loss
     FROM ${table} WHERE ${where} AND kind = 'security' AND terminal = '' AND compared > 0
     GROUP BY iata, from_hours, day ORDER BY iata, from_hours, day`,
  )
  const names = rows['iata'] as string[]
  const airports = [...new Set(names)]
  const place = new Map(airports.map((iata, k) => [iata, k]))
  const column = (name: string) => rows[name] as Float64Array
  const losses = (bucket: number, forecast: string, baseline: string): DailyLosses => {
    const size = airports.length * days
    const daily = {
      airports: airports.length,
      days,
      forecast: new Float64Array(size),
      baseline: new Float64Array(size),
      samples: new Float64Array(size),
    }
    for (const [row, iata] of names.entries()) {
      if (column('from_hours')[row] !== bucket) continue
      const index = place.get(iata)! * days + Math.round(column('day')[row]!)
      daily.forecast[index] = column(forecast)[row]!
      daily.baseline[index] = column(baseline)[row]!
      daily.samples[index] = column('compared')[row]!
    }
    return daily
  }
  const byBucket = new Map(
    HORIZON_BUCKETS.map(([from]) => [
      from,
      {
        mae: skillsOf(losses(from, 'error', 'baseline_error')),
        pinball: skillsOf(losses(from, 'loss', 'baseline_loss')),
      },
    ]),
  )
  return {
    skillOf(iata, from_hours) {
      const index = place.get(iata)
      const skills = byBucket.get(from_hours)
      if (index === undefined || !skills) return { skill_mae: null, skill_pinball: null }
      return { skill_mae: skills.mae.airports[index] ?? null, skill_pinball: skills.pinball.airports[index] ?? null }
    },
    overall: (period) =>
      [...byBucket].map(([from_hours, { mae, pinball }]) => ({
        days: period,
        from_hours,
        airports: mae.airports.filter((error) => error !== null).length,
        skill_mae: mae.all,
        skill_pinball: pinball.all,
      })),
  }
}

const NO_SKILL = { skill_mae: null, skill_pinball: null }

type QueueKey = Pick<AirportRecord, 'kind' | 'iata' | 'direction' | 'basis'>

async function readRecords(
  warehouse: Warehouse,
  where: string,
  days: RecordDays,
  skills: SkillTables,
): Promise<AirportRecord[]> {
  const queue = `kind, iata, direction, basis`
  const from = `FROM scores WHERE ${where} AND terminal = '' AND kind IN ('security', 'immigration')`
  const sums = await warehouse.query<SumsRow & QueueKey>(
    `SELECT ${queue}, from_hours, ${SUMS} ${from} GROUP BY ${queue}, from_hours ORDER BY ${queue}, from_hours`,
  )
  const claims = await warehouse.query<ReliabilitySums & QueueKey>(
    `SELECT ${queue}, ${RELIABILITY} ${from} AND claimed > 0 GROUP BY ${queue}, confidence_tenth ORDER BY ${queue}, confidence_tenth`,
  )
  const records = new Map<string, AirportRecord>()
  const keyOf = ({ kind, iata, direction, basis }: QueueKey) => [kind, iata, direction, basis].join('/')
  for (const { kind, iata, direction, basis, ...bucket } of sums) {
    const queue = { kind, iata, direction, basis }
    const record = getOrCreate(records, keyOf(queue), () => ({ ...queue, days, buckets: [], reliability: [] }))
    const isCompared = kind === 'security' && basis === 'predicted'
    record.buckets.push({ ...bucket, ...(isCompared ? skills.skillOf(iata, bucket.from_hours) : NO_SKILL) })
  }
  for (const { kind, iata, direction, basis, ...claim } of claims)
    records.get(keyOf({ kind, iata, direction, basis }))?.reliability.push(claim)
  return [...records.values()]
}

const RELIABILITY = `confidence_tenth AS tenth, sum(claimed)::DOUBLE AS claimed, round(sum(confidence), 3) AS confidence,
  sum(claimed_within_5)::DOUBLE AS claimed_within_5`

const NEWEST_BACKTEST_SCORES = `SELECT s.* FROM backtest_scores s SEMI JOIN
  (SELECT iata, arg_max(model, trained_at) AS model FROM backtest_scores WHERE kind = 'security' GROUP BY iata) n
  ON n.iata = s.iata AND n.model = s.model`

type BacktestRow = Pick<AirportBacktest, 'iata' | 'model' | 'evaluated_from' | 'evaluated_to'> & { first_day: string }

const newestBacktests = (warehouse: Warehouse) =>
  warehouse.query<BacktestRow>(
    `SELECT s.iata, s.model, any_value(b.evaluated_from) AS evaluated_from, any_value(b.evaluated_to) AS evaluated_to, min(day) AS first_day
     FROM (${NEWEST_BACKTEST_SCORES}) s JOIN backtests b ON b.kind = s.kind AND b.iata = s.iata AND b.model = s.model
     GROUP BY s.iata, s.model ORDER BY s.iata`,
  )

async function readBacktests(
  warehouse: Warehouse,
  newest: readonly BacktestRow[],
  skills: SkillTables,
): Promise<AirportBacktest[]> {
  const sums = await warehouse.query<SumsRow>(
    `SELECT iata, from_hours, ${SUMS} FROM (${NEWEST_BACKTEST_SCORES}) GROUP BY iata, from_hours ORDER BY iata, from_hours`,
  )
  const claims = await warehouse.query<ReliabilitySums & { iata: string }>(
    `SELECT iata, ${RELIABILITY} FROM (${NEWEST_BACKTEST_SCORES}) WHERE claimed > 0 GROUP BY iata, confidence_tenth ORDER BY iata, confidence_tenth`,
  )
  const bucketsOf = groupBy(sums, ({ iata }) => iata)
  const claimsOf = groupBy(claims, ({ iata }) => iata)
  return newest.map(({ iata, model, evaluated_from, evaluated_to }) => ({
    iata,
    model,
    evaluated_from,
    evaluated_to,
    buckets: (bucketsOf.get(iata) ?? []).map(({ iata: _, ...bucket }) => ({
      ...bucket,
      ...skills.skillOf(iata, bucket.from_hours),
    })),
    reliability: (claimsOf.get(iata) ?? []).map(({ iata: _, ...claim }) => claim),
  }))
}

const MISSES = 20

const readMisses = (warehouse: Warehouse, from: number) =>
  warehouse.query<Omit<Miss, 'day' | 'kind'>>(
    `SELECT iata, hour, issued_at, model, p10, p50, p90, wait_minutes, samples, program, closed_share, same_side_share FROM misses
     WHERE date >= $day ORDER BY greatest(p10 - wait_minutes, wait_minutes - p90) DESC, iata, hour LIMIT ${MISSES}`,
    { day: utcDayOf(from) },
  )

/** The airports whose model differs from its backtest now. */
async function readDrifting(warehouse: Warehouse, now: number): Promise<DriftingModel[]> {
  const rows = await warehouse.query<DriftingModel>(
    `SELECT substr(subject, 7) AS iata, arg_max(state, since) AS state, max(since) AS since, arg_max(reason, since) AS reason
     FROM state_changes WHERE subject LIKE 'model:%' AND since <= $now::TIMESTAMPTZ GROUP BY subject ORDER BY subject`,
    { now: isoUtc(now) },
  )
  return rows.filter(({ state }) => state === 'drifting' || state === 'on_rule')
}

async function readOutside(warehouse: Warehouse, now: number): Promise<OutsideRecord[]> {
  const imported = await readImported(warehouse, now)
  if (imported.length === 0) return []
  const sums = new Map((await contestSums(warehouse, now)).map((sum) => [`${sum.forecaster}/${sum.iata}`, sum]))
  const serving = await warehouse.query<{ name: string }>(
    `SELECT DISTINCT regexp_extract(model, '^outside:(.+)@', 1) AS name FROM
     (SELECT model, issued_at, max(issued_at) OVER (PARTITION BY iata) AS newest FROM forecasts WHERE kind = 'security' AND terminal = '' AND date >= $day)
     WHERE issued_at = newest AND model LIKE 'outside:%'`,
    { day: utcDayOf(now - DAY_MS) },
  )
  const names = new Set(serving.map(({ name }) => name))
  return imported.map(({ forecaster, iata, open_forecasts }) => {
    const name = `${forecaster}/${iata}`
    const contest = sums.get(name)
    return {
      forecaster,
      iata,
      hours: contest?.hours ?? 0,
      mae_minutes: contest ? contest.error_minutes / contest.samples : null,
      model_mae_minutes: contest ? contest.model_error_minutes / contest.samples : null,
      serves: names.has(name),
      open_forecasts,
    }
  })
}
