import { isoUtc } from '../../../config/domain.ts'
import { sourceOf } from '../../../config/publishers.ts'
import type { CsvRow } from '../../data/queries/define.ts'
import { localTime } from '../../data/queries/local-time.ts'
import type { AirportRequest, Shown } from '../airport/answers.ts'
import type { PreparedAirport } from '../airport/prepare.ts'
import { localNow, sourceText } from '../airport/words.ts'
import type { Chart } from '../charts/chart.ts'
import type { FileTexts } from '../charts/frame.tsx'

/** What a picture is made of: the chart and the rows that it draws. */
interface PictureContent {
  chart: Chart
  rows: CsvRow[]
  sources: string[]
}

/** A picture of an airport with its own address: the same figures as SVG, PNG, CSV and JSON. */
export interface AirportPicture {
  /** Its address below that of the airport, without the ending. */
  name: string
  /** What it shows, without the name of the airport. */
  title: string
  /** Each column with its meaning, in the order of the CSV. */
  columns: Readonly<Record<string, string>>
  content: (prepared: PreparedAirport, request: AirportRequest) => Shown<PictureContent>
}

const mapShown = <T, U>(value: Shown<T>, of: (shown: T) => U): Shown<U> =>
  value.withheld ? value : { shown: of(value.shown), withheld: null }

/** The rows of a picture: each has exactly the named columns. */
const rowsOf = (columns: Readonly<Record<string, string>>, list: readonly object[]): CsvRow[] =>
  list.map((one) => Object.fromEntries(Object.keys(columns).map((name) => [name, (one as CsvRow)[name] ?? null])))

/** A list of source ids, of which some may be joined by `+`. */
const idsOf = (sources: readonly (string | null)[]) => [
  ...new Set(sources.flatMap((source) => (source === null ? [] : source.split('+')))),
]

const forecast: AirportPicture = {
  name: 'forecast',
  title: 'Security wait: the last and the next 24 hours',
  columns: {
    time: 'Start of the hour (UTC).',
    local_time: 'The same in the airport’s time zone, with its offset.',
    period: 'past: the hour has ended; ahead: the current hour and those after it.',
    observed_minutes: 'Mean wait that was observed in the hour; empty where none is known.',
    wait_minutes:
      'Expected wait: of an hour ahead as forecast now, of a past hour as it was forecast a day before; empty when closed or not known.',
    low: 'Lower end of the 80 % interval of that forecast.',
    high: 'Upper end of the 80 % interval.',
    status: 'Whether security is expected to be open in an hour ahead; empty for past hours.',
  },
  content: ({ answers, charts }, { airport }) =>
    mapShown(answers.band, (band) => ({
      chart: charts.band!.wide,
      sources: idsOf([band.source, ...band.observed_sources]),
      rows: rowsOf(
        forecast.columns,
        [
          ...band.past.map((hour) => Object.assign({ period: 'past' }, hour)),
          ...band.ahead.map((hour) => Object.assign({ period: 'ahead' }, hour)),
        ].map((hour) => Object.assign({ local_time: localTime(Date.parse(hour.time), airport.timezone) }, hour)),
      ),
    })),
}

const usual: AirportPicture = {
  name: 'usual',
  title: 'What is usual by weekday and hour',
  columns: {
    day_of_week: 'Local weekday: 1 Monday to 7 Sunday.',
    hour: 'Local hour of the day.',
    p50: 'Median of the mean waits of such hours.',
    p90: '90th percentile of the mean waits of such hours.',
    samples: 'Observed hours.',
  },
  content: ({ answers, charts }) =>
    mapShown(answers.usual, ({ hours, sources }) => ({
      chart: charts.usual!.wide,
      sources,
      rows: rowsOf(usual.columns, hours),
    })),
}

