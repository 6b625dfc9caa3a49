import { inClocksOf } from '../../answers/statements/clock-style.ts'
import { newsLine, newsOf, type WaitStatement } from '../../answers/statements/wait.ts'
import { localNow } from '../../answers/statements/words.ts'
import { PAINT } from '../../config/palette.ts'
import type { AirportRequest } from '../airport/answers.ts'
import { cardOf, cardStyle } from '../airport/card.ts'
import { Strip } from '../airport/wait-card.tsx'
import { fitted, SIMULATED_WORLD, widthOf } from '../charts/frame.tsx'
import { colour, resolveColours } from '../charts/palette.ts'
import { renderMarkup } from '../markup/render.ts'

const WIDTH = 1_200
const HEIGHT = 630
const MARGIN = 56
const INNER = WIDTH - 2 * MARGIN
const CARD_TOP = 132
const CARD_HEIGHT = 444
/** Sizes of the card's content, the largest first: the first that leaves no line out is taken. */
const SIZES = [1.5, 1.25, 1]
/** Room beside and above the content of a card. */
const PADDING = 44
/** Units of the card's text to one of a page: the bars of terminals are drawn for a page. */
const STRIP_SCALE = 1.5
const STRIP_HEIGHT = 130
/** Lines between the figure and the bars of terminals. */
const MAX_LINES = 3
const LINE_SIZE = 26
const DETAIL_SIZE = 32
const DETAIL_GAP = 16
const KNOWN_SIZE = 24
const { asphalt: ASPHALT, signal: SIGNAL, white: WHITE, haze: HAZE } = PAINT

/** The picture that previews of the page of an airport show: its card. An estimate is hatched at the edge, light and called one. */
export const shareImage = (request: AirportRequest): string =>
  resolveColours(renderMarkup(<ShareImage request={request} />))

function ShareImage({ request }: { request: AirportRequest }) {
  const { airport, snapshot, now } = request
  const card = cardOf(request).shown
  const { clock, day } = localNow(now, airport.timezone)
  const isEstimate = card?.kind === 'estimate'
  const style = card && cardStyle(card)
  const edge = isEstimate || !style ? 'var(--edge)' : `var(--${style.name})`
  const contents = SIZES.map((size) => ({ size, ...contentOf(card, airport.country, (INNER - 2 * PADDING) / size) }))
  const content = contents.find(({ size, height }) => height * size <= CARD_HEIGHT - PADDING) ?? contents.at(-1)!
  const top = CARD_TOP + Math.max(0, (CARD_HEIGHT - content.height * content.size) / 2)
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      font-family="DejaVu Sans, sans-serif"
    >
      <title>{`Security wait at ${airport.name}`}</title>
      <defs>
        <pattern id="hatch" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="4" height="12" fill={edge} />
        </pattern>
      </defs>
      <rect width={WIDTH} height={HEIGHT} fill={ASPHALT} />
      <rect x={MARGIN} y="44" width="132" height="56" rx="8" fill={ASPHALT} stroke={SIGNAL} stroke-width="3" />
      <text x={MARGIN + 66} y="87" font-size="40" font-weight="700" text-anchor="middle" fill={SIGNAL}>
        {airport.iata}
      </text>
      <text x={MARGIN + 156} y="84" font-size="32" fill={WHITE}>
        {fitted(airport.name, INNER - 156, 32)}
      </text>
      <rect x={MARGIN} y={CARD_TOP} width={INNER} height={CARD_HEIGHT} rx="8" fill={colour('surface')} />
      <rect x={MARGIN} y={CARD_TOP} width="20" height={CARD_HEIGHT} fill={isEstimate ? 'url(#hatch)' : edge} />
      <g transform={`translate(${MARGIN + PADDING},${top}) scale(${content.size})`}>{content.drawn}</g>
      {snapshot.simulated && (
        <g>
          <rect width={WIDTH} height="30" fill={SIGNAL} />
          <text x={WIDTH / 2} y="22" font-size="20" font-weight="700" text-anchor="middle" fill={ASPHALT}>
            {SIMULATED_WORLD}
          </text>
        </g>
      )}
      <text x={MARGIN} y={HEIGHT - 28} font-size="22" fill={HAZE}>
        {inClocksOf(airport.country, `Holdshort · ${clock} local time, ${day}`)}
      </text>
    </svg>
  )
}

