/**
 * The explorer of `/data`: answers `<form data-explore>` from the Parquet files of the open data. It fetches the end of each file
 * of the chosen months and the row groups of the chosen airport, draws the hours, and gives them as CSV. Nothing is computed on
 * the server, and no other site is asked.
 */
import { type Cost, type RemoteFile, readParts } from './parquet-parts.ts'

interface DataFile extends RemoteFile {
  table: string
  airport?: string
  from: string
  to: string
}

interface Hour {
  hour: Date
  mean: number
  p50: number
  p90: number
  max: number
  samples: number
  source: string | null
  simulated: boolean
}

interface Choice {
  airport: string
  kind: string
  /** First and last instant, ISO. */
  from: string
  to: string
}

/** What was fetched for an answer, of files of so many bytes. */
interface ExploreCost extends Cost {
  whole: number
}

const COLUMNS = ['hour', 'mean', 'p50', 'p90', 'max', 'samples', 'source', 'simulated']
const HOUR_MS = 3_600_000

async function manifestFiles(): Promise<DataFile[]> {
  const answer = await fetch('/data/manifest.json')
  if (!answer.ok) throw new Error(`the manifest answered ${answer.status}`)
  return ((await answer.json()) as { files: DataFile[] }).files
}

/** The hours of an airport, from the files of the months that the choice touches. */
async function readHours(choice: Choice, cost: ExploreCost): Promise<Hour[]> {
  const files = (await manifestFiles()).filter(
    ({ table, airport, from, to }) =>
      table === 'rollups' && airport === undefined && from <= choice.to && to >= choice.from,
  )
  const filter = { iata: { $eq: choice.airport }, kind: { $eq: choice.kind }, level: { $eq: 'airport' } }
  const parts = await Promise.all(
    files.map((file) => {
      cost.whole += file.bytes
      return readParts(file, { columns: COLUMNS, filter }, cost) as Promise<unknown> as Promise<Hour[]>
    }),
  )
  return parts
    .flat()
    .map((row) => Object.assign(row, { samples: Number(row.samples) }))
    .filter(({ hour }) => hour.toISOString() >= choice.from && hour.toISOString() <= choice.to)
    .sort((a, b) => a.hour.getTime() - b.hour.getTime())
}

const SVG = 'http://www.w3.org/2000/svg'
const WIDTH = 960
const HEIGHT = 260
const LEFT = 40
const BOTTOM = 24

function svgElement(name: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  if (text) element.textContent = text
  return element
}

/** Consecutive observed hours; an hour that was not observed ends a run, and no line crosses it. */
function runsOf(hours: readonly Hour[]): Hour[][] {
  const runs: Hour[][] = []
  for (const hour of hours) {
    const last = runs.at(-1)?.at(-1)
    if (last && hour.hour.getTime() - last.hour.getTime() <= HOUR_MS) runs.at(-1)?.push(hour)
    else runs.push([hour])
  }
  return runs
}

