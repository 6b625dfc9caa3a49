interface Point {
  confidence: number
  observed: number
  samples: number
}

const SIZE = 260
const LEFT = 40
const BOTTOM = 34
const TOP = 8
const RIGHT = 10
const WIDTH = LEFT + SIZE + RIGHT
const HEIGHT = TOP + SIZE + BOTTOM
const LEVELS = [0, 0.25, 0.5, 0.75, 1]

const x = (share: number) => round(LEFT + share * SIZE)
const y = (share: number) => round(TOP + (1 - share) * SIZE)
const round = (value: number) => Math.round(value * 10) / 10
const percent = (share: number) => `${Math.round(100 * share)} %`

/** How often a claimed confidence came true: on the diagonal as often as claimed. Larger points stand for more forecasts. */
export function ReliabilityChart({ live, backtest }: { live: readonly Point[]; backtest: readonly Point[] }) {
  return (
    <svg
      class="reliability"
      role="img"
      aria-labelledby="reliability-name reliability-summary"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
    >
      <title id="reliability-name">Confidence claimed and come true</title>
      <desc id="reliability-summary">The table beside has the same figures.</desc>
      {LEVELS.map((level) => (
        <g>
          <line class="grid" x1={x(level)} x2={x(level)} y1={y(0)} y2={y(1)} />
          <line class="grid" x1={x(0)} x2={x(1)} y1={y(level)} y2={y(level)} />
          <text class="tick" x={x(level)} y={y(0) + 14} text-anchor="middle">
            {Math.round(100 * level)}
          </text>
          <text class="tick" x={LEFT - 6} y={y(level) + 4} text-anchor="end">
            {Math.round(100 * level)}
          </text>
        </g>
      ))}
      <line class="diagonal" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
      <text class="tick" x={x(0.5)} y={HEIGHT - 4} text-anchor="middle">
        claimed, %
      </text>
      <Points points={backtest} kind="expected" />
      <Points points={live} kind="live-points" />
    </svg>
  )
}

function Points({ points, kind }: { points: readonly Point[]; kind: string }) {
  const most = Math.max(1, ...points.map(({ samples }) => samples))
  const line = points.map(({ confidence, observed }) => `${x(confidence)},${y(observed)}`).join(' ')
  return (
    <g class={kind}>
      {points.length > 1 && <polyline points={line} />}
      {points.map(({ confidence, observed, samples }) => (
        <circle cx={x(confidence)} cy={y(observed)} r={round(2.5 + 5 * Math.sqrt(samples / most))}>
          <title>{`claimed ${percent(confidence)}, came true ${percent(observed)}, ${samples} forecasts`}</title>
        </circle>
      ))}
    </g>
  )
}
