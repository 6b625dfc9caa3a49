import { clock, type Fields, fields, html, number, plain, rows, start, svg, ticksUpTo } from './shell.ts'

/** Two to five airports side by side: the wait now with its range, delays and weather, and which to prefer. */

const BAR = 26

function waitText({ wait_minutes, status, opens_local, unavailable_reason, figure, rest }: Fields): string {
  const minutes = number(wait_minutes)
  const words = plain(rest)
  if (minutes === null && words !== '') return words
  if (status === 'closed') return clock(opens_local) ? `closed, opens about ${clock(opens_local)}` : 'closed'
  if (minutes === null) return ['not known', plain(unavailable_reason)].filter(Boolean).join(': ')
  return [plain(figure) || `${minutes} min`, words].filter(Boolean).join(', ')
}

function bar(security: Fields, top: number, width: number): Element {
  const [wait, low, high] = [number(security.wait_minutes), number(security.low), number(security.high)]
  const x = (minutes: number) => Math.round((6 + (Math.min(minutes, top) / top) * (width - 12)) * 10) / 10
  return svg(
    'svg',
    { 'aria-hidden': 'true', viewBox: `0 0 ${width} ${BAR}`, width, height: BAR },
    svg('line', { class: 'grid', x1: 6, x2: width - 6, y1: BAR / 2, y2: BAR / 2 }),
    ...(low !== null && high !== null
      ? [
          svg('rect', {
            class: 'band',
            x: x(low),
            y: BAR / 2 - 6,
            width: Math.max(2, x(high) - x(low)),
            height: 12,
            rx: 6,
          }),
        ]
      : []),
    svg('circle', { class: 'dot', cx: x(wait ?? 0), cy: BAR / 2, r: 6 }),
  )
}

const spaced = (name: unknown) => plain(name).replaceAll('_', ' ')

function delayText({ supported, status, summary }: Fields): string {
  if (supported !== true) return 'Delays not known'
  if (status === 'normal') return 'No delays'
  return `Delays: ${(plain(summary) || spaced(status)).replace(/\.$/, '')}`
}

function card(airport: Fields, answer: Fields, extra: Fields, top: number, width: number): Element {
  const code = plain(airport.airport)
  const opens_local = fields(extra.opens_local)[code]
  const security: Fields = { ...fields(airport.security), ...fields(fields(extra.words)[code]), opens_local }
  const delays = fields(airport.delays)
  const isHeld = delays.supported === true && !['normal', 'unknown'].includes(plain(delays.status))
  const category = plain(airport.flight_category)
  const isKnown = number(security.wait_minutes) !== null && security.status !== 'closed'
  return html(
    'li',
    {},
    html(
      'p',
      { class: 'row' },
      html('b', {}, code),
      ` ${plain(airport.name)}`,
      ...(plain(answer.recommended) === code && code !== '' ? [html('span', { class: 'tag' }, 'Preferred')] : []),
    ),
    html(
      'p',
      { class: 'row' },
      html('strong', {}, waitText(security)),
      html('span', { class: 'quiet' }, plain(security.origin)),
    ),
    ...(isKnown ? [bar(security, top, Math.max(width, 240))] : []),
    html('p', { class: isHeld ? 'held' : 'quiet' }, `${delayText(delays)}${category ? `. Weather ${category}` : ''}`),
  )
}

start({
  waiting: ({ airports }) => `Comparing ${Array.isArray(airports) ? airports.map(plain).join(', ') : 'the airports'}…`,
  draw({ structuredContent: answer = {}, _meta }, width) {
    const extra = fields(fields(_meta)['holdshort/view'])
    const airports = rows(answer.airports)
    const ends = airports.map(
      ({ security }) => number(fields(security).high) ?? number(fields(security).wait_minutes) ?? 0,
    )
    const top = ticksUpTo(Math.max(10, ...ends)).at(-1)!
    return [
      html('h1', {}, 'Security now'),
      html('p', {}, plain(answer.recommendation)),
      html('ul', {}, ...airports.map((airport) => card(airport, answer, extra, top, width))),
      html(
        'p',
        { class: 'quiet' },
        `Each scale runs from 0 to ${top} minutes. Dot: the wait. Bar: its range, where it is not measured.`,
      ),
    ]
  },
})
