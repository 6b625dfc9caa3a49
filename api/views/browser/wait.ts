import {
  type CallTool,
  clock,
  dayOf,
  type Fields,
  fields,
  html,
  isFields,
  number,
  plain,
  rows,
  start,
  svg,
  table,
  ticksUpTo,
} from './shell.ts'

/** The wait at security now, and the forecast of the hours that follow as a band: eight of ten waits lie in it. */

const HEIGHT = 190
const LEFT = 34
const RIGHT = 8
const TOP = 10
const BOTTOM = 22

interface Hour {
  local: string
  status: string
  wait: number | null
  low: number | null
  high: number | null
  observed: number | null
}

const hourOf = ({ local_time, status, wait_minutes, low, high, observed_minutes }: Fields): Hour => ({
  local: plain(local_time),
  status: plain(status),
  wait: number(wait_minutes),
  low: number(low),
  high: number(high),
  observed: number(observed_minutes),
})

/** The wait now in an answer of any of the tools; null where it has none. */
function nowOf(answer: Fields, extra: Fields): Fields | null {
  if (isFields(extra.now)) return extra.now
  const wait = isFields(answer.wait) ? answer.wait : answer
  if (!('average_wait_minutes' in wait)) return null
  const { opens_local, origin, figure, rest } = extra
  return { ...wait, wait_minutes: wait.average_wait_minutes, opens_local, origin, figure, rest }
}

function nowText({ wait_minutes, status, opens_local, unavailable_reason, figure, rest }: Fields): [string, string] {
  const minutes = number(wait_minutes)
  const words = plain(rest)
  if (minutes === null && words !== '') return ['Closed', words]
  if (status === 'closed') return ['Closed', clock(opens_local) ? `opens about ${clock(opens_local)}` : '']
  if (minutes === null) return ['Not known', plain(unavailable_reason)]
  return [plain(figure) || `${minutes} min`, `at security now${words === '' ? '' : `: ${words}`}`]
}

