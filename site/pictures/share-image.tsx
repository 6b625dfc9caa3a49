import { inClocksOf } from '../../answers/statements/clock-style.ts'
import { newsLine, newsOf } from '../../answers/statements/wait.ts'
import { localNow } from '../../answers/statements/words.ts'
import { PAINT } from '../../config/palette.ts'
import type { AirportRequest } from '../airport/answers.ts'
import { cardOf, cardStyle } from '../airport/card.ts'
import { Strip } from '../airport/wait-card.tsx'
import { fitted, widthOf } from '../charts/frame.tsx'
import { colour, resolveColours } from '../charts/palette.ts'
import { renderMarkup } from '../markup/render.ts'

const WIDTH = 1_200
const HEIGHT = 630
const MARGIN = 56
const INNER = WIDTH - 2 * MARGIN
const CARD_TOP = 132
const CARD_HEIGHT = 444
const LEFT = MARGIN + 44
/** Units of the card's text to one of a page: the bars of terminals are drawn for a page. */
const STRIP_SCALE = 1.5
const STRIP_HEIGHT = 130
/** Lines between the figure and the bars of terminals. */
const MAX_LINES = 3
const LINE_SIZE = 26
const { asphalt: ASPHALT, signal: SIGNAL, white: WHITE, haze: HAZE } = PAINT

/** The picture that previews of the page of an airport show: its card. An estimate is hatched at the edge, light and called one. */
export const shareImage = (request: AirportRequest): string =>
  resolveColours(renderMarkup(<ShareImage request={request} />))

function ShareImage({ request }: { request: AirportRequest }) {
  const { airport, snapshot, now } = request
  const card = cardOf(request).shown
  const { clock, day } = localNow(now, airport.timezone)
  const inClocks = (text: string) => inClocksOf(airport.country, text)
  const isEstimate = card?.kind === 'estimate'
  const isWords = card === null || card.kind === 'closed' || card.kind === 'unknown'
  const style = card && cardStyle(card)
  const edge = isEstimate || !style ? 'var(--edge)' : `var(--${style.name})`
  const hasBars = card !== null && card.bars.length > 1
  const news = card ? newsOf(card).map((news) => newsLine(news).replace(/ \([^)]*\)$/, '')) : []
  const closures = (card?.closures ?? []).slice(0, MAX_LINES - Math.max(1, news.length))
  const lines = linesOf([...closures, ...news].map(inClocks))
  const figureSize = isWords || isEstimate ? 56 : 76
  const figure = inClocks(card?.figure ?? 'Sign in to see the wait')
  const detail = inClocks(card?.detail ?? '')
  // A long detail is set smaller, because a cut one would name the wrong place. Bold digits are wider than bold words.
  const room = INNER - 80 - widthOf(figure, figureSize, !isWords && !isEstimate)
  const detailSize = Math.min(32, Math.floor((32 * room) / widthOf(detail, 32)))
  const top = CARD_TOP + (hasBars ? 0 : 80)
  const stripTop = top + 122 + lines.length * 36
  const knownTop = stripTop + (hasBars ? STRIP_HEIGHT : 0) + 30
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
      <text
        x={LEFT}
        y={top + 92}
        font-size={figureSize}
        font-weight={isEstimate ? 400 : 700}
        fill={colour(isEstimate ? 'quiet' : 'ink')}
      >
        {figure}
        <tspan dx="16" font-size={detailSize} font-weight="400" fill={colour('quiet')}>
          {detail}
        </tspan>
      </text>
      {lines.map((line, index) => (
        <text x={LEFT} y={top + 146 + index * 36} font-size={LINE_SIZE} fill={colour('ink')}>
          {line}
        </text>
      ))}
      {hasBars && (
        <g transform={`translate(${LEFT},${stripTop}) scale(${STRIP_SCALE})`}>
          <Strip bars={card.bars} />
        </g>
      )}
      {wrapped(inClocks([card?.next?.text, card?.known].filter(Boolean).join('. '))).map((line, index) => (
        <text x={LEFT} y={knownTop + index * 34} font-size="24" fill={colour('quiet')}>
          {line}
        </text>
      ))}
      {snapshot.simulated && (
        <g>
          <rect width={WIDTH} height="30" fill={SIGNAL} />
          <text x={WIDTH / 2} y="22" font-size="20" font-weight="700" text-anchor="middle" fill={ASPHALT}>
            SIMULATED world: every figure is invented
          </text>
        </g>
      )}
      <text x={MARGIN} y={HEIGHT - 28} font-size="22" fill={HAZE}>
        {inClocks(`Holdshort · ${clock} local time, ${day}`)}
      </text>
    </svg>
  )
}

const LINE_LETTERS = 70

/** Texts in a line each, or in several where there is room for all of them; otherwise cut. */
function linesOf(texts: string[]): string[] {
  const inOne = (text: string) => fitted(text, INNER - 80, LINE_SIZE)
  const whole = texts.flatMap((text) => (inOne(text) === text ? text : wrapped(text, LINE_LETTERS - 4)))
  return whole.length <= MAX_LINES ? whole : texts.map(inOne)
}

/** A text in lines that fit the card: where a figure comes from is never cut. */
function wrapped(text: string, letters = LINE_LETTERS): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < letters) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
