import { z } from 'zod'
import { type BorderDirection, borderDirection } from '../../../config/border-direction.ts'
import { Basis, Freshness } from '../../../config/domain.ts'
import { type CheckpointWait, Instant, type QueueWait } from '../../../config/facts.ts'

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

type OpenLane = CheckpointWait & { wait_minutes: number }

const isOpenLane = (lane: CheckpointWait): lane is OpenLane =>
  (lane.lane === 'standard' || lane.lane === 'all') &&
  lane.open !== false &&
  lane.wait_minutes !== null &&
  lane.freshness !== 'expired'

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
