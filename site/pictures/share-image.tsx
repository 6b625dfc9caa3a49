import { localNow } from '../../answers/statements/words.ts'
import { PAINT } from '../../config/palette.ts'
import type { AirportRequest } from '../airport/answers.ts'
import { cardOf } from '../airport/card.ts'
import type { PreparedAirport } from '../airport/prepare.ts'
import type { Chart } from '../charts/chart.ts'
import { fitted } from '../charts/frame.tsx'
import { colour, resolveColours } from '../charts/palette.ts'
import { renderMarkup } from '../markup/render.ts'

const WIDTH = 1_200
const HEIGHT = 630
const MARGIN = 56
const PANEL_TOP = 300
const { asphalt: ASPHALT, signal: SIGNAL, white: WHITE, haze: HAZE } = PAINT

/** The picture that previews of the page of an airport show: the wait now, and the band of the next 24 hours. */
export function shareImage(request: AirportRequest, { charts }: PreparedAirport): string {
  return resolveColours(renderMarkup(<ShareImage request={request} chart={charts.band?.wide ?? null} />))
}

function ShareImage({ request, chart }: { request: AirportRequest; chart: Chart | null }) {
  const { airport, snapshot, now } = request
  const card = cardOf(request).shown
  const { clock, day } = localNow(now, airport.timezone)
  const figure = card?.figure ?? 'Sign in to see the wait'
  const isWords = card === null || card.kind === 'closed' || card.kind === 'unknown'
  const delay = card?.delay && `${card.delay.title}: ${card.delay.line.replace(/ \([^)]*\)$/, '')}`
  const news = [...(card?.closures ?? []), delay].filter(Boolean).join(' · ')
  const scale = chart ? Math.min((WIDTH - 2 * MARGIN) / chart.width, (HEIGHT - PANEL_TOP - 70) / chart.height) : 1
  const inner = WIDTH - 2 * MARGIN
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      font-family="DejaVu Sans, sans-serif"
    >
      <title>{`Security wait at ${airport.name}`}</title>
      <rect width={WIDTH} height={HEIGHT} fill={ASPHALT} />
      <rect y={PANEL_TOP - 26} width={WIDTH} height="4" fill={SIGNAL} />
      <rect y={PANEL_TOP - 17} width={WIDTH} height="4" fill={SIGNAL} />
      <rect y={PANEL_TOP - 8} width={WIDTH} height={HEIGHT} fill={colour('surface')} />
      <rect x={MARGIN} y="44" width="132" height="56" rx="8" fill={ASPHALT} stroke={SIGNAL} stroke-width="3" />
      <text x={MARGIN + 66} y="87" font-size="40" font-weight="700" text-anchor="middle" fill={SIGNAL}>
        {airport.iata}
      </text>
      <text x={MARGIN + 156} y="84" font-size="32" fill={WHITE}>
        {fitted(airport.name, inner - 156, 32)}
      </text>
      <text x={MARGIN} y="176" font-size={isWords ? 48 : 72} font-weight="700" fill={WHITE}>
        {figure}
        <tspan dx="16" font-size="32" font-weight="400" fill={HAZE}>
          {card?.of ?? ''}
        </tspan>
      </text>
      <text x={MARGIN} y="222" font-size="23" font-weight="700" fill={SIGNAL}>
        {fitted(news, inner, 25)}
      </text>
      <text x={MARGIN} y="258" font-size="23" fill={HAZE}>
        {fitted(card ? [card.next, card.known].filter(Boolean).join('. ') : '', inner, 22)}
      </text>
      {snapshot.simulated && (
        <g>
          <rect width={WIDTH} height="30" fill={SIGNAL} />
          <text x={WIDTH / 2} y="22" font-size="20" font-weight="700" text-anchor="middle" fill={ASPHALT}>
            SIMULATED world: every figure is invented
          </text>
        </g>
      )}
      {chart && (
        <g
          transform={`translate(${(WIDTH - chart.width * scale) / 2},${PANEL_TOP + 8}) scale(${scale})`}
          fill="currentColor"
          font-size="12"
          text-anchor="middle"
        >
          {chart.marks}
        </g>
      )}
      <text x={MARGIN} y={HEIGHT - 20} font-size="20" fill={colour('quiet')}>
        {`Holdshort · ${clock} local time, ${day}`}
      </text>
    </svg>
  )
}