/** What a card says, laid out in a width: the height and the picture from 0, 0, all in units of the text. */
function contentOf(card: WaitStatement | null, country: string, width: number) {
  const inClocks = (text: string) => inClocksOf(country, text)
  const isEstimate = card?.kind === 'estimate'
  const isWords = card === null || card.kind === 'closed' || card.kind === 'unknown'
  const bars = card && card.bars.length > 1 ? card.bars : []
  const news = card ? pictured(card).map((news) => newsLine(news).replace(/ \([^)]*\)$/, '')) : []
  const closures = (card?.closures ?? []).slice(0, MAX_LINES - Math.max(1, news.length))
  const lines = linesOf([...closures, ...news].map(inClocks), width)
  const figureSize = isWords || isEstimate ? 56 : 76
  const figure = inClocks(card?.figure ?? 'Sign in to see the wait')
  const detail = inClocks(card?.detail ?? '')
  // A long detail stands below the figure, and is set smaller there if need be: a cut one would name the wrong place.
  const figureWidth = widthOf(figure, figureSize, !isWords && !isEstimate) + DETAIL_GAP
  const isBelow = figureWidth + widthOf(detail, DETAIL_SIZE) > width
  const detailSize = Math.min(DETAIL_SIZE, Math.floor((DETAIL_SIZE * width) / widthOf(detail, DETAIL_SIZE)))
  const linesTop = figureSize + (isBelow ? DETAIL_SIZE + 12 : 0)
  const known = wrapped(inClocks([card?.next?.text, card?.known].filter(Boolean).join('. ')), width, KNOWN_SIZE)
  const stripTop = linesTop + 30 + lines.length * 36
  const knownTop = stripTop + (bars.length > 0 ? STRIP_HEIGHT : 0) + 24
  const drawn = (
    <>
      <text
        y={figureSize}
        font-size={figureSize}
        font-weight={isEstimate ? 400 : 700}
        fill={colour(isEstimate ? 'quiet' : 'ink')}
      >
        {figure}
        <tspan
          x={isBelow ? 0 : undefined}
          dx={isBelow ? undefined : DETAIL_GAP}
          dy={isBelow ? DETAIL_SIZE + 12 : undefined}
          font-size={detailSize}
          font-weight="400"
          fill={colour('quiet')}
        >
          {detail}
        </tspan>
      </text>
      {lines.map((line, index) => (
        <text y={linesTop + 54 + index * 36} font-size={LINE_SIZE} fill={colour('ink')}>
          {line}
        </text>
      ))}
      {bars.length > 0 && (
        <g transform={`translate(0,${stripTop}) scale(${STRIP_SCALE})`}>
          <Strip bars={bars} />
        </g>
      )}
      {known.map((line, index) => (
        <text y={knownTop + index * 34} font-size={KNOWN_SIZE} fill={colour('quiet')}>
          {line}
        </text>
      ))}
    </>
  )
  return { drawn, height: knownTop + Math.max(0, known.length - 1) * 34 + 10 }
}

/** What else holds at an airport, without the weather or the slighter alert beside it: a picture has little room. */
function pictured(card: WaitStatement) {
  const all = newsOf(card)
  const slighter = card.alert?.is_grave === false ? card.alert : card.weather
  return all.length > 1 && card.weather !== null ? all.filter((news) => news !== slighter) : all
}

/** Texts in a line each, or in several where there is room for all of them; otherwise cut. */
function linesOf(texts: string[], width: number): string[] {
  const whole = texts.flatMap((text) => wrapped(text, width, LINE_SIZE))
  return whole.length <= MAX_LINES ? whole : texts.map((text) => fitted(text, width, LINE_SIZE))
}

/** A text in lines that fit a width: where a figure comes from is never cut. */
function wrapped(text: string, width: number, size: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && widthOf(longer, size) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
