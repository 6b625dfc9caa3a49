import type { Markish } from '@observablehq/plot'
import type { LegendEntry } from './chart.ts'
import { clockAt, type Tick } from './local-axis.ts'
import { colour } from './palette.ts'
import { margins, type Plot, TEXT } from './toolkit.ts'

/** Marks that several charts share. */

/** The present moment on an axis of time (epoch ms): a line with its clock, which does not reach beyond the ends of the axis. */
export const nowMarks = (
  Plot: Plot,
  now: number,
  [from, to]: readonly [number, number],
  timezone: string,
): Markish[] => {
  const textAnchor = anchorAt((now - from) / (to - from))
  return [
    Plot.ruleX([now], { stroke: colour('now'), strokeWidth: 1.5 }),
    Plot.text([now], {
      x: (instant: number) => instant,
      text: (instant: number) => `now ${clockAt(instant, timezone)}`,
      frameAnchor: 'top',
      lineAnchor: 'bottom',
      textAnchor,
      // Beside the unit of the axis, which is at the left end.
      dx: textAnchor === 'start' ? 8 : 0,
      dy: -4,
      fill: colour('now'),
      fontWeight: 600,
    }),
  ]
}

const anchorAt = (share: number) => {
  if (share < 0.12) return 'start'
  return share > 0.88 ? 'end' : 'middle'
}

/** An axis of local times. */
export const timeAxis = (Plot: Plot, ticks: readonly Tick[]): Markish =>
  Plot.axisX(
    ticks.map(({ instant }) => instant),
    {
      label: null,
      tickSize: 4,
      stroke: colour('quiet'),
      tickFormat: (instant: number) => ticks.find((tick) => tick.instant === instant)?.label ?? '',
      ...TEXT,
    },
  )

/** A point of a line that is drawn in runs. */
export interface RunPoint<T> {
  instant: number
  value: T
  run: number
}

/**
 * The values as points in the middles of their times, each of `length` ms, in runs of times that follow each other. A run reaches
 * from the start of its first time to the end of its last, so that a single one can be seen too, and nothing is drawn across a gap.
 */
export function runsOf<T>(values: readonly T[], startOf: (value: T) => number, length: number): RunPoint<T>[] {
  const starts = values.map(startOf)
  let run = 0
  return values.flatMap((value, index) => {
    const start = starts[index]!
    const isFirst = starts[index - 1] !== start - length
    const isLast = starts[index + 1] !== start + length
    if (isFirst) run++
    const places = [...(isFirst ? [start] : []), start + length / 2, ...(isLast ? [start + length] : [])]
    return places.map((instant) => ({ instant, value, run }))
  })
}

const LIVE: LegendEntry = { mark: 'dot', colour: 'observed', text: 'live' }
const BACKTEST: LegendEntry = { mark: 'ring', colour: 'past-line', text: 'tried on the past' }

/** The legend of both records; a chart draws those with figures: live ones as full points, those of the backtest as rings. */
export const legendOfRecords = (rows: Record<RecordKind, readonly unknown[]>, past = BACKTEST): LegendEntry[] =>
  (
    [
      ['live', LIVE],
      ['backtest', past],
    ] as const
  ).flatMap(([kind, entry]) => (rows[kind].length > 0 ? [entry] : []))

/** The records of a figure: what was published, and what would have been on hours that the model had not seen. */
export type RecordKind = 'live' | 'backtest'

/** The rows of both records; a point without a figure in one of them has no row there. */
export function rowsOfRecords<Point, Row>(
  points: readonly Point[],
  rowOf: (point: Point, kind: RecordKind) => Row | null,
): Record<RecordKind, Row[]> {
  const rows = (kind: RecordKind) => points.flatMap((point) => rowOf(point, kind) ?? [])
  return { live: rows('live'), backtest: rows('backtest') }
}

/** How a figure of a record is drawn: live ones full, those of the backtest as rings. */
export const recordPoint = (kind: RecordKind) => ({
  r: 4.5,
  fill: colour(kind === 'live' ? 'observed' : 'surface'),
  stroke: colour(kind === 'live' ? 'observed' : 'past-line'),
  strokeWidth: 1.8,
})

/** Height of a row: charts of the record stand side by side. */
const RECORD_ROW = 46

interface RecordRows {
  /** The rows from top to bottom: hours ahead. */
  names: readonly string[]
  domain: readonly [least: number, most: number]
  /** Position of a line that figures are compared with. */
  line: number
  tickFormat: (value: number) => string
  /** The unit of the axis. */
  axis: string
  marks: Markish[]
}

/** The options of a chart of the record: a row for each bucket of hours ahead, and figures from left to right. */
export const recordRows = (Plot: Plot, { names, domain, line, tickFormat, axis, marks }: RecordRows) => ({
  width: 360,
  height: names.length * RECORD_ROW + 46,
  ...margins(6, 20, 40, 74),
  x: { type: 'linear' as const, domain: [...domain], axis: null },
  y: { type: 'band' as const, domain: [...names], axis: null },
  marks: [
    Plot.gridX([...domain], { stroke: colour('grid'), strokeOpacity: 1 }),
    Plot.ruleX([line], { stroke: colour('ink') }),
    ...marks,
    Plot.axisY({ tickSize: 0, label: null, ...TEXT }),
    Plot.axisX([domain[0], line, domain[1]], { anchor: 'bottom', tickSize: 0, label: null, tickFormat, ...TEXT }),
    Plot.text([axis], { frameAnchor: 'bottom', dy: 34, ...TEXT }),
  ],
})
