import { createHash } from 'node:crypto'
import type { VNode } from 'preact'
import { rangeFigure } from '../../answers/statements/terminal-state.ts'
import type { Directory } from '../../config/airports/directory.ts'
import { memoizeByObject } from '../../config/once.ts'
import { DARK, LIGHT } from '../../config/palette.ts'
import { renderPicture } from '../pages/document.tsx'
import { airportAddress } from '../pages/elements.tsx'
import { FILE_MAP, PIXEL_MAP } from '../style/map.ts'
import type { MarkStyle } from './map-colours.ts'
import type { MapEntry } from './map-entries.ts'
import { airportDots, type BaseMap, statesMap, worldMap } from './world.ts'

const Land = ({ base }: { base: BaseMap }) => (
  <>
    <path class="land" d={base.land} />
    {base.borders !== '' && <path class="borders" d={base.borders} />}
  </>
)

/** Every airport of the directory as a dot. */
function Dots({ directory }: { directory: Directory }) {
  const { served, other } = airportDots(directory)
  return (
    <>
      <path class="dots other" d={`M0 0${other}`} />
      <path class="dots" d={`M0 0${served}`} />
    </>
  )
}

/** The constant background below the figures of a map: a file of its own that browsers keep. */
export interface Background {
  name: string
  address: string
  text: string
}

function background(name: string, base: BaseMap, content: VNode): Background {
  const text = renderPicture(
    <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${base.width} ${base.height}`} aria-hidden="true">
      <style>{FILE_MAP.replace(/svg\{background:[^}]*\}/g, '')}</style>
      {content}
    </svg>,
  )
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  return { name, address: `/assets/maps/${name}.${digest}.svg`, text }
}

/** The land of each map, and every airport as a dot, which a script adds once one zooms in. */
export const backgroundsOf = memoizeByObject((directory: Directory) => {
  const [world, states] = [worldMap(), statesMap()]
  return {
    world: background('world', world, <Land base={world} />),
    dots: background('dots', world, <Dots directory={directory} />),
    states: background('states', states, <Land base={states} />),
  }
})

interface MapProps {
  base: BaseMap
  background: Background
  /** Description of the map for people who do not see it. */
  label: string
  entries: readonly MapEntry[]
  /** The id of the element after the map, for the keyboard. */
  after: string
  /** The dots that a script adds to the background when zoomed in. */
  dots?: Background
  /** Whether the map begins with the part that has marks. */
  fitted?: boolean
}

/** A written wait, `JFK 7–20`: the width of a letter, the least distance of two lines, and how near to its line a mark covers it. */
const LABEL = { letter: 9, line: 19, covered: 10 }
/** Scale of marks on a phone, as in the style sheet. */
const PHONE_SCALE = 2.6
/** The margin around the marks of a fitted map, as a part of its width. */
const FIT_MARGIN = 0.08
/** Scales of a fitted map: each has a class, which keeps the marks at their size. */
const FITS = [4, 3, 2, 1.5, 1.25]
/** The lowest a fitted map may be, as a part of its width. */
const MIN_HEIGHT = 0.3

/** The part of a map that has all marks, with its right edge and by how much it is nearer. It is as low as the marks allow. */
function fittedBox(base: BaseMap, entries: readonly MapEntry[]): { box: string; right: number; fit: number } {
  const whole = { box: `0 0 ${base.width} ${base.height}`, right: base.width, fit: 1 }
  const places = entries.flatMap(({ airport }) => {
    const position = base.place(airport)
    return position ? [position] : []
  })
  if (places.length < 2) return whole
  const spanOf = (values: number[], length: number) => {
    const [low, high] = [Math.min(...values), Math.max(...values)]
    return { middle: (low + high) / 2, part: (high - low) / length + FIT_MARGIN }
  }
  const x = spanOf(
    places.map(([left]) => left),
    base.width,
  )
  const y = spanOf(
    places.map(([, top]) => top),
    base.height,
  )
  const fit = FITS.find((scale) => Math.max(x.part, y.part) <= 1 / scale) ?? 1
  const width = base.width / fit
  const height = Math.min(base.height / fit, Math.max(width * MIN_HEIGHT, y.part * base.height))
  const left = Math.min(base.width - width, Math.max(0, x.middle - width / 2))
  const top = Math.min(base.height - height, Math.max(0, y.middle - height / 2))
  return { box: [left, top, width, height].map(Math.round).join(' '), right: left + width, fit }
}

/** The width of a degree of longitude at the latitudes of most airports, in units of the map. */
const degreeOf = ({ place, width }: BaseMap) =>
  ((place({ longitude: 90, latitude: 45 })?.[0] ?? width / 2) - width / 2) / 90

/** A map in a page: the background as a picture, and each airport with a figure as a link. A script adds zooming and moving. */
export function PageMap({ base, background, label, entries, after, dots, fitted = false }: MapProps) {
  const reported = entries.filter(isReported)
  const { box, right, fit } = fittedBox(base, fitted ? reported : [])
  return (
    <>
      <a class="skip" href={`#${after}`}>
        Skip the map
      </a>
      <div class="map-frame" data-map data-dots={dots?.address} data-degree={fitted ? degreeOf(base) : undefined}>
        <svg class={fit === 1 ? 'map' : `map fit-${fit * 100}`} viewBox={box} role="group" aria-label={label}>
          <image href={background.address} width={base.width} height={base.height} />
          <Marks base={base} entries={reported} linked right={right} fit={fit} />
        </svg>
      </div>
    </>
  )
}

