import { clock, dayOf, type Fields, fields, html, number, plain, rows, start, svg, table } from './shell.ts'

/** When to leave for a flight: the probability of catching it by the time of leaving, as a curve. */

const HEIGHT = 200
const LEFT = 44
const RIGHT = 12
const TOP = 22
const BOTTOM = 24
const LEVELS = [0, 0.25, 0.5, 0.75, 1]

const percent = (probability: number) => `${Math.floor(probability * 100)} %`

interface Leaving {
  at: number
  local: string
  probability: number
}

function leavings(value: unknown): Leaving[] {
  return rows(value)
    .flatMap(({ leave_at_local, probability }) => {
      const local = plain(leave_at_local)
      const at = Date.parse(local)
      const chance = number(probability)
      return Number.isNaN(at) || chance === null ? [] : [{ at, local, probability: Math.min(1, Math.max(0, chance)) }]
    })
    .sort((a, b) => a.at - b.at)
}

/** The part of the curve in which something changes: from just before it begins to fall until it is at the bottom. */
function interesting(curve: Leaving[]): Leaving[] {
  const most = curve[0]?.probability ?? 0
  const first = curve.findIndex(({ probability }) => probability < most - 0.005)
  const last = curve.findIndex(({ probability }) => probability <= 0.005)
  return first < 0 ? curve : curve.slice(Math.max(0, first - 6), last < 0 ? curve.length : last + 2)
}