const history: AirportPicture = {
  name: 'history',
  title: 'Security wait by day',
  columns: {
    date: 'Local day of the airport. A day without a reading is absent, never filled in.',
    hours: 'Hours of the day that were observed.',
    p10: 'Tenth percentile of the mean waits of these hours.',
    p50: 'Median of them.',
    p90: '90th percentile of them.',
  },
  content: ({ answers, charts }) =>
    mapShown(answers.history, ({ days, sources }) => ({
      chart: charts.history!.wide,
      sources,
      rows: rowsOf(history.columns, days),
    })),
}

const record: AirportPicture = {
  name: 'record',
  title: 'How far forecasts were off',
  columns: {
    horizon: 'Hours ahead; `1 h` is the hour in which the forecast was issued.',
    live_mae_minutes: 'Mean absolute error of what was published in the last 30 days; empty while nothing came true.',
    backtest_mae_minutes: 'The same in the backtest of the newest model.',
    rule_mae_minutes: 'The simple rule on the same hours: the median of the same local hour in the 28 days before.',
  },
  content: ({ answers, charts }) => ({
    shown: {
      chart: charts.record.wide,
      sources: idsOf([answers.record.accuracy.backtest?.model ?? null]),
      rows: rowsOf(record.columns, answers.record.rows),
    },
    withheld: null,
  }),
}

export const AIRPORT_PICTURES: readonly AirportPicture[] = [forecast, usual, history, record]

const UNIT = 'minutes'
/** No licence is invented: figures of sources stay theirs. */
export const LICENCE =
  'No licence of our own: the terms of each source in `sources` apply to its figures and to what is derived from them.'

/** What is said about a picture in its data. */
export function metadataOf(
  picture: AirportPicture,
  { chart, sources }: PictureContent,
  { airport, snapshot }: AirportRequest,
  site_url: string,
) {
  const page = `${site_url}/airports/${airport.iata}`
  const file = (format: string) => `${page}/${picture.name}.${format}`
  return {
    title: `${airport.name} (${airport.iata}): ${picture.title}`,
    description: chart.description,
    airport: airport.iata,
    timezone: airport.timezone,
    unit: UNIT,
    made_at: snapshot.generated_at,
    simulated: snapshot.simulated,
    page,
    files: { svg: file('svg'), png: file('png'), csv: file('csv'), json: file('json') },
    licence: LICENCE,
    sources: sources.map((id) => {
      const source = sourceOf(id)
      return {
        source: id,
        name: sourceText(id),
        page: source?.page_url ?? null,
        licence: source?.licence ?? null,
        terms: source?.terms ?? null,
      }
    }),
    columns: picture.columns,
  }
}

/** The columns that say in every row of a CSV where the figures are from, because a CSV has no other place for it. */
export const CSV_METADATA = ['airport', 'unit', 'sources', 'made_at', 'simulated', 'page'] as const

/** The rows of a CSV with these columns. */
export function csvRows(metadata: ReturnType<typeof metadataOf>, rows: readonly CsvRow[]): CsvRow[] {
  const { airport, unit, made_at, simulated, page, sources } = metadata
  const about = { airport, unit, made_at, simulated, page, sources: sources.map(({ source }) => source).join(' ') }
  return rows.map((row) => Object.assign({}, row, about))
}

/** What stands around the chart of a file. */
export function fileTexts(
  picture: AirportPicture,
  { sources }: PictureContent,
  { airport, snapshot, now }: AirportRequest,
  site_url: string,
): FileTexts {
  const { clock, day } = localNow(now, airport.timezone)
  return {
    heading: `${airport.name} (${airport.iata})`,
    subheading: `${picture.title} · ${clock} local time, ${day}`,
    footer: [
      ...(sources.length > 0 ? [`Source: ${sourceText(sources.join('+'))}`] : []),
      `Holdshort, ${site_url}/airports/${airport.iata} · made ${isoUtc(Date.parse(snapshot.generated_at)).replace('T', ' ').replace('Z', ' UTC')}`,
    ],
    simulated: snapshot.simulated,
  }
}
