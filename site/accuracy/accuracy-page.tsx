import { type Accuracy, accuracyOver } from '../../answers/accuracy/get-accuracy.ts'
import { NO_FIGURES_YET } from '../../answers/statements/no-figures.ts'
import type { Directory } from '../../config/airports/directory.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { ChartSvg } from '../charts/frame.tsx'
import type { Toolkit } from '../charts/toolkit.ts'
import { type Column, dayText, Files, grouped, Listing, Moment, number, Section, Table } from '../pages/elements.tsx'
import { datasetData } from '../pages/schema-org.ts'
import type { Page } from '../pages/shell.tsx'
import { ACCURACY_FILES } from './accuracy-files.ts'
import { Airports } from './airports.tsx'
import { recordSentence, shownRecord, waitingSentence } from './figures-text.ts'
import { Misses } from './misses.tsx'
import { Opponents, Scorecard, Summary } from './scorecard.tsx'

export const PERIODS = [7, 30, 90] as const
export type Period = (typeof PERIODS)[number]

type PageRecord = Accuracy

interface AccuracyPageInput {
  snapshot: Snapshot | null
  directory: Directory
  period: Period
  toolkit: Toolkit
}

const TITLE = 'How good the forecasts were'
const DESCRIPTION =
  'The live record of Holdshort’s forecasts beside a simple rule: errors, calibration, coverage, misses, each forecast to download.'

/** The page of the record: how good the forecasts were, beside their backtest and the baseline. */
export function accuracyPage({ snapshot, directory, period, toolkit }: AccuracyPageInput): Page {
  const record = snapshot && accuracyOver(snapshot, period)
  const shown = record && shownRecord(record)
  const sentence = record && recordSentence(record)
  return {
    title: TITLE,
    description: DESCRIPTION,
    about: {
      path: period === 30 ? '/accuracy' : `/accuracy?days=${period}`,
      alternates: ACCURACY_FILES.map(({ name, title }) => ({
        type: 'text/csv',
        path: `/accuracy/${name}.csv?days=${period}`,
        title,
      })),
      data: [
        datasetData({
          path: '/accuracy',
          name: 'Record of forecasts of airport security waits',
          description: DESCRIPTION,
          files: ACCURACY_FILES.flatMap(({ name }) => [
            { type: 'text/csv', path: `/accuracy/${name}.csv?days=${period}` },
            { type: 'application/json', path: `/accuracy/${name}.json?days=${period}` },
          ]),
        }),
      ],
    },
    body: (
      <>
        {sentence !== null && <p class="lead">{sentence}</p>}
        {record && shown ? <Since record={record} shown={shown} /> : <p>{NO_FIGURES_YET}</p>}
        {shown && hasFigures(shown) && (
          <>
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
            <Record record={shown} directory={directory} toolkit={toolkit} />
          </>
        )}
        {shown && <Method record={shown} />}
      </>
    ),
  }
}

const hasLive = ({ horizons, airports }: PageRecord) =>
  horizons.some(({ figures }) => figures !== null) ||
  airports.some(({ horizons: ownHorizons }) => ownHorizons.some(({ live }) => live))

/** Whether there is anything to score: what came true, or a backtest. */
const hasFigures = (record: PageRecord) => hasLive(record) || record.backtest.airports > 0

/** Since when there is a record, and what the page shows until it says anything. */
function Since({ record, shown }: { record: PageRecord; shown: PageRecord }) {
  const { recorded_since, generated_at, backtest, days } = record
  const waiting = waitingSentence(record)
  return (
    <p>
      As of <Moment instant={generated_at} />.{' '}
      {recorded_since === null
        ? 'Nothing scored yet: the record begins with the first hour that is observed after a forecast of it.'
        : `This installation has kept its record since ${dayText(recorded_since)}.`}
      {waiting !== null && ` ${waiting}`}
      {recorded_since !== null && !hasLive(record) && ` Nothing has come true in the last ${days} days.`}
      {!hasLive(shown) &&
        (backtest.airports > 0
          ? ` Until then the figures of ${backtest.airports} airports are of past hours that the forecasts had not seen.`
          : ' No model has been trained yet.')}
    </p>
  )
}

