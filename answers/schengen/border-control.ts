import { z } from 'zod'
import { type CheckpointWait, Instant, type QueueWait } from '../../config/answer-schemas.ts'
import { type BorderDirection, borderDirection } from '../../config/border-direction.ts'
import { BORDER_WAIT_PUBLISHERS, EES_FACTS, EesFact } from '../../config/reference/schengen.ts'
import { Basis, Freshness, isStandardLane, type QueueStatus } from '../../config/vocabulary.ts'

/** The wait of the border queues of one direction. */
export const BorderWait = z.strictObject({
  wait_minutes: z.int().min(0),
  basis: Basis,
  observed_at: Instant,
  age_seconds: z.int().min(0),
  source: z.string(),
  freshness: Freshness,
})
export type BorderWait = z.input<typeof BorderWait>

/** Whether the queues of one direction are open, by their standard (or unsplit) lanes, and how old the newest word of it is. */
export interface BorderStatus {
  status: QueueStatus
  age_seconds: number | null
}

type OpenLane = CheckpointWait & { wait_minutes: number }

const isOpenLane = (lane: CheckpointWait): lane is OpenLane =>
  isStandardLane(lane.lane) && lane.open !== false && lane.wait_minutes !== null && lane.freshness !== 'expired'

/**
 * The border waits of an airport by direction: the average over the open standard (or unsplit) lanes whose names state the
 * direction, with the age of the oldest of them. A lane whose name states no direction is `unknown`.
 */
export function borderWaits({ terminals }: QueueWait): Record<BorderDirection, BorderWait | null> {
  const lanes = terminals.flatMap(({ terminal, checkpoints }) =>
    checkpoints.filter(isOpenLane).map((lane) => ({ ...lane, direction: borderDirection(terminal, lane.checkpoint) })),
  )
  const average = (direction: BorderDirection) => averageOf(lanes.filter((lane) => lane.direction === direction))
  return { entry: average('entry'), exit: average('exit'), unknown: average('unknown') }
}

function averageOf(lanes: OpenLane[]): BorderWait | null {
  const [oldest] = lanes.toSorted((a, b) => (b.age_seconds ?? 0) - (a.age_seconds ?? 0))
  if (!oldest || oldest.age_seconds === null || oldest.freshness === null) return null
  return {
    wait_minutes: Math.round(lanes.reduce((sum, { wait_minutes }) => sum + wait_minutes, 0) / lanes.length),
    basis: lanes.some(({ basis }) => basis === 'reported') ? 'reported' : 'measured',
    observed_at: oldest.observed_at,
    age_seconds: oldest.age_seconds,
    source: [...new Set(lanes.flatMap(({ source }) => source ?? []))].join('+'),
    freshness: oldest.freshness,
  }
}

/** The status of the queues of each direction: closed only if all of them are. */
export function borderStatuses({ terminals }: QueueWait): Record<BorderDirection, BorderStatus> {
  const lanes = terminals.flatMap(({ terminal, checkpoints }) =>
    checkpoints
      .filter(({ lane, freshness }) => isStandardLane(lane) && freshness !== 'expired')
      .map((lane) => ({ ...lane, direction: borderDirection(terminal, lane.checkpoint) })),
  )
  const statusOf = (wanted: BorderDirection): BorderStatus => {
    const own = lanes.filter(({ direction, open }) => direction === wanted && open !== null)
    if (own.length === 0) return { status: 'unknown', age_seconds: null }
    const ages = own.flatMap(({ age_seconds }) => age_seconds ?? [])
    const status = own.every(({ open }) => open === false) ? 'closed' : 'open'
    return { status, age_seconds: ages.length === 0 ? null : Math.min(...ages) }
  }
  return { entry: statusOf('entry'), exit: statusOf('exit'), unknown: statusOf('unknown') }
}

/** The facts that still apply: since when the system runs, and how a state or a crossing point may suspend it. */
const STILL_APPLIES = /^(gradual start|fully in operation|after this date a state may|a crossing point with excessive)/

export const EesStatus = z.strictObject({
  facts: z
    .array(EesFact)
    .describe('Since when the system runs and how it may be suspended, each with source and date.'),
  newest_fact_date: z.string().describe('Date of the newest fact on file about the system.'),
  note: z.string(),
})

/** The travellers whom the system registers and the queue that a figure describes. */
export const EES_SCOPE =
  'The Entry/Exit System registers non-EU travellers on short stays at external borders, not in Cyprus or Ireland. A figure is the wait at the passport queue as its publisher counts it, rarely of registrations alone.'

/** The reference facts about the system itself; no feed publishes them. */
export function eesStatus(): z.input<typeof EesStatus> {
  const rows = EES_FACTS.rows()
  const newest_fact_date = rows
    .flatMap(({ date }) => date.match(/\d{4}-\d{2}(-\d{2})?/g) ?? [])
    .sort()
    .at(-1)!
  return {
    facts: rows.filter(({ fact }) => STILL_APPLIES.test(fact)),
    newest_fact_date,
    note: `The facts here date from ${newest_fact_date} or earlier; whether checks are suspended anywhere now is not known.`,
  }
}

/** The known publishers of border waits of a Schengen airport. */
export const publishersOf = (iata: string) =>
  BORDER_WAIT_PUBLISHERS.rows().filter(({ schengen, airports }) => schengen && airports.includes(iata))