/** The hours one after another, each with its range. */
function band(hours: Hour[], now: Fields | null, width: number): Element {
  const top = Math.max(
    10,
    ...hours.map(({ high, wait, observed }) => Math.max(high ?? wait ?? 0, observed ?? 0)),
    number(now?.wait_minutes) ?? 0,
  )
  const ticks = ticksUpTo(top)
  const slot = (width - LEFT - RIGHT) / hours.length
  const x = (place: number) => Math.round((LEFT + (place + 0.5) * slot) * 10) / 10
  const scale = (HEIGHT - TOP - BOTTOM) / ticks.at(-1)!
  const y = (minutes: number) => Math.round((HEIGHT - BOTTOM - minutes * scale) * 10) / 10
  const runs: [number, Hour][][] = [[]]
  for (const [place, hour] of hours.entries())
    if (hour.wait === null || hour.status === 'closed') runs.push([])
    else runs.at(-1)!.push([place, hour])
  const points = (run: [number, Hour][], of: (hour: Hour) => number) =>
    run.map(([place, hour]) => `${x(place)},${y(of(hour))}`)
  const every = Math.ceil(46 / slot)
  const isWeek = hours.length > 48
  const labels = hours.flatMap(({ local }, place) => {
    const hour = Number(clock(local).slice(0, 2))
    const isShown = isWeek ? hour === 12 : place % every === 0
    return isShown
      ? [
          svg(
            'text',
            { x: x(place), y: HEIGHT - 6, 'text-anchor': 'middle' },
            isWeek ? dayOf(local).slice(0, slot * 24 < 52 ? 3 : 9) : clock(local),
          ),
        ]
      : []
  })
  const current = number(now?.wait_minutes)
  return svg(
    'svg',
    { role: 'img', 'aria-label': rangeText(hours), viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT },
    ...ticks.flatMap((tick) => [
      svg('line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick) }),
      svg('text', { x: LEFT - 6, y: y(tick) + 4, 'text-anchor': 'end' }, String(tick)),
    ]),
    ...hours.flatMap(({ status }, place) =>
      status === 'closed'
        ? [svg('rect', { class: 'closed', x: x(place) - slot / 2, y: TOP, width: slot, height: HEIGHT - TOP - BOTTOM })]
        : [],
    ),
    ...runs
      .filter((run) => run.length > 0)
      .flatMap((run) => {
        const high = points(run, (hour) => hour.high ?? hour.wait!)
        const low = points(run, (hour) => hour.low ?? hour.wait!).reverse()
        return [
          svg('polygon', { class: 'band', points: [...high, ...low].join(' ') }),
          svg('polyline', { class: 'line', points: points(run, ({ wait }) => wait!).join(' ') }),
        ]
      }),
    ...hours.flatMap(({ observed }, place) =>
      observed === null ? [] : [svg('circle', { class: 'dot', cx: x(place), cy: y(observed), r: 3 })],
    ),
    ...hours.map((hour, place) =>
      svg(
        'rect',
        { class: 'spot', x: x(place) - slot / 2, y: TOP, width: slot, height: HEIGHT - TOP - BOTTOM },
        svg('title', {}, `${dayOf(hour.local)} ${clock(hour.local)}: ${hourText(hour)}`),
      ),
    ),
    ...(current === null || now?.status === 'closed'
      ? []
      : [svg('circle', { class: 'dot', cx: LEFT, cy: y(current), r: 5 })]),
    ...labels,
  )
}

function hourText({ status, wait, low, high, observed }: Hour): string {
  const seen = observed === null ? '' : `, observed ${observed}`
  if (status === 'closed') return `closed${seen}`
  if (wait === null) return `not known${seen}`
  return (low === null || high === null ? `${wait} min` : `${wait} min (${low} to ${high})`) + seen
}

function rangeText(hours: Hour[]): string {
  const open = hours.filter(({ wait, status }) => wait !== null && status !== 'closed')
  if (open.length === 0) return 'No open hour has a forecast.'
  const [least] = [...open].sort((a, b) => a.wait! - b.wait!)
  const [most] = [...open].sort((a, b) => b.wait! - a.wait!)
  const at = ({ local, wait }: Hour) => `${wait} min at ${hours.length > 24 ? `${dayOf(local)} ` : ''}${clock(local)}`
  return `Least ${at(least!)}, most ${at(most!)}, local time.`
}

/** A button that calls for the forecast, where the host lets a picture call tools and the answer has none. */
function askFor(airport: string, call: CallTool, width: number, now: Fields | null): Element {
  const button = html('button', { type: 'button' }, 'Show the next 24 hours')
  button.addEventListener('click', async () => {
    const { structuredContent, isError, content } = await call('get_wait_time_predictions', {
      iata: airport,
      days: 1,
      detail: 'full',
    })
    const hours = rows(fields(structuredContent).hours).map(hourOf)
    const reason = isError === true ? plain(rows(content)[0]?.text) : ''
    button.replaceWith(...forecast(hours, reason || 'There is no forecast.', now, width))
  })
  return button
}

function legend(hours: Hour[], now: Fields | null): string {
  const isSeen = hours.some(({ observed }) => observed !== null)
  return [
    'Line: expected minutes. Band: eight of ten waits.',
    ...(isSeen ? ['Dots: what was observed.'] : number(now?.wait_minutes) === null ? [] : ['Dot: the wait now.']),
    ...(hours.some(({ status }) => status === 'closed') ? ['Grey: closed.'] : []),
  ].join(' ')
}

function forecast(hours: Hour[], missing: string, now: Fields | null, width: number): (Node | string)[] {
  if (hours.length === 0) return [html('p', { class: 'quiet' }, missing)]
  const first = hours[0]!
  const name =
    hours.length > 24
      ? `From ${dayOf(first.local)}`
      : `${hours.length} hours from ${dayOf(first.local)} ${clock(first.local)}`
  return [
    html('h2', {}, `${name}, local time`),
    band(hours, now, Math.max(width, 240)),
    html('p', {}, rangeText(hours)),
    html('p', { class: 'quiet' }, legend(hours, now)),
    table(
      'Every hour',
      ['Hour', 'Wait (range)'],
      hours.map((hour) => [`${dayOf(hour.local)} ${clock(hour.local)}`, hourText(hour)]),
    ),
  ]
}

start({
  waiting: ({ iata }) => `Looking up the wait at ${plain(iata) || 'the airport'}…`,
  draw({ structuredContent: answer = {}, _meta }, width, call) {
    const extra = fields(fields(_meta)['holdshort/view'])
    const airport = plain(answer.airport)
    const now = nowOf(answer, extra)
    const hours = rows(extra.hours ?? answer.hours).map(hourOf)
    const [figure, about] = now ? nowText(now) : ['', '']
    const missing = plain(extra.hours_missing)
    return [
      html('h1', {}, html('b', {}, airport), ` ${plain(extra.name)}`),
      ...(now
        ? [
            html('p', { class: 'figure' }, html('strong', {}, figure), ` ${about}`),
            html('p', { class: 'quiet' }, plain(now.origin)),
          ]
        : []),
      ...(plain(answer.recommendation) ? [html('p', {}, plain(answer.recommendation))] : []),
      ...(hours.length === 0 && missing === '' && call
        ? [askFor(airport, call, width, now)]
        : forecast(hours, missing || 'The hours ahead are not part of this answer.', now, width)),
    ]
  },
})