function chart(hours: readonly Hour[], { airport, kind }: Choice): SVGElement {
  const first = hours[0]?.hour.getTime() ?? 0
  const last = hours.at(-1)?.hour.getTime() ?? first
  const most = Math.max(10, ...hours.map(({ p90 }) => p90))
  const x = (at: Date) => LEFT + ((at.getTime() - first) / Math.max(HOUR_MS, last - first)) * (WIDTH - LEFT - 8)
  const y = (minutes: number) => (HEIGHT - BOTTOM) * (1 - minutes / most) + 4
  const label = `Hourly ${kind} waits at ${airport}: mean, with the 90th percentile above it, up to ${Math.round(most)} minutes`
  const drawn = svgElement('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    'aria-label': label,
    class: 'explored',
  })
  for (const share of [0, 0.5, 1]) {
    const minutes = Math.round(most * share)
    drawn.append(
      svgElement('line', { x1: LEFT, x2: WIDTH - 8, y1: y(minutes), y2: y(minutes), class: 'explored-grid' }),
      svgElement('text', { x: LEFT - 6, y: y(minutes) + 4, 'text-anchor': 'end' }, `${minutes}`),
    )
  }
  for (const run of runsOf(hours)) {
    const line = (of: (hour: Hour) => number) =>
      run.map((hour) => `${x(hour.hour).toFixed(1)},${y(of(hour)).toFixed(1)}`)
    const above = line(({ p90 }) => p90)
    const middle = line(({ mean }) => mean)
    const band = [...above, ...middle.slice().reverse()]
    if (run.length === 1) {
      const [cx, cy] = middle[0]!.split(',') as [string, string]
      drawn.append(svgElement('circle', { cx, cy, r: 2, class: 'explored-dot' }))
    }
    drawn.append(
      svgElement('polygon', { points: band.join(' '), class: 'explored-band' }),
      svgElement('polyline', { points: middle.join(' '), class: 'explored-line' }),
    )
  }
  for (const [at, anchor] of [
    [hours[0], 'start'],
    [hours.at(-1), 'end'],
  ] as const)
    if (at) {
      const text = at.hour.toISOString().slice(0, 16).replace('T', ' ')
      drawn.append(svgElement('text', { x: x(at.hour), y: HEIGHT - 4, 'text-anchor': anchor }, `${text} UTC`))
    }
  return drawn
}

function csvOf(hours: readonly Hour[], { airport, kind }: Choice): string {
  const lines = hours.map(({ hour, mean, p50, p90, max, samples, source, simulated }) =>
    [
      airport,
      kind,
      hour.toISOString().replace('.000Z', 'Z'),
      mean,
      p50,
      p90,
      max,
      samples,
      source ?? '',
      simulated,
    ].join(','),
  )
  return `iata,kind,hour,mean,p50,p90,max,samples,source,simulated\n${lines.join('\n')}\n`
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  if (text) made.textContent = text
  return made
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1_000).toLocaleString('en')} kB`

let address = ''

function show(target: Element, hours: readonly Hour[], choice: Choice, cost: ExploreCost): void {
  const paid = `${cost.requests} requests, ${kilobytes(cost.bytes)} of the ${kilobytes(cost.whole)} of these months.`
  if (hours.length === 0) {
    target.replaceChildren(
      element('p', `No ${choice.kind} wait was observed at ${choice.airport} on these days. ${paid}`),
    )
    return
  }
  const simulated = hours.some((hour) => hour.simulated) ? 'SIMULATED. ' : ''
  const about = element('p', `${simulated}${hours.length.toLocaleString('en')} observed hours. ${paid}`)
  about.dataset['cost'] = JSON.stringify(cost)
  const mark = simulated ? '-simulated' : ''
  const take = element('a', 'Take these hours as CSV')
  if (address) URL.revokeObjectURL(address)
  address = URL.createObjectURL(new Blob([csvOf(hours, choice)], { type: 'text/csv' }))
  take.href = address
  take.className = 'button'
  take.download = `${choice.airport}-${choice.kind}-${choice.from.slice(0, 10)}-${choice.to.slice(0, 10)}${mark}.csv`
  target.replaceChildren(about, chart(hours, choice), take)
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-explore]')) {
  const target = document.querySelector('[data-explored]')
  if (!target) continue
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const text = (name: string) => String(new FormData(form).get(name) ?? '')
    const [from, to] = [text('from'), text('to')].sort() as [string, string]
    const choice: Choice = {
      airport: text('airport'),
      kind: text('kind'),
      from: `${from}T00:00:00.000Z`,
      to: `${to}T23:59:59.999Z`,
    }
    const cost: ExploreCost = { requests: 0, bytes: 0, whole: 0 }
    const button = form.querySelector('button')
    if (button) button.disabled = true
    target.replaceChildren(element('p', 'Reading …'))
    try {
      show(target, await readHours(choice, cost), choice, cost)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      target.replaceChildren(
        element('p', `The files could not be read (${reason}). They may have been exported anew: try again.`),
      )
    } finally {
      if (button) button.disabled = false
    }
  })
}
