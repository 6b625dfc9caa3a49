import { dayOf } from '../../data/gate/billing-month.ts'
import { escaped, head, table } from '../../site/pages/html.ts'
import { counted } from './amounts.ts'
import { daysIn, monthAfter, monthInWords, type ShownMonths } from './months.ts'
import { section } from './parts.ts'
import type { Overview } from './read.ts'
import { usageChart } from './usage-chart.ts'

/** Billed calls of a month by day, as bars and as a table, and by endpoint. A day without calls is zero: all are counted. */
export function usageSection({ months, by_day, by_endpoint, now }: Overview): string {
  const { wanted, latest } = months
  const known = new Map(by_day.map(({ day, calls }) => [day, calls]))
  const days = Array.from({ length: daysIn(wanted) }, (_, place) => `${wanted}-${String(place + 1).padStart(2, '0')}`)
  const past = days.filter((day) => day <= dayOf(now)).map((day) => ({ day, calls: known.get(day) ?? 0 }))
  const total = past.reduce((sum, { calls }) => sum + calls, 0)
  const rows = past.map(({ day, calls }) => row(day === dayOf(now) ? `${day} <span>so far</span>` : day, calls))
  const endpoints = by_endpoint.toSorted((a, b) => b.calls - a.calls)
  return section(
    'usage',
    `Usage <span class="tally-of">${monthInWords(wanted)}${wanted === latest ? ', so far' : ''}</span>`,
    `${monthLinks(months)}
<p><b>${counted(total)}</b> billed ${total === 1 ? 'call' : 'calls'} by all keys and connected clients. Errors, 304 answers and refused calls are not billed. Days and months are of UTC.</p>
${usageChart(
  wanted,
  past.map(({ calls }) => calls),
)}
<details><summary>The days as a table</summary>
${table('Calls by day', [head('Day (UTC)'), head('Calls', 'number')], [...rows, row('All', total)])}
</details>
${
  endpoints.length === 0
    ? ''
    : `<h3>By endpoint</h3>\n${table(
        'Calls by endpoint',
        [head('Operation or tool'), head('Calls', 'number')],
        endpoints.map(({ endpoint, calls }) => row(`<code>${escaped(endpoint)}</code>`, calls)),
      )}`
}`,
  )
}

const row = (name: string, calls: number) =>
  `<tr><th scope="row">${name}</th><td class="number">${counted(calls)}</td></tr>`

function monthLinks({ wanted, earliest, latest }: ShownMonths): string {
  if (earliest === latest) return ''
  const [before, after] = [monthAfter(wanted, -1), monthAfter(wanted, 1)]
  const link = (month: string, text: string) => `<li><a href="/dashboard?month=${month}#usage">${text}</a></li>`
  const links = [
    ...(before >= earliest ? [link(before, `← ${monthInWords(before)}`)] : []),
    ...(after <= latest ? [link(after, `${monthInWords(after)} →`)] : []),
  ]
  return `<nav aria-label="Other months"><ul>${links.join('')}</ul></nav>`
}
