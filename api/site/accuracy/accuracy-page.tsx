import type { Directory } from '../../../config/airports/directory.ts'
import { DAY_MS } from '../../../config/domain.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import type { ForecastFigures } from '../../data/accuracy/figures.ts'
import { type Accuracy, accuracyOver } from '../../data/accuracy/get-accuracy.ts'
import { countText, listText } from '../../data/tools/text.ts'
import { ChartSvg } from '../charts/frame.tsx'
import type { Toolkit } from '../charts/toolkit.ts'
import { airportAddress, type Column, Files, grouped, Moment, Table } from '../pages/elements.tsx'
import { Metadata } from '../pages/metadata.tsx'
import { datasetData } from '../pages/schema-org.ts'
import type { Page } from '../pages/shell.tsx'
import { ACCURACY_FILES } from './accuracy-files.ts'

export const PERIODS = [7, 30, 90] as const
export type Period = (typeof PERIODS)[number]

type PageRecord = Accuracy

interface AccuracyPageInput {
  snapshot: Snapshot | null
  directory: Directory
  period: Period
  site_url: string
  toolkit: Toolkit
}

const TITLE = 'How good the forecasts were'
const DESCRIPTION =
  'The live record of Holdshort’s forecasts beside their backtest and a simple baseline: errors, calibration, coverage, misses, each forecast to download.'

