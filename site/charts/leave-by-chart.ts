import { percentText } from '../../answers/statements/text.ts'
import { type Chart, WIDTH } from './chart.ts'
import { clockAt, localTicks } from './local-axis.ts'
import { nowMarks, timeAxis } from './marks.ts'
import { colour } from './palette.ts'
import { margins, TEXT, type Toolkit } from './toolkit.ts'

export interface LeaveByData {
  place: string
  timezone: string
  /** The probability of catching the flight by the time of leaving (ISO 8601 UTC), ascending in time. */
  curve: readonly { leave_at: string; probability: number }[]
  recommended: { leave_at: string; probability: number } | null
  /** The requested probability. */
  confidence: number
  departure: string
  /** Whether the plan begins with the way to the airport: otherwise its times are those of being there. */
  counts_travel: boolean
  /** Epoch milliseconds. */
  now: number
}

/** Times below the axis: on a phone, where letters are larger, each takes a seventh of the width. */
const MAX_TICKS = 6

const timeOf = ({ counts_travel }: Pick<LeaveByData, 'counts_travel'>) =>
  counts_travel ? 'time of leaving' : 'time at the airport'

/** How the probability of catching the flight falls with the time of leaving, or of being at the airport. */
export function leaveByChart({ Plot, draw }: Toolkit, data: LeaveByData): Chart {
  const { curve, recommended, confidence, timezone, now } = data
  const points = curve.map(({ leave_at, probability }) => ({ instant: Date.parse(leave_at), probability }))
  const from = points[0]?.instant ?? now
  const to = points.at(-1)?.instant ?? now
  const span = (to - from) / 3_600_000
  const step = [0.25, 0.5, 1, 2, 3, 6].find((hours) => span / hours <= MAX_TICKS) ?? 6
  // A time at the left end would touch the lowest share.
  const ticks = localTicks(from, to, timezone, step).filter(({ instant }) => instant - from > (to - from) / 14)
  const chosen = recommended
    ? [{ instant: Date.parse(recommended.leave_at), probability: recommended.probability }]
    : []
  const isRight = chosen.length > 0 && chosen[0]!.instant - from > (to - from) * 0.55
  return draw({
    title: `Chance of catching the flight by the ${timeOf(data)}, ${data.place}`,
    description: leaveByWords(data),
    options: {
      width: WIDTH,
      height: 290,
      ...margins(32, 24, 56, 76),
      x: { type: 'linear', domain: [from, to], axis: null },
      y: { domain: [0, 1], axis: null },
      marks: [
        Plot.gridY([0, 0.25, 0.5, 0.75, 1], { stroke: colour('grid'), strokeOpacity: 1 }),
        Plot.areaY(points, { x: 'instant', y: 'probability', fill: colour('band'), curve: 'monotone-x' }),
        Plot.lineY(points, {
          x: 'instant',
          y: 'probability',
          stroke: colour('line'),
          strokeWidth: 2.5,
          curve: 'monotone-x',
        }),
        Plot.ruleY([confidence], { stroke: colour('past-line'), strokeDasharray: '4 3' }),
        Plot.text([confidence], {
          y: (share: number) => share,
          text: (share: number) => `wanted: ${Math.round(share * 100)} %`,
          frameAnchor: isRight ? 'left' : 'right',
          textAnchor: isRight ? 'start' : 'end',
          dx: isRight ? 4 : -4,
          dy: -8,
          ...TEXT,
        }),
        ...(now > from && now < to ? nowMarks(Plot, now, [from, to], timezone) : []),
        Plot.ruleX(chosen, { x: 'instant', y1: 0, y2: 'probability', stroke: colour('ink'), strokeWidth: 1.5 }),
        Plot.dot(chosen, { x: 'instant', y: 'probability', r: 5, fill: colour('ink') }),
        // Placed at the foot, where the area below the curve is widest.
        Plot.text(chosen, {
          x: 'instant',
          y: 0.1,
          text: ({ instant, probability }: { instant: number; probability: number }) =>
            `${data.counts_travel ? 'leave' : 'be there'} ${clockAt(instant, timezone)}: ${percentText(probability)}`,
          textAnchor: isRight ? 'end' : 'start',
          dx: isRight ? -9 : 9,
          fill: colour('ink'),
          stroke: colour('band'),
          strokeWidth: 4,
          fontWeight: 600,
        }),
        Plot.axisY([0, 0.25, 0.5, 0.75, 1], {
          tickSize: 0,
          label: null,
          tickFormat: (share: number) => `${share * 100} %`,
          ...TEXT,
        }),
        timeAxis(Plot, ticks),
        Plot.ruleY([0], { stroke: colour('quiet') }),
      ],
    },
  })
}

export function leaveByWords({ timezone, curve, recommended, confidence, counts_travel }: LeaveByData): string {
  if (curve.length === 0) return 'Nothing is known of the chance of catching this flight.'
  const clock = (instant: string) => clockAt(Date.parse(instant), timezone)
  const best = recommended
    ? `${counts_travel ? 'Leaving' : 'Being there'} at ${clock(recommended.leave_at)} gives ${percentText(recommended.probability)}.`
    : 'The flight can hardly be caught any more.'
  const even = curve.find(({ probability }) => probability < 0.5)
  const half = even ? ` From ${clock(even.leave_at)} on it is less than even.` : ''
  return `Chance of catching the flight by the local ${timeOf({ counts_travel })}. ${best}${half} Wanted: ${Math.round(confidence * 100)} %.`
}
