import type { ForecastFigures } from '../../answers/accuracy/figures.ts'
import type { Accuracy } from '../../answers/accuracy/get-accuracy.ts'
import { MIN_JUDGED_HOURS } from '../../answers/statements/words.ts'
import { type Column, grouped, noted, number, Table } from '../pages/elements.tsx'
import { percent, signed, verdictText } from './figures-text.ts'

type SkillFigures = ForecastFigures['skill_mae']

const SUMMARY_COLUMNS: Column[] = ['Hours ahead', number('Error, min'), number('Simple rule, min'), number('Better by')]

const KIND_TEXT = { live: 'live', backtest: 'tried on the past' } as const
type Kind = keyof typeof KIND_TEXT

/** The record in a few figures by hours ahead: live where enough came true, else of the backtest. */
export function Summary({ record: { horizons, backtest } }: { record: Accuracy }) {
  const kind: Kind = horizons.some(({ figures }) => figures) ? 'live' : 'backtest'
  const selected = kind === 'live' ? horizons : backtest.horizons
  const rows = selected.flatMap(({ figures, ...rest }) => (figures ? [{ ...rest, figures }] : []))
  return (
    <Table
      label={`The record in short, ${KIND_TEXT[kind]}`}
      narrow="fit"
      columns={SUMMARY_COLUMNS}
      rows={rows.map(({ horizon, figures, skill_mae }) => [
        noted(horizon, KIND_TEXT[kind]),
        figures.mae_minutes.toFixed(2),
        figures.baseline_mae_minutes?.toFixed(2) ?? '–',
        <>
          {skill_mae ? signed(skill_mae.skill) : '–'}
          <Verdict compared={figures.compared} skill_mae={skill_mae} />
        </>,
      ])}
    />
  )
}

const SCORECARD_COLUMNS: Column[] = [
  'Hours ahead',
  number('Error (MAE)'),
  number('Simple rule’s'),
  number('Error better by'),
  number('Pinball loss better by'),
  number('In 80 % interval'),
  number('Brier score'),
  number('Forecast hours'),
]

export function Scorecard({ kind, horizons }: { kind: Kind; horizons: Accuracy['horizons'] }) {
  return (
    <Table
      label={`Scorecard by hours ahead, ${KIND_TEXT[kind]}`}
      columns={SCORECARD_COLUMNS}
      rows={horizons.map(({ horizon, figures, skill_mae, skill_pinball, airports }) => ({
        attributes: { class: `${kind}-row` },
        cells: [
          noted(horizon, KIND_TEXT[kind]),
          ...(figures === null || figures === undefined
            ? [
                <td colSpan={7} class="none">
                  {kind === 'live' ? `fewer than ${MIN_JUDGED_HOURS} hours` : 'not tried on the past'}
                </td>,
              ]
            : [
                minutesText(figures.mae_minutes),
                minutesText(figures.baseline_mae_minutes),
                <SkillText skill={skill_mae} compared={figures.compared} />,
                <SkillText skill={skill_pinball} compared={figures.compared} />,
                <>
                  {percent(figures.coverage_80)}
                  <span>
                    {percent(figures.below)} below, {percent(figures.above)} above
                  </span>
                </>,
                <>
                  {figures.brier === null ? '–' : figures.brier.toFixed(3)}
                  {figures.brier_constant !== null && <span>constant {figures.brier_constant.toFixed(3)}</span>}
                </>,
                noted(grouped(figures.samples), `${airports} airports`),
              ]),
        ],
      }))}
    />
  )
}

const OPPONENT_COLUMNS: Column[] = [
  'Hours ahead',
  number('Our error, min'),
  number('Newest wait, min'),
  number('Trend rule, min'),
  number('Forecast hours'),
]

/** The errors of two rules from elsewhere on the same hours, live and tried on the past; nothing if none was known. */
export function Opponents({ record: { horizons, backtest } }: { record: Accuracy }) {
  const rowsOf = (kind: Kind, buckets: Accuracy['horizons']) =>
    buckets.flatMap(({ horizon, figures }) => (figures && figures.opposed > 0 ? [{ kind, horizon, figures }] : []))
  const rows = [...rowsOf('live', horizons), ...rowsOf('backtest', backtest.horizons)]
  if (rows.length === 0) return null
  return (
    <details>
      <summary>Beside rules from elsewhere</summary>
      <Table
        label="Errors of rules from elsewhere on the same hours"
        columns={OPPONENT_COLUMNS}
        rows={rows.map(({ kind, horizon, figures }) => [
          noted(horizon, KIND_TEXT[kind]),
          figures.opposed_mae_minutes?.toFixed(2),
          figures.persistence_mae_minutes?.toFixed(2),
          figures.trend_mae_minutes?.toFixed(2),
          grouped(figures.opposed),
        ])}
      />
      <p>
        Mean absolute errors on the same forecasts of the same hours, each rule from what was known when our forecast
        was made. Newest wait: the last hourly mean stays. Trend rule, of an open project of this field: the mean of the
        hour of the week in 21 days; up to 150 minutes ahead, the less the further, the last hourly mean with the slope
        of the last three hours.
      </p>
    </details>
  )
}

/** `+9 %, 6 to 12, better`; the word carries the meaning, the colour only repeats it. */
function SkillText({ skill, compared }: { skill: SkillFigures | undefined; compared: number }) {
  if (!skill) return <>–</>
  const { low, high } = skill
  return (
    <>
      {signed(skill.skill)}
      <span>
        {low !== null && high !== null ? `${signed(low)} to ${signed(high)}` : 'too few days for an interval'}
      </span>
      <Verdict compared={compared} skill_mae={skill} />
    </>
  )
}

/** The verdict on a record against the simple rule. */
export function Verdict(judged: Pick<ForecastFigures, 'compared' | 'skill_mae'>) {
  const { text, verdict } = verdictText(judged)
  return <span class={`verdict ${verdict}`}>{text}</span>
}

const minutesText = (minutes: number | null | undefined) =>
  minutes === null || minutes === undefined ? '–' : `${minutes.toFixed(2)} min`
