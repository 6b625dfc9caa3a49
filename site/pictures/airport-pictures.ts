import { horizon } from '../../answers/accuracy/figures.ts'
import { type LeaveBy, LeavingTime } from '../../answers/departure/leave-by-answer.ts'
import { BriefSecurity } from '../../answers/questions/brief-security.ts'
import type { Comparison } from '../../answers/questions/compare-airports.ts'
import { PatternHour } from '../../answers/questions/get-historical.ts'
import { PredictedHour } from '../../answers/questions/get-predictions.ts'
import { clockOn } from '../../answers/statements/local-clock.ts'
import { localTime } from '../../answers/statements/local-time.ts'
import { localNow } from '../../answers/statements/words.ts'
import { HoldshortError } from '../../config/errors.ts'
import { type AirportRequest, planWithheld, type Shown } from '../airport/answers.ts'
import { drawComparison, drawCurve } from '../airport/drawn.ts'
import { planOf, planQuery } from '../airport/leave-by-form.tsx'
import type { PreparedAirport } from '../airport/prepare.ts'
import type { Chart } from '../charts/chart.ts'
import {
  type Columns,
  columnsOf,
  type FileFormat,
  idsOf,
  type PictureContent,
  type PictureLabel,
  rowsOf,
} from './picture-files.ts'

/** The input of a picture of an airport. */
export interface PictureInput {
  prepared: PreparedAirport
  request: AirportRequest
  query: Record<string, unknown>
}

/** A picture of an airport with its own address: the same figures as SVG, CSV and JSON. */
export interface AirportPicture {
  /** Its address below that of the airport, without the ending. */
  name: string
  /** Its title without the name of the airport. */
  title: string
  columns: Columns
  /** Minutes where it is absent. */
  unit?: string
  /** The part of the parameters that it reads, as a query string with its question mark; absent if it reads none. */
  parameters?: (query: Record<string, unknown>) => string
  content: (input: PictureInput) => Shown<PictureContent> | Promise<Shown<PictureContent>>
}

const mapShown = <T, U>(value: Shown<T>, transform: (shown: T) => U): Shown<U> =>
  value.withheld ? value : { shown: transform(value.shown), withheld: null }

/** The chart of a picture as a file has it. @throws HoldshortError NOT_FOUND where there is nothing to draw */
function chartOf(chart: Chart | null, reason: string) {
  if (chart) return chart
  throw new HoldshortError('NOT_FOUND', reason)
}

const forecast: AirportPicture = {
  name: 'forecast',
  title: 'Security wait: the next and the last 24 hours',
  columns: {
    ...columnsOf(PredictedHour.shape, ['time', 'local_time']),
    period: 'past: the hour has ended; ahead: the current hour and those after it.',
    observed_minutes: 'Mean wait that was observed in the hour; empty where none is known.',
    wait_minutes:
      'Expected wait: of an hour ahead as forecast now, of a past hour as it was forecast a day before; empty when closed or not known.',
    ...columnsOf(PredictedHour.shape, ['low', 'high']),
    status: 'Whether security is expected to be open in an hour ahead; empty for past hours.',
  },
  content: ({ prepared: { answers, charts }, request: { airport } }) =>
    mapShown(answers.band, (band) => ({
      chart: charts.band!,
      sources: idsOf([band.source, ...band.observed_sources]),
      rows: rowsOf(
        forecast.columns,
        [
          ...band.past.map((hour) => ({ period: 'past', ...hour })),
          ...band.ahead.map((hour) => ({ period: 'ahead', ...hour })),
        ].map((hour) => ({ local_time: localTime(Date.parse(hour.time), airport.timezone), ...hour })),
      ),
    })),
}

const usual: AirportPicture = {
  name: 'usual',
  title: 'What is usual by weekday and hour',
  columns: columnsOf(PatternHour.shape, ['day_of_week', 'hour', 'p50', 'p90', 'samples']),
  content: ({ prepared: { answers, charts } }) => {
    const rows = mapShown(answers.usual, ({ hours, sources }) => ({ list: hours, sources }))
    return drawn(usual.columns, rows, charts.usual)
  },
}

const DAY_COLUMNS = {
  date: 'Local day of the airport. A day without a reading is absent, never filled in.',
  hours: 'Hours of the day that were observed.',
  p10: 'Tenth percentile of the mean waits of these hours.',
  p50: 'Median of them.',
  p90: '90th percentile of them.',
}

const history: AirportPicture = {
  name: 'history',
  title: 'Security wait by day',
  columns: DAY_COLUMNS,
  content: ({ prepared: { answers, charts } }) => {
    const rows = mapShown(answers.history, ({ days, sources }) => ({ list: days, sources }))
    return drawn(history.columns, rows, charts.history)
  },
}