/** Whether an airport has a mark of its own: where the FAA lists nothing, there is nothing to tell. */
const isReported = ({ style: { name } }: MapEntry) => name !== 'delay-none' && name !== 'delay-unknown'

/** The drawn parts of a map that is a file of its own. */
export interface MapPicture {
  /** The directory whose airports are dots below the marks; null for none. */
  directory: Directory | null
  base: BaseMap
  legend: readonly MarkStyle[]
  entries: readonly MapEntry[]
  /** Credit of the land. */
  credit: readonly string[]
}

interface FileProps extends Omit<MapPicture, 'credit'> {
  title: string
  description: string
  /** A line below the map: time, source, licence. */
  credit: string
  simulated: boolean
  /** Whether the colours are the light ones in any case, as a picture of pixels needs. */
  isPixels: boolean
}

const FOOT = 74

/** A map as a file of its own, with its title, legend and credit. */
export function mapFile(props: FileProps): string {
  const { directory, base, title, description, credit, legend, entries, simulated, isPixels } = props
  const height = base.height + FOOT + 44
  return renderPicture(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${base.width} ${height}`}
      width={base.width}
      height={height}
      role="img"
      aria-labelledby="title desc"
      font-family="system-ui, sans-serif"
    >
      <title id="title">{title}</title>
      <desc id="desc">{description}</desc>
      <style>{`${isPixels ? PIXEL_MAP : FILE_MAP} ${isPixels ? PIXEL_TEXT : FILE_TEXT}`}</style>
      <rect class="ground" width={base.width} height={height} />
      <text class="words" x="20" y="30" font-size="22" font-weight="700">
        {simulated ? `SIMULATED: ${title}` : title}
      </text>
      <g transform="translate(0 44)">
        <Land base={base} />
        {directory && <Dots directory={directory} />}
        <Marks base={base} entries={entries.filter(isReported)} linked={false} right={base.width} fit={1} />
      </g>
      <FileLegend styles={legend} top={base.height + 64} />
      <text class="words" x="20" y={height - 14} font-size="15">
        {credit}
      </text>
    </svg>,
  )
}

const textRules = (colours: { sunken: string; text: string }) =>
  `.mark text{fill:${colours.text};stroke:none;font-size:14px;font-weight:700} .ground{fill:${colours.sunken}} .words{fill:${colours.text}}`
const PIXEL_TEXT = textRules(LIGHT)
const FILE_TEXT = `${textRules(LIGHT)} @media (prefers-color-scheme:dark){${textRules(DARK)}}`

function FileLegend({ styles, top }: { styles: readonly MarkStyle[]; top: number }) {
  let x = 30
  return (
    <g class="marks">
      {styles.map((style) => {
        const left = x
        x += 44 + style.text.length * 8.2
        return (
          <g transform={`translate(${left} ${top})`}>
            <g class="mark">
              <MarkShape style={style} />
            </g>
            <text class="words" x="16" y="5" font-size="15">
              {style.text}
            </text>
          </g>
        )
      })}
    </g>
  )
}

/** The legend of a map in a page. */
export const Legend = ({ styles }: { styles: readonly MarkStyle[] }) => (
  <ul class="legend" aria-label="Legend">
    {styles.map((style) => (
      <li>
        <svg viewBox="-10 -10 20 20" aria-hidden="true">
          <g class="mark">
            <MarkShape style={style} />
          </g>
        </svg>
        {style.text}
      </li>
    ))}
  </ul>
)

/** The shape of a mark about its centre. */
function MarkShape({ style: { shape, radius: r, name } }: { style: MarkStyle }): VNode {
  switch (shape) {
    case 'square':
      return <rect class={name} x={-r * 0.85} y={-r * 0.85} width={r * 1.7} height={r * 1.7} rx="1" />
    case 'triangle':
      return <path class={name} d={`M0 ${-r}L${r} ${r * 0.8}H${-r}Z`} />
    case 'diamond':
      return <path class={name} d={`M0 ${-r}L${r} 0L0 ${r}L${-r} 0Z`} />
    case 'ring':
      return <circle class={`${name} ring`} r={r} />
    default:
      return <circle class={name} r={r} />
  }
}

interface MarksProps {
  base: BaseMap
  entries: readonly MapEntry[]
  /** Whether a mark leads to the page of its airport. */
  linked: boolean
  /** The right edge of what is shown: a wait that would pass it is written to the left of its mark. */
  right: number
  /** Scale of the map: if two waits would overlap, the longer one is written. */
  fit: number
}

/** The marks of airports; the largest are drawn last, on top. */
function Marks({ base, entries, linked, right, fit }: MarksProps) {
  const marks = entries
    .flatMap((entry) => {
      const position = base.place(entry.airport)
      return position ? [{ entry, position }] : []
    })
    .sort((a, b) => a.entry.style.radius - b.entry.style.radius)
  // The waits that a phone has room for come first: every width shows those.
  const labels = new Map<MapEntry, Label>()
  const placed: { from: number; to: number; y: number }[] = []
  for (const [width, scale] of [
    ['phone', PHONE_SCALE],
    ['roomy', 1],
  ] as const) {
    const size = scale / fit ** 0.85
    for (const [index, { entry, position }] of [...marks.entries()].toReversed()) {
      if (entry.range === null || labels.has(entry)) continue
      const [x, y] = position
      const length = size * (labelText(entry.airport, entry.range).length * LABEL.letter + entry.style.radius)
      const side = x + length > right ? -1 : 1
      const [from, to] = side === 1 ? [x, x + length] : [x - length, x]
      if (placed.some((other) => Math.abs(other.y - y) <= size * LABEL.line && other.from < to && from < other.to))
        continue
      const isCovered = marks.slice(index + 1).some(({ entry: { style }, position: [left, top] }) => {
        const radius = size * style.radius
        return left > from - radius && left < to + radius && Math.abs(top - y) < size * LABEL.covered
      })
      if (isCovered) continue
      labels.set(entry, { width, side })
      placed.push({ from, to, y })
    }
  }
  return (
    <g class="marks">
      {marks.map(({ entry, position: [x, y] }) => {
        const label = labels.get(entry)
        return (
          <g transform={`translate(${x} ${y})`}>
            {linked ? (
              <a href={airportAddress(entry.airport.iata)}>
                <Mark entry={entry} label={label} />
              </a>
            ) : (
              <Mark entry={entry} label={label} />
            )}
          </g>
        )
      })}
    </g>
  )
}

/** A written wait: on every width or only where there is room, to the right or the left of its mark. */
interface Label {
  width: 'phone' | 'roomy'
  side: 1 | -1
}

const labelText = ({ iata }: MapEntry['airport'], range: NonNullable<MapEntry['range']>) =>
  `${iata} ${rangeFigure(range)}`

const Mark = ({ entry, label }: { entry: MapEntry; label: Label | undefined }) => {
  const { airport, text, style, range } = entry
  return (
    <g class="mark">
      <title>{`${airport.iata} ${airport.name}: ${text}`}</title>
      <MarkShape style={style} />
      {label && range && (
        <text
          class={label.width === 'roomy' ? label.width : undefined}
          x={label.side * (style.radius + 3)}
          y="5"
          text-anchor={label.side === -1 ? 'end' : undefined}
        >
          {labelText(airport, range)}
        </text>
      )}
    </g>
  )
}
