import type { SourceFigure } from '../../../config/answer-schemas.ts'
import { groupBy } from '../../../config/group-by.ts'
import { publisherOf, publisherRank, sourceOf } from '../../../config/publishers.ts'
import { ageOf, DAY_MS, FRESH_SECONDS, type QueueKind } from '../../../config/vocabulary.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { type LatestReading, queueWait } from './queue-wait.ts'

/** The figures of several sources of one queue, that of the publisher nearest to the queue first. */
export interface QueueFigures {
  iata: string
  kind: QueueKind
  figures: SourceFigure[]
}

/** The number of days from which the usual difference of two sources is learned. */
const LEARNED_DAYS = 28
/** With fewer periods of ten minutes or fewer days, nothing is reported. */
const MIN_PERIODS = 500
const MIN_DAYS = 7
/** How far apart is usual: in this share of the periods they are nearer. */
const USUAL_SHARE = 0.99
/** A smaller difference helps nobody to choose, however near the sources usually are. */
const MIN_DIFFERENCE_MINUTES = 5
/** Observations further apart in time are of different queues. */
const SAME_TIME_MS = 600_000

/**
 * Every queue for which several live sources of the catalogue have a figure under an hour old, at `now` (epoch ms), with how far each
 * usually is from the first.
 */
export async function sourceFigures(
  warehouse: Warehouse,
  latest: readonly LatestReading[],
  now: number,
): Promise<QueueFigures[]> {
  const queues = [...groupBy(latest, ({ iata, kind }) => `${iata}/${kind}`).values()].flatMap((readings) => {
    const figures = [...groupBy(readings, ({ source }) => source)].flatMap(([source, own]) =>
      figureOf(source, own, now),
    )
    const [first] = readings
    if (first === undefined || figures.length < 2) return []
    return [{ iata: first.iata, kind: first.kind, figures: figures.toSorted(nearestFirst) }]
  })
  if (queues.length === 0) return []
  const usual = await usualDifferences(warehouse, now)
  return queues.map(({ iata, kind, figures }) => ({
    iata,
    kind,
    figures: figures.map((figure, index) => {
      const [first] = figures
      if (index === 0 || first === undefined) return figure
      return compared(figure, first, usual.get(pairKey({ iata, kind, first: first.source, other: figure.source })))
    }),
  }))
}

const nearestFirst = (a: SourceFigure, b: SourceFigure) =>
  publisherRank(publisherOf(a.source)) - publisherRank(publisherOf(b.source)) || a.age_seconds - b.age_seconds

function figureOf(source: string, readings: LatestReading[], now: number): SourceFigure[] {
  if (sourceOf(source)?.timeliness !== 'live') return []
  const wait = queueWait(readings, now)
  if (wait?.average_wait_minutes == null || wait.observed_at === null) return []
  const { average_wait_minutes: wait_minutes, observed_at } = wait
  const age = ageOf(observed_at, now)
  if (age.age_seconds >= FRESH_SECONDS) return []
  return [
    {
      source,
      wait_minutes,
      basis: 'measured',
      observed_at,
      ...age,
      usual_difference_minutes: null,
      disagrees: false,
    },
  ]
}

/** A figure beside that of the first source. */
function compared(figure: SourceFigure, first: SourceFigure, usual: number | undefined): SourceFigure {
  if (usual === undefined) return figure
  const difference = Math.abs(figure.wait_minutes - first.wait_minutes)
  const isSameTime = Math.abs(Date.parse(figure.observed_at) - Date.parse(first.observed_at)) <= SAME_TIME_MS
  const disagrees = isSameTime && difference >= MIN_DIFFERENCE_MINUTES && difference > usual
  return { ...figure, usual_difference_minutes: Math.ceil(usual), disagrees }
}

interface Pair {
  iata: string
  kind: QueueKind
  first: string
  other: string
}
const pairKey = ({ iata, kind, first, other }: Pair) => JSON.stringify([iata, kind, first, other])

/** How many minutes two sources of a queue usually are apart at most, by pair, in both orders; none of pairs that were compared too rarely. */
async function usualDifferences(warehouse: Warehouse, now: number): Promise<Map<string, number>> {
  const from = new Date(now - LEARNED_DAYS * DAY_MS).toISOString()
  const rows = await warehouse.query<Pair & { usual: number }>(
    `SELECT a.iata, a.kind, a.source AS first, b.source AS other,
       quantile_cont(abs(a.wait_minutes - b.wait_minutes), ${USUAL_SHARE}) AS usual
     FROM source_waits a JOIN source_waits b ON a.iata = b.iata AND a.kind = b.kind AND a.slot = b.slot AND a.source <> b.source
     WHERE a.date >= $day AND b.date >= $day AND a.slot >= $from::TIMESTAMPTZ
       AND a.available_at <= $now::TIMESTAMPTZ AND b.available_at <= $now::TIMESTAMPTZ
     GROUP BY ALL HAVING count(*) >= ${MIN_PERIODS} AND count(DISTINCT a.date) >= ${MIN_DAYS}`,
    { day: from.slice(0, 10), from, now: new Date(now).toISOString() },
  )
  return new Map(rows.map((row) => [pairKey(row), row.usual]))
}
