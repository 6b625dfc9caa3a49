import { PAINT } from '../../config/palette.ts'
import { renderMarkup } from '../markup/render.ts'
import { type Chart, type LegendEntry, WIDTH } from './chart.ts'
import { colour, FILE_STYLE, resolveColours } from './palette.ts'

const LINE_HEIGHT = 18
const SWATCH = 18
/** Mean width of a character in pixels at 12 px, for the place of texts; names may be cut by it, figures never. */
const CHARACTER_WIDTH = 6.6

interface PlacedEntry extends LegendEntry {
  x: number
  row: number
}

/** The legend in rows that fit the width. */
function placeLegend(legend: readonly LegendEntry[], width: number): PlacedEntry[] {
  let x = 0
  let row = 0
  return legend.map((entry) => {
    const needed = SWATCH + 6 + entry.text.length * CHARACTER_WIDTH + 14
    if (x > 0 && x + needed > width) {
      x = 0
      row++
    }
    const placed = { ...entry, x, row }
    x += needed
    return placed
  })
}

function Swatch({ mark, colour: name }: LegendEntry) {
  const paint = colour(name)
  if (mark === 'band') return <rect width={SWATCH} height="10" y="-9" rx="2" fill={paint} />
  if (mark === 'ring')
    return <circle cx={SWATCH / 2} cy="-4" r="4" fill={colour('surface')} stroke={paint} stroke-width="2" />
  if (mark === 'dot') return <circle cx={SWATCH / 2} cy="-4" r="4.5" fill={paint} />
  return (
    <line
      x2={SWATCH}
      y1="-4"
      y2="-4"
      stroke={paint}
      stroke-width="2.5"
      stroke-dasharray={mark === 'dashed' ? '4 3' : undefined}
    />
  )
}

const Legend = ({ entries }: { entries: readonly PlacedEntry[] }) => (
  <g font-size="12">
    {entries.map(({ x, row, ...entry }) => (
      <g transform={`translate(${Math.round(x)},${row * LINE_HEIGHT + 13})`}>
        <Swatch {...entry} />
        <text x={SWATCH + 6} fill={colour('quiet')}>
          {entry.text}
        </text>
      </g>
    ))}
  </g>
)

const rowsOf = (entries: readonly PlacedEntry[]) => (entries.length === 0 ? 0 : entries.at(-1)!.row + 1)

const Marks = ({ chart, y }: { chart: Chart; y: number }) => (
  <g
    transform={`translate(0,${y})`}
    fill="currentColor"
    font-size={chart.width === WIDTH ? 14 : 12}
    text-anchor="middle"
  >
    {chart.marks}
  </g>
)

/** The legend of a chart inside a page. */
export const Keys = ({ legend }: Pick<Chart, 'legend'>) =>
  legend.length === 0 ? null : (
    <ul class="keys" aria-label="Marks of the chart">
      {legend.map((entry) => (
        <li>
          <svg width={SWATCH} height="12" viewBox={`0 -10 ${SWATCH} 12`} aria-hidden="true">
            <Swatch {...entry} />
          </svg>{' '}
          {entry.text}
        </li>
      ))}
    </ul>
  )

interface ChartProps {
  chart: Chart
  /** Unique in the page. */
  id: string
  /** Whether several charts share one legend, which stands above them. */
  sharesKeys?: boolean
}

/** A chart inside a page, whose style sheet holds the colours, below its legend. */
export const ChartSvg = ({ chart, id, sharesKeys = false }: ChartProps) => (
  <div class={chart.width === WIDTH ? 'chart chart-wide' : 'chart'}>
    {!sharesKeys && <Keys legend={chart.legend} />}
    <svg
      class="plot"
      role="img"
      aria-labelledby={`${id}-title ${id}-text`}
      viewBox={`0 0 ${chart.width} ${chart.height}`}
    >
      <title id={`${id}-title`}>{chart.title}</title>
      <desc id={`${id}-text`}>{chart.description}</desc>
      <Marks chart={chart} y={0} />
    </svg>
  </div>
)

/** The texts of a file besides its chart, because it travels alone. */
export interface FileTexts {
  heading: string
  /** Lines under the heading: when the figures are from. */
  subheading: string
  /** Lines at the bottom: source, licence, address. */
  footer: readonly string[]
  simulated: boolean
}

const PADDING = 20

/** What every picture of the demo says. */
export const SIMULATED_WORLD = 'SIMULATED world: every figure is invented'
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif'

/** Bold letters are wider. */
const BOLD = 1.2

/** The width of a text in pixels, about. */
export const widthOf = (text: string, fontSize: number, isBold = false): number =>
  [...text].length * CHARACTER_WIDTH * (fontSize / 12) * (isBold ? BOLD : 1)

/** A text cut to a width in pixels at a size of type. */
export function fitted(text: string, width: number, fontSize: number, isBold = false): string {
  const most = Math.max(4, Math.floor(width / widthOf('n', fontSize, isBold)))
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

function File({ chart, texts }: { chart: Chart; texts: FileTexts }) {
  const { heading, subheading, footer, simulated } = texts
  const entries = placeLegend(chart.legend, chart.width)
  const headingTop = simulated ? PADDING + 26 : PADDING
  const legendTop = headingTop + 48
  const marksTop = legendTop + rowsOf(entries) * LINE_HEIGHT + 6
  const footerTop = marksTop + chart.height + 12
  const width = chart.width + 2 * PADDING
  const height = footerTop + footer.length * LINE_HEIGHT + PADDING - 6
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      role="img"
      aria-labelledby="title text"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      font-family={FONT}
      fill={colour('ink')}
    >
      <title id="title">{chart.title}</title>
      <desc id="text">{`${simulated ? 'SIMULATED. ' : ''}${chart.description}`}</desc>
      <style>{FILE_STYLE}</style>
      <rect width={width} height={height} fill={colour('surface')} />
      {simulated && (
        <g>
          <rect width={width} height="28" fill={PAINT.signal} />
          <text x={width / 2} y="19" font-size="13" font-weight="700" text-anchor="middle" fill={PAINT.asphalt}>
            {fitted(SIMULATED_WORLD, chart.width, 13, true)}
          </text>
        </g>
      )}
      <text x={PADDING} y={headingTop + 16} font-size="18" font-weight="700" fill={colour('ink')}>
        {fitted(heading, chart.width, 18, true)}
      </text>
      <text x={PADDING} y={headingTop + 36} font-size="12" fill={colour('quiet')}>
        {fitted(subheading, chart.width, 12)}
      </text>
      <g transform={`translate(${PADDING},${legendTop})`}>
        <Legend entries={entries} />
      </g>
      <g transform={`translate(${PADDING},0)`}>
        <Marks chart={chart} y={marksTop} />
      </g>
      <g font-size="11" fill={colour('quiet')}>
        {footer.map((line, index) => (
          <text x={PADDING} y={footerTop + 12 + index * LINE_HEIGHT}>
            {fitted(line, chart.width, 11)}
          </text>
        ))}
      </g>
    </svg>
  )
}

/** A chart as a file of its own: its colours are resolved, and follow the reader's light or dark setting. */
export const chartFile = (chart: Chart, texts: FileTexts): string =>
  resolveColours(renderMarkup(<File chart={chart} texts={texts} />))