/** The page of the record: how good the forecasts were, beside their backtest and the baseline. */
export function accuracyPage({ snapshot, directory, period, site_url, toolkit }: AccuracyPageInput): Page {
  const record = snapshot && accuracyOver(snapshot, period)
  return {
    title: TITLE,
    description: DESCRIPTION,
    head: (
      <Metadata
        site_url={site_url}
        path={period === 30 ? '/accuracy' : `/accuracy?days=${period}`}
        title={TITLE}
        description={DESCRIPTION}
        isSimulated={snapshot?.simulated === true}
        image={{
          path: '/accuracy/reliability.png',
          alt: 'Probability claimed and how often it came true',
        }}
        alternates={ACCURACY_FILES.map(({ name, title }) => ({
          type: 'text/csv',
          path: `/accuracy/${name}.csv?days=${period}`,
          title,
        }))}
        data={[
          datasetData(site_url, {
            path: '/accuracy',
            name: 'Record of forecasts of airport security waits',
            description: DESCRIPTION,
            files: ACCURACY_FILES.flatMap(({ name }) => [
              { type: 'text/csv', path: `/accuracy/${name}.csv?days=${period}` },
              { type: 'application/json', path: `/accuracy/${name}.json?days=${period}` },
            ]),
          }),
        ]}
      />
    ),
    body: (
      <>
        <p class="lead">
          Every forecast of a security wait is kept and compared with the wait that was observed, beside the backtest
          that promised it and beside a simple baseline.
        </p>
        {record && <Since record={record} />}
        <nav class="pages" aria-label="Period">
          <ul>
            {PERIODS.map((days) => (
              <li>
                <a href={`/accuracy?days=${days}`} aria-current={days === period ? 'page' : undefined}>
                  {days} days
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {record ? (
          <Record record={record} directory={directory} toolkit={toolkit} />
        ) : (
          <p>No snapshot has been published yet.</p>
        )}
      </>
    ),
  }
}

const hasLive = ({ horizons, airports }: PageRecord) =>
  horizons.some(({ figures }) => figures !== null) || airports.some(({ horizons: of }) => of.some(({ live }) => live))

/** Whether there is anything to score: what came true, or a backtest. */
const hasFigures = (record: PageRecord) => hasLive(record) || record.backtest.airports > 0

function Since({ record }: { record: PageRecord }) {
  const { recorded_since, generated_at, backtest, days } = record
  return (
    <p>
      As of <Moment at={generated_at} />.{' '}
      {recorded_since === null
        ? 'No forecast has come true yet: the record begins with the first hour that is observed after a forecast of it.'
        : `This installation has kept its record since ${recorded_since.slice(0, 10)}.`}
      {recorded_since !== null && !hasLive(record) && ` Nothing has come true in the last ${days} days.`}
      {!hasLive(record) &&
        (backtest.airports > 0
          ? ` Until then the backtest of ${backtest.airports} airports is shown alone.`
          : ' No model has been trained yet, so there is no backtest either.')}
    </p>
  )
}

/** A picture of the record with its numbers beside it, and where each is as a file. */
function Picture({ name, record, toolkit }: { name: string; record: PageRecord; toolkit: Toolkit }) {
  if (!hasFigures(record)) return null
  const file = ACCURACY_FILES.find((one) => one.name === name)!
  const chart = file.chart!(toolkit, record)
  return (
    <figure>
      <ChartSvg chart={chart} id={`accuracy-${name}`} />
      <figcaption>
        {chart.title}. <RecordFiles name={name} days={record.days} />
      </figcaption>
    </figure>
  )
}

/** Links to the files of a part of the record. */
const RecordFiles = ({ name, days, formats }: { name: string; days: number; formats?: readonly string[] }) => (
  <Files address={`/accuracy/${name}`} query={`?days=${days}`} name={name} formats={formats} />
)

/** The formats of a part without a picture. */
const ROWS = ['csv', 'json']

function Record({ record, directory, toolkit }: { record: PageRecord; directory: Directory; toolkit: Toolkit }) {
  const { backtest, reliability, calibration_error } = record
  return (
    <>
      <section id="scorecard" aria-labelledby="scorecard-title">
        <h2 id="scorecard-title">Scorecard</h2>
        {hasFigures(record) ? <Summary record={record} /> : <p>There are no figures yet.</p>}
        <div class="pictures">
          <Picture name="scorecard" record={record} toolkit={toolkit} />
          <Picture name="coverage" record={record} toolkit={toolkit} />
        </div>
        {hasFigures(record) && (
          <details>
            <summary>The whole scorecard: live and backtest, with intervals</summary>
            <Scorecard record={record} />
          </details>
        )}
        <p>
          Skill is how far the error lies below that of the baseline on the same hours: the median of the same local
          hour in the 28 days before, as it was known when the forecast was made. Brier: the score of the claimed
          confidence, and that of always claiming the rate that came true; lower is better. Each airport counts alike
          (geometric mean of ratios). The range is the 95 % interval of a bootstrap over whole days; “better” and
          “worse” mean that all of it lies on one side of zero.
        </p>
      </section>
      <section id="reliability" aria-labelledby="reliability-title">
        <h2 id="reliability-title">Reliability</h2>
        <p>
          A forecast says how probable it is that the wait will be within 5 minutes of its median. On the diagonal that
          came true as often as it was claimed. Below it: how many forecasts claimed it.
          {calibration_error !== null &&
            ` Mean distance from it (expected calibration error): ${(calibration_error ?? 0).toFixed(3)}.`}
        </p>
        <Picture name="reliability" record={record} toolkit={toolkit} />
        <ReliabilityTable live={reliability} backtest={backtest.reliability} />
      </section>
      <section id="airports" aria-labelledby="airports-title">
        <h2 id="airports-title">Airports</h2>
        <Airports record={record} directory={directory} />
        <p>
          <RecordFiles name="airports" days={record.days} formats={ROWS} />
        </p>
      </section>
      <section id="misses" aria-labelledby="misses-title">
        <h2 id="misses-title">Worst misses of 30 days</h2>
        <Misses record={record} directory={directory} />
        <p>
          <RecordFiles name="misses" days={record.days} formats={ROWS} />
        </p>
      </section>
      <section id="vintages" aria-labelledby="vintages-title">
        <h2 id="vintages-title">Every forecast, to check</h2>
        <p>
          Each forecast that was issued is kept. Choose an airport and an instant: the file has the newest forecast made
          until then, as it was published, with what was observed since, of the hours that have ended.
        </p>
        <Vintages record={record} />
      </section>
      <section id="method" aria-labelledby="method-title">
        <h2 id="method-title">What is scored, and how to check it</h2>
        <ul>
          {record.excluded.map((sentence) => (
            <li>{sentence}</li>
          ))}
        </ul>
        <p>
          <a href="/docs/method">How figures are made</a> says how forecasts come about. With a key of any tier:{' '}
          <code>GET /api/v1/accuracy?days={record.days}</code> (JSON or CSV),{' '}
          <code>GET /api/v1/airports/JFK/accuracy</code> for one airport, and{' '}
          <code>GET /api/v1/airports/JFK/accuracy/vintage?as_of=…</code> for any single forecast beside what came true,
          as CSV with <code>Accept: text/csv</code>. All are described in <a href="/openapi.json">OpenAPI 3.1</a>. An
          operator makes the same figures from the stored forecasts by this command:
        </p>
        <pre role="group" tabindex={0} aria-label="Command that makes the figures again">
          <code>{record.reproduce}</code>
        </pre>
      </section>
    </>
  )
}

const number = (text: string): Column => ({ number: text })

const SUMMARY_COLUMNS: Column[] = ['Hours ahead', number('Error, min'), number('Baseline, min'), number('Skill')]

/** The record in a few figures: by hours ahead, live where something came true, else of the backtest. */
function Summary({ record: { horizons, backtest } }: { record: PageRecord }) {
  const rows = horizons.flatMap((live, k) => {
    const promised = backtest.horizons[k]
    if (live.figures) return [{ kind: 'live', ...live, figures: live.figures }]
    return promised?.figures ? [{ kind: 'backtest', ...promised, figures: promised.figures }] : []
  })
  return (
    <Table label="The record in short" narrow="fit" columns={SUMMARY_COLUMNS}>
      {rows.map(({ kind, horizon, figures, skill_mae }) => (
        <tr>
          <th scope="row">
            {horizon} <span>{kind}</span>
          </th>
          <td class="number">{figures.mae_minutes.toFixed(2)}</td>
          <td class="number">{figures.baseline_mae_minutes?.toFixed(2) ?? '–'}</td>
          <td class="number">
            {skill_mae ? signed(skill_mae.skill) : '–'}
            {skill_mae && skill_mae.low !== null && (
              <span class={`verdict ${skill_mae.verdict}`}>{skill_mae.verdict}</span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

const SCORECARD_COLUMNS: Column[] = [
  'Hours ahead',
  number('Error (MAE)'),
  number('Baseline’s'),
  number('Skill of error'),
  number('Skill of pinball'),
  number('In 80 % interval'),
  number('Brier score'),
  number('Forecast hours'),
]

function Scorecard({ record: { horizons, backtest } }: { record: PageRecord }) {
  const rows = horizons.flatMap((live, k) => [
    { kind: 'live', ...live },
    { kind: 'backtest', ...backtest.horizons[k]! },
  ])
  return (
    <Table label="Scorecard by hours ahead" columns={SCORECARD_COLUMNS}>
      {rows.map(({ kind, horizon, figures, skill_mae, skill_pinball, airports }) => (
        <tr class={kind === 'live' ? 'live-row' : 'backtest-row'}>
          <th scope="row">
            {horizon} <span>{kind === 'live' ? 'live' : 'backtest'}</span>
          </th>
          {figures === null || figures === undefined ? (
            <td colSpan={7} class="none">
              {kind === 'live' ? 'nothing has come true yet' : 'no backtest'}
            </td>
          ) : (
            <>
              <td class="number">{minutesText(figures.mae_minutes)}</td>
              <td class="number">{minutesText(figures.baseline_mae_minutes)}</td>
              <td class="number">
                <SkillText skill={skill_mae} />
              </td>
              <td class="number">
                <SkillText skill={skill_pinball} />
              </td>
              <td class="number">
                {percent(figures.coverage_80)}
                <span>
                  {percent(figures.below)} below, {percent(figures.above)} above
                </span>
              </td>
              <td class="number">
                {figures.brier === null ? '–' : figures.brier.toFixed(3)}
                {figures.brier_constant !== null && <span>constant {figures.brier_constant.toFixed(3)}</span>}
              </td>
              <td class="number">
                {grouped(figures.samples)} <span>{airports} airports</span>
              </td>
            </>
          )}
        </tr>
      ))}
    </Table>
  )
}

type SkillFigures = ForecastFigures['skill_mae']

/** `+9 %, 6 to 12, better`; the word carries the meaning, the colour only repeats it. */
function SkillText({ skill }: { skill: SkillFigures | undefined }) {
  if (!skill) return <>–</>
  const { low, high, verdict } = skill
  return (
    <>
      {signed(skill.skill)}
      <span>
        {low !== null && high !== null ? `${signed(low)} to ${signed(high)}` : 'too few days for an interval'}
      </span>
      {low !== null && <span class={`verdict ${verdict}`}>{verdict}</span>}
    </>
  )
}

const signed = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`
const percent = (share: number) => `${(100 * share).toFixed(0)} %`
const minutesText = (minutes: number | null | undefined) =>
  minutes === null || minutes === undefined ? '–' : `${minutes.toFixed(2)} min`

function ReliabilityTable({
  live,
  backtest,
}: {
  live: PageRecord['reliability']
  backtest: PageRecord['reliability']
}) {
  const rows = [
    ...live.map((bin) => ({ kind: 'live', ...bin })),
    ...backtest.map((bin) => ({ kind: 'backtest', ...bin })),
  ]
  if (rows.length === 0) return <p>No confidence has been claimed for an hour that came true.</p>
  return (
    <details>
      <summary>The diagram as a table</summary>
      <Table
        label="Claimed confidence and what came true"
        narrow="fit"
        columns={['Record', number('Claimed'), number('Came true'), number('Forecast hours')]}
      >
        {rows.map(({ kind, confidence, observed, samples }) => (
          <tr>
            <th scope="row">{kind}</th>
            <td class="number">{(100 * confidence).toFixed(1)} %</td>
            <td class="number">{(100 * observed).toFixed(1)} %</td>
            <td class="number">{grouped(samples)}</td>
          </tr>
        ))}
      </Table>
    </details>
  )
}

const DRIFT_TEXT = {
  steady: '',
  drifting: 'model drifts',
  on_rule: 'model drifts, the rule serves',
} as const

function Airports({ record: { airports, horizons }, directory }: { record: PageRecord; directory: Directory }) {
  if (airports.length === 0) return <p>No airport has a record or a backtest yet.</p>
  const columns: Column[] = ['Airport', 'Forecast', ...horizons.map(({ horizon }) => number(horizon)), number('80 %')]
  const worst = airports.filter(({ drift, horizons: buckets }) => drift !== 'steady' || buckets.some(isWorse))
  return (
    <>
      <p>
        {countText(airports.length, 'airport')} with a record or a backtest.{' '}
        {worst.length === 0
          ? 'None is worse than the baseline, and no model drifts.'
          : `Worse than the baseline at some distance, or drifting: ${listText(worst.map(({ airport }) => airport))}.`}
      </p>
      <details>
        <summary>Each airport by hours ahead</summary>
        <p>
          Live error in minutes, the skill against the baseline with its verdict, and the error that the backtest had
          promised. 80 %: share of all hours inside the interval, and the same of the backtest.
        </p>
        <Table label="Record of each airport" columns={columns}>
          {airports.map(({ airport, basis, horizons: buckets, drift }) => (
            <tr>
              <th scope="row">
                <a href={`${airportAddress(airport)}#record`}>{airport}</a>{' '}
                <span>{directory.byIata.get(airport)?.name}</span>
              </th>
              <td>
                {basis === 'typical' ? 'typical' : 'own'}
                {drift !== 'steady' && <span class="verdict worse">{DRIFT_TEXT[drift]}</span>}
              </td>
              {buckets.map(({ live, backtest }) => (
                <td class="number">
                  <AirportBucket live={live ?? null} backtest={backtest ?? null} />
                </td>
              ))}
              <td class="number">
                {coverageText(buckets.map(({ live }) => live ?? null))}
                <span>{coverageText(buckets.map(({ backtest }) => backtest ?? null))} backtest</span>
              </td>
            </tr>
          ))}
        </Table>
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
        <span class={skill.low === null ? '' : `verdict ${skill.verdict}`}>
          {signed(skill.skill)}
          {skill.low !== null && ` ${skill.verdict}`}
        </span>
      )}
      {backtest && <span>{backtest.mae_minutes.toFixed(2)} backtest</span>}
    </>
  )
}

function coverageText(buckets: readonly (ForecastFigures | null)[]): string {
  const known = buckets.filter((one) => one !== null)
  const samples = known.reduce((sum, one) => sum + one.samples, 0)
  if (samples === 0) return '–'
  return percent(known.reduce((sum, one) => sum + one.samples * one.coverage_80, 0) / samples)
}

/** Where a forecast is as a file, with what came true. */
const vintageFile = (airport: string, as_of: string, format: 'csv' | 'json') =>
  `/accuracy/vintage.${format}?airport=${airport}&as_of=${encodeURIComponent(as_of)}`

const VintageLinks = ({ airport, as_of }: { airport: string; as_of: string }) => {
  const [csv, json] = [vintageFile(airport, as_of, 'csv'), vintageFile(airport, as_of, 'json')]
  return (
    <>
      <a href={csv}>CSV</a> <a href={json}>JSON</a>
    </>
  )
}

/** A form that leads to the file of a forecast. */
function Vintages({ record: { airports, generated_at } }: { record: PageRecord }) {
  const own = [...new Set(airports.filter(({ basis }) => basis === 'predicted').map(({ airport }) => airport))]
  if (own.length === 0) return <p>No airport has a forecast of its own yet.</p>
  const dayBefore = `${new Date(Date.parse(generated_at) - DAY_MS).toISOString().slice(0, 13)}:00:00Z`
  return (
    <form class="vintages" method="get" action="/accuracy/vintage.csv">
      <label for="vintage-airport">Airport</label>
      <select id="vintage-airport" name="airport">
        {own.map((airport) => (
          <option>{airport}</option>
        ))}
      </select>
      <label for="vintage-instant">Newest forecast until (UTC)</label>
      <input id="vintage-instant" name="as_of" value={dayBefore} required />
      <button>CSV</button>
      <button class="second" formaction="/accuracy/vintage.json">
        JSON
      </button>
    </form>
  )
}

const MISS_COLUMNS: Column[] = [
  'Airport',
  'Hour',
  number('Forecast'),
  number('Observed'),
  'What is known',
  'The forecast',
]

function Misses({ record: { misses }, directory }: { record: PageRecord; directory: Directory }) {
  if (misses.length === 0) return <p>No hour was outside its interval.</p>
  return (
    <>
      <p>
        The hours furthest outside the 80 % interval that was forecast one to five hours before, with what the sources
        said about the hour. Nothing is guessed: where nothing is known, nothing is said.
      </p>
      <MissTable misses={misses.slice(0, MISSES_SHOWN)} directory={directory} />
      {misses.length > MISSES_SHOWN && (
        <details>
          <summary>Show {misses.length - MISSES_SHOWN} more</summary>
          <MissTable misses={misses.slice(MISSES_SHOWN)} directory={directory} />
        </details>
      )}
    </>
  )
}

/** The worst misses that are shown unfolded. */
const MISSES_SHOWN = 3

function MissTable({ misses, directory }: { misses: PageRecord['misses']; directory: Directory }) {
  return (
    <Table label="Worst misses" columns={MISS_COLUMNS}>
      {misses.map(({ airport, hour, low, high, wait_minutes, observed_minutes, samples, known, ...miss }) => (
        <tr>
          <th scope="row">
            {airport} <span>{directory.byIata.get(airport)?.name}</span>
          </th>
          <td>
            <Moment at={hour} />
          </td>
          <td class="number">
            {Math.round(wait_minutes)} min
            <span>
              {Math.round(low)} to {Math.round(high)}
            </span>
          </td>
          <td class="number">
            {Math.round(observed_minutes)} min <span>{samples === 1 ? '1 reading' : `${samples} readings`}</span>
          </td>
          <td class={known.length === 0 ? 'none' : ''}>{known.length === 0 ? 'nothing' : known.join('; ')}</td>
          <td>
            <VintageLinks airport={airport} as_of={miss.issued_at} /> <span>{miss.model}</span>
          </td>
        </tr>
      ))}
    </Table>
  )
}
