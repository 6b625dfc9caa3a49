import type { WaitBar } from '../../answers/statements/spread.ts'
import { capitalised } from '../../answers/statements/text.ts'
import { type News, newsOf, newsTitles, rowLine, type WaitStatement } from '../../answers/statements/wait.ts'
import { fitted } from '../charts/frame.tsx'
import { LEVELS, type MarkStyle } from '../map/map-colours.ts'
import { unbroken } from '../pages/elements.tsx'
import { barStyle, cardStyle } from './card.ts'

/** A longer figure, such as a range, is set smaller on a wall. */
const MAX_SHORT_FIGURE = 7

/** The card of an airport in a page, in a frame and on a wall. */
export function Card({ card }: { card: WaitStatement }) {
  const { kind, figure, detail, closures, bars, next, known } = card
  return (
    <div class={`now now-${kind} ${levelClass(cardStyle(card))}`}>
      <p class={figure.length > MAX_SHORT_FIGURE ? 'now-figure long' : 'now-figure'}>
        {figure}
        {detail !== '' && <span> {detail}</span>}
      </p>
      {closures.map((line) => (
        <p class="now-closed-part">{line}</p>
      ))}
      <NewsLines card={card} />
      {bars.length > 1 && <Strip bars={bars} />}
      {(next !== null || known !== '') && (
        <p class="now-known">
          {next !== null && <strong>{unbroken(next.text)}. </strong>}
          {known}
        </p>
      )}
    </div>
  )
}

/** The class that colours an element by a wait, on the scale of all pages. */
export const levelClass = (style: MarkStyle | null) => (style === null ? '' : style.name.replace('wait', 'level'))

/** What else holds at an airport, in the order of its effect on plans: a chip and one line each. */
export const NewsLines = ({ card }: { card: WaitStatement }) => (
  <>
    {newsOf(card).map((news) => (
      <p class="now-delay">
        <b class={`state ${newsLevel(news)}`}>{news.title}</b> {capitalised(news.line)}
      </p>
    ))}
  </>
)

/** The class of a chip, on the scale of delays. */
function newsLevel(news: News): string {
  if ('status' in news) return news.status
  return 'is_grave' in news && news.is_grave ? 'ground_stop' : 'minor_delay'
}

const HEIGHT = 44
const TOP = 16
const MAX_BARS = 10
const WIDTH = 312
const MAX_COLUMN = 64

/** The waits of terminals or checkpoints side by side: a bar up to the longest of each, paler above the shortest. */
export function Strip({ bars }: { bars: readonly WaitBar[] }) {
  const shown = bars.slice(0, MAX_BARS)
  const labels = shortNames(shown.map(({ name }) => name))
  const column = Math.min(MAX_COLUMN, WIDTH / shown.length)
  const top = Math.max(20, ...shown.map(({ high }) => high ?? 0))
  const y = (minutes: number) => TOP + HEIGHT * (1 - minutes / top)
  const width = column * shown.length
  return (
    <svg
      class="strip"
      width={width}
      height={TOP + HEIGHT + 20}
      viewBox={`0 0 ${width} ${TOP + HEIGHT + 20}`}
      role="img"
      aria-label={bars.map(barWords).join('; ')}
      font-size="12"
      text-anchor="middle"
      fill="currentColor"
    >
      <line x1="0" x2={width} y1={TOP + HEIGHT + 0.5} y2={TOP + HEIGHT + 0.5} stroke="var(--edge)" />
      {shown.map((bar, index) => {
        const middle = (index + 0.5) * column
        const style = barStyle(bar)
        return (
          <>
            {style === null || bar.low === null || bar.high === null ? (
              <rect
                x={middle - 12}
                y={TOP + 8}
                width="24"
                height={HEIGHT - 8}
                fill="none"
                stroke="var(--edge)"
                stroke-dasharray="3 3"
              />
            ) : (
              <g fill={`var(--${style.name})`} stroke="var(--edge)">
                <rect
                  x={middle - 12}
                  y={y(bar.high) - 2}
                  width="24"
                  height={TOP + HEIGHT + 2 - y(bar.high)}
                  fill-opacity=".45"
                />
                <rect x={middle - 12} y={y(bar.low) - 2} width="24" height={TOP + HEIGHT + 2 - y(bar.low)} />
              </g>
            )}
            <text x={middle} y={style === null || bar.high === null ? TOP + 4 : y(bar.high) - 6}>
              {fitted(bar.label, column - 2, 12)}
            </text>
            <text x={middle} y={TOP + HEIGHT + 15}>
              {fitted(labels[index]!, column - 4, 12)}
            </text>
          </>
        )
      })}
    </svg>
  )
}

/**
 * Names without the words with which all of them begin, and without what explains a number: 1, 2 and 3 for "Security 1", "Security 2" and
 * "Security 3", 4 for "4: Gates B23 - 40".
 */
export function shortNames(names: readonly string[]): string[] {
  const words = names.map((name) =>
    name
      .replace(/^(Terminal|Concourse) /, '')
      .replace(/^(\w{1,3}): .*/, '$1')
      .split(' '),
  )
  const [first = []] = words
  const differs = first.findIndex((word, index) => words.some((own) => own[index] !== word || own.length === index + 1))
  return words.map((own) => own.slice(Math.max(0, differs)).join(' '))
}

const barWords = ({ name, words }: WaitBar) => `${name}: ${words}`

/** The meaning of the colours: the same on every page. */
export const ScaleLegend = () => (
  <ul class="scale" aria-label="Colours of waits">
    {LEVELS.map((style) => (
      <li>
        <i class={`swatch ${levelClass(style)}`} /> {style.text}
      </li>
    ))}
  </ul>
)

/** The parts of a card that a list row shows; null if nothing is known. */
export function rowOf(card: WaitStatement | null) {
  if (!card || card.kind === 'unknown') return null
  const level = levelClass(cardStyle(card))
  // A line breaks before its place alone: who draws the text takes its first word for the figure.
  return {
    text: rowLine(card)
      .replaceAll(' min', '\u00a0min')
      .replace(/^about /, 'about\u00a0')
      .replace(/ (at|by) /, ' $1\u00a0'),
    kind: card.kind,
    level,
    delay: newsTitles(card).join(' · ') || null,
  }
}

/** The wait at the end of a row, with what closes or delays the airport. */
export function RowWait({ card }: { card: WaitStatement | null }) {
  const row = rowOf(card)
  if (!row) return null
  const { text, kind, level, delay } = row
  const [figure = '', ...rest] = text.split(' ')
  return (
    <span class={`row-wait row-${kind}`}>
      <span class="row-figure">
        {level !== '' && <i class={`swatch ${level}`} />} {figure}
      </span>{' '}
      {rest.join(' ')}
      {delay !== null && <small>{delay}</small>}
    </span>
  )
}