/** A picture of the record with its numbers beside it, and where each is as a file. */
function Picture({ name, record, toolkit }: { name: string; record: PageRecord; toolkit: Toolkit }) {
  const file = ACCURACY_FILES.find((candidate) => candidate.name === name)!
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

const RecordFiles = ({ name, days, formats }: { name: string; days: number; formats?: readonly string[] }) => (
  <Files address={`/accuracy/${name}`} query={`?days=${days}`} name={name} formats={formats} />
)

/** The formats of a part without a picture. */
const ROWS = ['csv', 'json']

function Record({ record, directory, toolkit }: { record: PageRecord; directory: Directory; toolkit: Toolkit }) {
  const { backtest, reliability, calibration_error } = record
  return (
    <>
      <div class="halves">
        <Section id="reliability" title="What was forecast, and what came true">
          <p>
            A forecast says how probable it is that the wait will be within 5 minutes of it. On the diagonal that came
            true as often as it was claimed.
            {calibration_error !== null &&
              ` Mean distance from it (expected calibration error): ${(calibration_error ?? 0).toFixed(3)}.`}
          </p>
          <Picture name="reliability" record={record} toolkit={toolkit} />
          {reliability.length + backtest.reliability.length === 0 && (
            <p>No confidence has been claimed for an hour that came true.</p>
          )}
          {reliability.length > 0 && <ReliabilityTable subject="live" bins={reliability} />}
          {backtest.reliability.length > 0 && (
            <ReliabilityTable subject="tried on the past" bins={backtest.reliability} />
          )}
        </Section>
        <Section id="scorecard" title="By hours ahead">
          <Summary record={record} />
          <div class="pictures">
            <Picture name="scorecard" record={record} toolkit={toolkit} />
            <Picture name="coverage" record={record} toolkit={toolkit} />
          </div>
        </Section>
      </div>
      <details>
        <summary>All figures, with intervals</summary>
        {hasLive(record) && <Scorecard kind="live" horizons={record.horizons} />}
        <Scorecard kind="backtest" horizons={backtest.horizons} />
        <p>
          The simple rule is the median of the same local hour in the 28 days before, as it was known when the forecast
          was made. “Better by” is how far the error of all hours together lies below that of the rule on the same
          hours, each hour counted alike, with 0.01 min added to both. Its range is the 95 % interval of a bootstrap
          over whole days; “better” and “worse” mean that all of it lies on one side of zero, and fewer than 300 hours
          are too few to judge. Brier: the score of the claimed confidence, and that of always claiming the rate that
          came true; lower is better.
        </p>
      </details>
      <Opponents record={record} />
      <div class="pairs">
        <Section id="airports" title="Airports">
          <Airports record={record} directory={directory} />
          <p>
            <RecordFiles name="airports" days={record.days} formats={ROWS} />
          </p>
        </Section>
        <Section id="misses" title="Worst misses of 30 days">
          <Misses record={record} directory={directory} />
          <p>
            <RecordFiles name="misses" days={record.days} formats={ROWS} />
          </p>
        </Section>
      </div>
    </>
  )
}

/** What the record is made of, which holds before there is one too. */
function Method({ record }: { record: PageRecord }) {
  return (
    <>
      {record.outside.length > 0 && <Outside rows={record.outside} />}
      <div class="pairs">
        <Section id="method" title="What is scored">
          <ul>
            {record.excluded.map((sentence) => (
              <li>{sentence}</li>
            ))}
          </ul>
        </Section>
        <Section id="check" title="How to check it">
          <p>
            <a href="/docs/method">How figures are made</a> says how forecasts come about. With a key of any tier:{' '}
            <code>GET /api/v1/accuracy?days={record.days}</code> (JSON or CSV) and{' '}
            <code>GET /api/v1/airports/JFK/accuracy</code> for one airport. Both are described in{' '}
            <a href="/openapi.json">OpenAPI 3.1</a>. An operator makes the same figures from the stored forecasts by
            this command:
          </p>
          <Listing label="Command that makes the figures again" text={record.reproduce} wraps />
        </Section>
      </div>
    </>
  )
}

const OUTSIDE_COLUMNS: Column[] = [
  'Forecaster',
  'Airport',
  number('Hours'),
  number('Error, min'),
  number('Own model, min'),
  number('Forecasts open'),
  'Published',
]

const Outside = ({ rows }: { rows: PageRecord['outside'] }) => (
  <Section id="outside" title="Forecasts made elsewhere">
    <p>
      The operator imported forecasts of others. One serves an airport only while its mean error over the last 28 days
      is clearly below that of the airport’s own model, on the same forecasts of the same hours.
    </p>
    <Table
      label="Forecasts made elsewhere"
      columns={OUTSIDE_COLUMNS}
      rows={rows.map(({ forecaster, airport, hours, mae_minutes, model_mae_minutes, open_forecasts, serves }) => [
        forecaster,
        airport,
        hours,
        mae_minutes?.toFixed(2) ?? '–',
        model_mae_minutes?.toFixed(2) ?? '–',
        open_forecasts,
        serves ? 'yes' : 'no',
      ])}
    />
  </Section>
)

function ReliabilityTable({ subject, bins }: { subject: string; bins: PageRecord['reliability'] }) {
  return (
    <details>
      <summary>The diagram as a table, {subject}</summary>
      <Table
        label={`Claimed confidence and what came true, ${subject}`}
        narrow="fit"
        columns={['Claimed', 'Came true', 'Forecast hours'].map(number)}
        rows={bins.map(({ confidence, observed, samples }) => [
          `${(100 * confidence).toFixed(1)} %`,
          `${(100 * observed).toFixed(1)} %`,
          grouped(samples),
        ])}
      />
    </details>
  )
}