function chart(all: Leaving[], recommended: Leaving | null, confidence: number | null, width: number): Element {
  const shown = interesting(all)
  const curve = shown.length > 1 ? shown : all
  const from = Math.min(curve[0]!.at, recommended?.at ?? Number.POSITIVE_INFINITY)
  const span = Math.max(60_000, curve.at(-1)!.at - from)
  const x = (at: number) => Math.round((LEFT + ((at - from) / span) * (width - LEFT - RIGHT)) * 10) / 10
  const y = (probability: number) => Math.round((HEIGHT - BOTTOM - probability * (HEIGHT - TOP - BOTTOM)) * 10) / 10
  const line = curve.map(({ at, probability }) => `${x(at)},${y(probability)}`)
  const every = Math.max(1, Math.ceil(curve.length / Math.max(2, Math.floor((width - LEFT) / 60))))
  const label = recommended
    ? `Leaving at ${clock(recommended.local)}: ${percent(recommended.probability)}`
    : 'Probability by time of leaving'
  return svg(
    'svg',
    { role: 'img', 'aria-label': label, viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT },
    ...LEVELS.flatMap((level) => [
      svg('line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y(level), y2: y(level) }),
      svg('text', { x: LEFT - 6, y: y(level) + 4, 'text-anchor': 'end' }, `${level * 100} %`),
    ]),
    svg('polygon', {
      class: 'band',
      points: [`${x(curve[0]!.at)},${y(0)}`, ...line, `${x(curve.at(-1)!.at)},${y(0)}`].join(' '),
    }),
    svg('polyline', { class: 'line', points: line.join(' ') }),
    ...(confidence === null
      ? []
      : [svg('line', { class: 'wanted', x1: LEFT, x2: width - RIGHT, y1: y(confidence), y2: y(confidence) })]),
    ...(recommended
      ? [
          svg('line', {
            class: 'mark',
            x1: x(recommended.at),
            x2: x(recommended.at),
            y1: TOP - 6,
            y2: HEIGHT - BOTTOM,
          }),
          svg('circle', { class: 'dot', cx: x(recommended.at), cy: y(recommended.probability), r: 5 }),
          svg(
            'text',
            {
              class: 'name',
              x: x(recommended.at),
              y: TOP - 10,
              'text-anchor': x(recommended.at) > width / 2 ? 'end' : 'start',
            },
            `leave ${clock(recommended.local)}`,
          ),
        ]
      : []),
    ...curve.flatMap(({ at, local }, place) =>
      place % every === 0 && x(at) < width - 24
        ? [svg('text', { x: x(at), y: HEIGHT - 6, 'text-anchor': 'middle' }, clock(local))]
        : [],
    ),
  )
}

const HEADLINES: Record<string, string> = {
  late: 'Leave now',
  missed: 'Too late',
  no_figure: 'No time can be given',
}

const spaced = (name: unknown) => plain(name).replaceAll('_', ' ')

function stepRow({ step, begins_at_local, p50_minutes, p90_minutes, basis }: Fields): string[] {
  const [half, most] = [number(p50_minutes), number(p90_minutes)]
  const range = most !== null && half !== null && most > half ? ` (${most} on one day in ten)` : ''
  return [clock(begins_at_local), spaced(step), half === null ? 'not known' : `${half} min${range}`, plain(basis)]
}

start({
  waiting: ({ iata }) => `Working out when to leave for ${plain(iata) || 'the airport'}…`,
  draw({ structuredContent: answer = {}, _meta }, width) {
    const extra = fields(fields(_meta)['holdshort/view'])
    const [recommended = null] = leavings([answer.recommended])
    const times = fields(answer.leave_times_local)
    const known = [
      ['p99', 0.99],
      ['p90', 0.9],
      ['p50', 0.5],
    ].map(([name, probability]) => ({ leave_at_local: times[name as string], probability }))
    const full = leavings(extra.curve ?? answer.curve)
    const curve = full.length > 0 ? full : leavings(known)
    const hasTravel = rows(answer.steps).some(({ step }) => step === 'travel')
    const by = recommended
      ? `${hasTravel ? 'Leave' : 'Be there'} by ${clock(recommended.local)}`
      : 'No time to recommend'
    const steps = rows(answer.steps).map(stepRow)
    const deadlines = rows(answer.deadlines).map(({ deadline, at_local, basis }) => [
      clock(at_local),
      spaced(deadline),
      '',
      plain(basis),
    ])
    return [
      html(
        'h1',
        {},
        html('b', {}, plain(answer.airport)),
        ` flight at ${clock(answer.departure_local)}, ${dayOf(answer.departure_local)}`,
      ),
      html(
        'p',
        { class: 'figure' },
        html('strong', {}, HEADLINES[plain(answer.outcome)] ?? by),
        recommended ? ` ${percent(recommended.probability)} likely to catch it` : '',
      ),
      ...(clock(answer.security_must_open_by_local)
        ? [
            html(
              'p',
              { class: 'held' },
              `Only if security is open by ${clock(answer.security_must_open_by_local)}: it is closed now, and when it opens is not known.`,
            ),
          ]
        : []),
      ...(plain(answer.unavailable_reason) ? [html('p', {}, plain(answer.unavailable_reason))] : []),
      ...(curve.length > 0
        ? [
            html('h2', {}, 'Chance of catching the flight by time of leaving'),
            chart(curve, recommended, number(extra.confidence), Math.max(width, 240)),
          ]
        : []),
      ...(plain(answer.dominated_by) ? [html('p', {}, `The risk is mostly ${spaced(answer.dominated_by)}.`)] : []),
      ...(plain(answer.delays) ? [html('p', {}, plain(answer.delays))] : []),
      ...(steps.length > 0
        ? [table('Step by step', ['At', 'Step', 'Takes', 'Known from'], [...steps, ...deadlines])]
        : []),
      ...(curve.length > 0
        ? [
            table(
              'The curve in figures',
              ['Leaving at', 'Probability'],
              interesting(curve).map(({ local, probability }) => [clock(local), percent(probability)]),
            ),
          ]
        : []),
      ...rows([{ list: answer.assumed }]).flatMap(({ list }) =>
        Array.isArray(list) && list.length > 0
          ? [html('p', { class: 'quiet' }, `Assumed: ${list.map(plain).join('; ')}`)]
          : [],
      ),
    ]
  },
})
