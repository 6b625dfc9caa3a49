import type { ForecastFigures } from '../../answers/accuracy/figures.ts'
import type { Accuracy } from '../../answers/accuracy/get-accuracy.ts'
import { listText } from '../../answers/statements/text.ts'
import type { Directory } from '../../config/airports/directory.ts'
import { countText } from '../../config/count-text.ts'
import { airportAddress, type Column, noted, number, Table } from '../pages/elements.tsx'
import { percent, signed } from './figures-text.ts'
import { Verdict } from './scorecard.tsx'

const DRIFT_TEXT = {
  steady: '',
  drifting: 'lately worse than tested',
  on_rule: 'lately worse than tested, so the simple rule is used',
} as const

export function Airports({ record: { airports, horizons }, directory }: { record: Accuracy; directory: Directory }) {
  if (airports.length === 0) return <p>Nothing scored yet.</p>
  const columns: Column[] = ['Airport', 'Forecast', ...horizons.map(({ horizon }) => number(horizon)), number('80 %')]
  const worst = airports.filter(({ drift, horizons: buckets }) => drift !== 'steady' || buckets.some(isWorse))
  return (
    <>
      <p>
        {countText(airports.length, 'airport')} with a record.{' '}
        {worst.length === 0
          ? 'None is worse than the simple rule, and none has lately been worse than tested.'
          : `Worse than the simple rule at some distance, or lately worse than tested: ${listText(worst.map(({ airport }) => airport))}.`}
      </p>
      <details>
        <summary>Each airport by hours ahead</summary>
        <p>
          Live error in minutes, by how much it is better than the simple rule, and the error on past hours that the
          forecasts had not seen. 80 %: share of all hours inside the range.
        </p>
        <Table
          label="Record of each airport"
          columns={columns}
          rows={airports.map(({ airport, basis, horizons: buckets, drift }) => [
            noted(<a href={`${airportAddress(airport)}#record`}>{airport}</a>, directory.byIata.get(airport)?.name),
            <>
              {basis === 'typical' ? 'from other airports' : 'own'}
              {drift !== 'steady' && <span class="verdict worse">{DRIFT_TEXT[drift]}</span>}
            </>,
            ...buckets.map(({ live, backtest }) => <AirportBucket live={live ?? null} backtest={backtest ?? null} />),
            <>
              {coverageText(buckets.map(({ live }) => live ?? null))}
              <span>{coverageText(buckets.map(({ backtest }) => backtest ?? null))} tried on the past</span>
            </>,
          ])}
        />
      </details>
    </>
  )
}

/** Whether forecasts were worse than the baseline with all of the interval. */
const isWorse = ({ live }: { live?: ForecastFigures | null | undefined }) => live?.skill_mae?.verdict === 'worse'

function AirportBucket({ live, backtest }: { live: ForecastFigures | null; backtest: ForecastFigures | null }) {
  const skill = live?.skill_mae
  return (
    <>
      {live ? live.mae_minutes.toFixed(2) : '–'}
      {skill && (
        <span>
          {signed(skill.skill)} <Verdict compared={live.compared} skill_mae={skill} />
        </span>
      )}
      {backtest && <span>{backtest.mae_minutes.toFixed(2)} tried on the past</span>}
    </>
  )
}

function coverageText(buckets: readonly (ForecastFigures | null)[]): string {
  const known = buckets.filter((bucket) => bucket !== null)
  const samples = known.reduce((sum, bucket) => sum + bucket.samples, 0)
  if (samples === 0) return '–'
  return percent(known.reduce((sum, bucket) => sum + bucket.samples * bucket.coverage_80, 0) / samples)
}
