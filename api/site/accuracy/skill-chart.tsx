/** The skill in one bucket of hours ahead; the interval is null where too few days are known. */
export interface SkillPoint {
  name: string
  live: { skill: number; low: number | null; high: number | null } | null
  backtest: { skill: number; low: number | null; high: number | null } | null
}

const WIDTH = 320
const ROW = 46
const TOP = 8
const LEFT = 74
const RIGHT = 12
const AXIS = 34

const round = (value: number) => Math.round(value * 10) / 10

/** Skill against the baseline by hours ahead, with 95 % intervals: right of the line at 0 is better than the baseline. */
export function SkillChart({ points }: { points: readonly SkillPoint[] }) {
  const all = points.flatMap(({ live, backtest }) => [live, backtest].filter((one) => one !== null))
  const ends = all.flatMap(({ skill, low, high }) => [skill, low ?? skill, high ?? skill])
  const most = Math.max(0.1, Math.ceil(Math.max(...ends, 0) * 10) / 10)
  const least = Math.min(-0.1, Math.floor(Math.min(...ends, 0) * 10) / 10)
  const height = TOP + points.length * ROW + AXIS
  const x = (skill: number) => round(LEFT + ((skill - least) / (most - least)) * (WIDTH - LEFT - RIGHT))
  const levels = [least, 0, most]
  return (
    <svg
      class="skills"
      role="img"
      aria-labelledby="skill-name skill-summary"
      viewBox={`0 0 ${WIDTH} ${height}`}
      width={WIDTH}
      height={height}
    >
      <title id="skill-name">Skill by hours ahead</title>
      <desc id="skill-summary">The table above has the same figures.</desc>
      {levels.map((level) => (
        <g>
          <line class={level === 0 ? 'zero' : 'grid'} x1={x(level)} x2={x(level)} y1={TOP} y2={height - AXIS} />
          <text class="tick" x={x(level)} y={height - AXIS + 14} text-anchor="middle">
            {`${level > 0 ? '+' : ''}${Math.round(100 * level)} %`.replace('-', '−')}
          </text>
        </g>
      ))}
      <text class="tick" x={(LEFT + WIDTH - RIGHT) / 2} y={height - 4} text-anchor="middle">
        error below the baseline’s
      </text>
      {points.map(({ name, live, backtest }, row) => {
        const middle = TOP + row * ROW + ROW / 2
        return (
          <g>
            <text class="tick" x={LEFT - 8} y={middle + 4} text-anchor="end">
              {name}
            </text>
            {backtest && <Whisker point={backtest} x={x} y={middle + 8} kind="expected" />}
            {live && <Whisker point={live} x={x} y={middle - 7} kind="live-points" />}
          </g>
        )
      })}
    </svg>
  )
}

interface WhiskerProps {
  point: { skill: number; low: number | null; high: number | null }
  x: (skill: number) => number
  y: number
  kind: string
}

const Whisker = ({ point: { skill, low, high }, x, y, kind }: WhiskerProps) => (
  <g class={kind}>
    {low !== null && high !== null && <line x1={x(low)} x2={x(high)} y1={y} y2={y} />}
    <circle cx={x(skill)} cy={y} r="4.5" />
  </g>
)
