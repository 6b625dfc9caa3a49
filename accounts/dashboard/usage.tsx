import type { FastifyInstance } from 'fastify'
import type { Gate } from '../../api/gate/admission.ts'
import { addresses } from '../../config/addresses.ts'
import { utcDayOf } from '../../config/vocabulary.ts'
import { drawChart } from '../../site/airport/drawn.ts'
import type { Chart } from '../../site/charts/chart.ts'
import { ChartSvg } from '../../site/charts/frame.tsx'
import { dayName, type UsageData, usageChart } from '../../site/charts/usage-chart.ts'
import { Files, FORMATS, grouped, noted, number, Section, Table } from '../../site/pages/elements.tsx'
import { FILE_TYPES, pictureFile } from '../../site/pictures/picture-files.ts'
import { PRIVATE_FILE_HEADERS } from '../../site/pictures/routes.tsx'
import type { AccountDependencies } from '../dependencies.ts'
import { ownerOf } from '../people/signed-in.ts'
import { OWNER_ONLY } from './dashboard-parts.tsx'
import { daysIn, monthAfter, monthInWords, type ShownMonths } from './months.ts'
import { type Overview, readOverview } from './overview.ts'

/** Billed calls of a month by day. Every call is counted, so a day without one is zero. */
export interface Usage extends UsageData {
  drawn: Chart
}

function dataOf({ months: { selected }, by_day, now }: Overview): UsageData {
  const callsByDay = new Map(by_day.map(({ day, calls }) => [day, calls]))
  const length = daysIn(selected)
  const all = Array.from({ length }, (_, place) => `${selected}-${String(place + 1).padStart(2, '0')}`)
  const days = all.filter((day) => day <= utcDayOf(now)).map((day) => ({ day, calls: callsByDay.get(day) ?? 0 }))
  return { month: monthInWords(selected), length, days }
}

export async function usageOf(overview: Overview): Promise<Usage> {
  const data = dataOf(overview)
  return { ...data, drawn: await drawChart((toolkit) => usageChart(toolkit, data)) }
}

const COLUMNS = { day: 'Day in UTC.', calls: 'Billed calls of all keys and connected clients.' }

/** Adds the files of the usage of a month: `/dashboard/usage.csv?month=2026-11`, for the owner of the account alone. */
export function addUsageFiles(
  pages: FastifyInstance,
  { settings, state, clock = Date.now, holder }: AccountDependencies,
  gate: Gate,
): void {
  const { site_url } = addresses(settings)
  for (const format of FORMATS)
    pages.get<{ Querystring: { month?: unknown } }>(
      `/dashboard/usage.${format}`,
      OWNER_ONLY,
      async (request, reply) => {
        const overview = await readOverview(state, gate, ownerOf(request), request.query.month, clock())
        const { month, days, drawn } = await usageOf(overview)
        const { selected } = overview.months
        const made_at = new Date(overview.now).toISOString()
        const file = await pictureFile(
          format,
          { chart: drawn, rows: days.map(({ day, calls }) => ({ day, calls })), sources: [] },
          {
            heading: `Calls a day in ${month}`,
            subheading: `${COLUMNS.calls} Days in UTC.`,
            title: `Calls a day in ${month}`,
            columns: COLUMNS,
            unit: 'calls',
            identity: { month: selected },
            page: `${site_url}/dashboard?month=${selected}`,
            file: (extension) => `${site_url}/dashboard/usage.${extension}?month=${selected}`,
            made_at,
            simulated: holder.current()?.simulated ?? false,
            licence: 'Figures of your own account.',
          },
        )
        return reply.headers(PRIVATE_FILE_HEADERS).type(FILE_TYPES[format]).send(file)
      },
    )
}

/** Billed calls of a month: by day as bars and as a table, and by endpoint. */
export function UsageSection({ overview, usage }: { overview: Overview; usage: Usage }) {
  const { months, by_endpoint, now } = overview
  const { month, days, drawn } = usage
  const { selected, latest } = months
  const total = days.reduce((sum, { calls }) => sum + calls, 0)
  const title = (
    <>
      Usage{' '}
      <span class="tally-of">
        {month}
        {selected === latest && ', so far'}
      </span>
    </>
  )
  return (
    <Section id="usage" title={title}>
      <MonthLinks months={months} />
      <p>
        <b>{grouped(total)}</b> billed {total === 1 ? 'call' : 'calls'} by all keys and connected clients. Errors, 304
        answers and refused calls are not billed. Days and months are in UTC.
      </p>
      {total > 0 && (
        <>
          <figure>
            <ChartSvg chart={drawn} id="usage-chart" />
            <figcaption>
              {drawn.description} <Files address="/dashboard/usage" query={`?month=${selected}`} name="Usage" />
            </figcaption>
          </figure>
          <DayTable days={days} total={total} today={utcDayOf(now)} />
        </>
      )}
      {by_endpoint.length > 0 && <EndpointTable calls={by_endpoint} />}
    </Section>
  )
}

function DayTable({ days, total, today }: { days: UsageData['days']; total: number; today: string }) {
  return (
    <details>
      <summary>The days as a table</summary>
      <Table
        label="Calls by day"
        columns={['Day (UTC)', number('Calls')]}
        rows={[
          ...days.map(({ day, calls }) => [
            day === today ? noted(dayName(day), 'so far') : dayName(day),
            grouped(calls),
          ]),
          ['All', grouped(total)],
        ]}
      />
    </details>
  )
}

function EndpointTable({ calls }: { calls: Overview['by_endpoint'] }) {
  const endpoints = calls.toSorted((a, b) => b.calls - a.calls)
  return (
    <>
      <h3>By endpoint</h3>
      <Table
        label="Calls by endpoint"
        columns={['Operation or tool', number('Calls')]}
        rows={endpoints.map(({ endpoint, calls }) => [<code>{endpoint}</code>, grouped(calls)])}
      />
    </>
  )
}

function MonthLinks({ months: { selected, earliest, latest } }: { months: ShownMonths }) {
  if (earliest === latest) return null
  const before = monthAfter(selected, -1)
  const after = monthAfter(selected, 1)
  return (
    <nav aria-label="Other months">
      <ul>
        {before >= earliest && (
          <li>
            <a href={`/dashboard?month=${before}#usage`}>← {monthInWords(before)}</a>
          </li>
        )}
        {after <= latest && (
          <li>
            <a href={`/dashboard?month=${after}#usage`}>{monthInWords(after)} →</a>
          </li>
        )}
      </ul>
    </nav>
  )
}