const terminals: AirportPicture = {
  name: 'terminals',
  title: 'Security wait by terminal and day',
  columns: { terminal: 'Terminal, as its source names it.', ...DAY_COLUMNS },
  content: ({ prepared: { answers, charts } }) => {
    const rows = mapShown(answers.terminalHistory, ({ terminals: list, sources }) => ({
      list: list.flatMap(({ terminal, days }) => days.map((day) => ({ terminal, ...day }))),
      sources,
    }))
    return drawn(terminals.columns, rows, charts.terminals)
  },
}

/** A picture of rows that a visitor may or may not see. */
function drawn(
  columns: Columns,
  rows: Shown<{ list: readonly object[]; sources: string[] }>,
  chart: Chart | null,
): Shown<PictureContent> {
  return mapShown(rows, ({ list, sources }) => ({
    chart: chartOf(chart, 'nothing was observed here in the days that the account sees'),
    sources,
    rows: rowsOf(columns, list),
  }))
}

const record: AirportPicture = {
  name: 'record',
  title: 'How far forecasts were off',
  columns: {
    horizon: horizon.description!,
    live_mae_minutes: 'Mean absolute error of what was published in the last 30 days; empty while nothing came true.',
    backtest_mae_minutes: 'The same in the backtest of the newest model.',
    rule_mae_minutes: 'The simple rule on the same hours: the median of the same local hour in the 28 days before.',
  },
  content: ({ prepared: { answers, charts } }) => ({
    shown: {
      chart: charts.record,
      sources: idsOf([answers.record.accuracy.backtest?.model ?? null]),
      rows: rowsOf(record.columns, answers.record.rows),
    },
    withheld: null,
  }),
}

/** The columns of airports side by side. */
export const COMPARED_COLUMNS = {
  airport: 'IATA code.',
  name: 'Name of the airport.',
  wait_minutes: 'Security wait now; empty when closed or not known.',
  ...columnsOf(BriefSecurity.shape, ['low', 'high', 'status', 'basis', 'observed_at', 'age_seconds', 'source']),
  delays: 'State of delays as the FAA lists them; unknown where the FAA does not cover the airport.',
}

/** The content of a comparison as a picture. */
export async function comparedContent(compared: Comparison, columns: Columns, extra: (airport: string) => object) {
  const chart = await drawComparison(compared)
  return {
    chart,
    sources: idsOf(compared.airports.map(({ security }) => security.source)),
    about: { recommended: compared.recommended, recommendation: compared.recommendation },
    rows: rowsOf(
      columns,
      compared.airports.map(({ airport, name, security, delays }) => ({
        ...security,
        airport,
        name,
        delays: delays.status,
        ...extra(airport),
      })),
    ),
  }
}

const leaveBy: AirportPicture = {
  name: 'leave-by',
  title: 'Chance of catching the flight by the time of leaving',
  unit: 'probability',
  columns: columnsOf(LeavingTime.shape, ['leave_at', 'leave_at_local', 'probability']),
  parameters: planQuery,
  async content({ request, query }) {
    const withheld = planWithheld(request)
    if (withheld) return { shown: null, withheld }
    const plan = planOf(query, request)
    const chart = chartOf(await drawCurve(plan, request.now), plan.unavailable_reason ?? 'the flight cannot be caught')
    const { departure, departure_local, confidence, outcome, recommended, steps, assumptions, forecast: used } = plan
    return {
      shown: {
        chart,
        sources: idsOf([used?.source ?? null]),
        rows: rowsOf(leaveBy.columns, plan.curve),
        about: { departure, departure_local, confidence, outcome, recommended, steps, assumptions },
      },
      withheld: null,
    }
  },
}

export const AIRPORT_PICTURES: readonly AirportPicture[] = [forecast, usual, history, terminals, record, leaveBy]

/** How the files of a picture are called, and where they are. */
export function labelOf(
  picture: AirportPicture,
  { request: { airport, snapshot, now }, query }: PictureInput,
  { about }: PictureContent,
  site_url: string,
): PictureLabel {
  const { name, title, columns, unit = 'minutes', parameters } = picture
  const { clock, day } = localNow(now, airport.timezone)
  const heading = `${airport.name} (${airport.iata})`
  const parameterText = parameters?.(query) ?? ''
  const page = `${site_url}/airports/${airport.iata}`
  const { departure } = (about ?? {}) as Partial<LeaveBy>
  return {
    heading,
    subheading:
      departure === undefined
        ? `${title} · ${clock} local time, ${day}`
        : `When to leave for a flight at ${clockOn(departure, airport.timezone, now)}, local time`,
    title: `${heading}: ${title}`,
    columns,
    unit,
    identity: { airport: airport.iata, timezone: airport.timezone },
    page: page + parameterText,
    file: (format: FileFormat) => `${page}/${name}.${format}${parameterText}`,
    made_at: snapshot.generated_at,
    simulated: snapshot.simulated,
  }
}
