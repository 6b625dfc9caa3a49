import { z } from 'zod'
import { ParameterError } from '../../../config/errors.ts'
import { MISHANDLED_BAGS, MISHANDLED_DEFINITION, MishandledBags } from '../../../config/reference/mishandled-bags.ts'
import { defineQuery } from '../queries/define.ts'
import { simulated } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { datedText } from './text.ts'

const RankedCarrier = MishandledBags.omit({ period: true }).extend({
  rank: z.int().min(1).nullable().describe('1 is the lowest rate among those listed; null without a rate.'),
})

const output = z.strictObject({
  period: z.string(),
  scope: z.string().describe('Which flights are counted; figures of other scopes are not comparable.'),
  unit: z.literal('mishandled per 100 bags enplaned'),
  definition: z.string(),
  complete: z.literal(false).describe('Not every carrier’s figure was found.'),
  ranking: z.array(RankedCarrier.strict()),
  places: z.array(z.string()),
  dates: z.array(z.string()),
  all_carriers: z.array(RankedCarrier.strict()).describe('Figures of all carriers together, for comparison.'),
  other_tables: z
    .array(z.strictObject({ period: z.string(), scope: z.string(), airlines: z.int().min(0) }))
    .describe('Other available tables: request them by their period and scope.'),
  simulated,
})

const description =
  'US airlines ranked by mishandled-bag rate (US DOT: lost, damaged, delayed or pilfered, per 100 bags, domestic flights). Not for rules or fees. Newest complete table: January 2021 to January 2024. Tables of different period or scope are not comparable; until 2018 the DOT counted per passenger. Each row has source and date.'

/** The period of the table with the most carriers of one scope. */
const DEFAULT_PERIOD = '2021-01..2024-01'

const query = defineQuery({
  name: 'getAirlineBaggageRankings',
  summary: 'Airlines ranked by mishandled-bag rate',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({
    period: z.string().max(40).default(DEFAULT_PERIOD).describe('Period of a table: YYYY or YYYY-MM..YYYY-MM.'),
    scope: z.string().max(200).optional().describe('Scope of a table, where a period has several.'),
  }),
  output,
  answer({ period, scope }) {
    const tables = availableTables()
    const wanted = tables.filter((table) => table.period === period && (scope === undefined || table.scope === scope))
    const table = wanted.toSorted((a, b) => b.airlines - a.airlines)[0]
    if (!table) throw unknownTable(tables, period)
    const rows = MISHANDLED_BAGS.rows().filter((row) => row.period === table.period && row.scope === table.scope)
    const rated = rows
      .filter(({ iata }) => iata !== null)
      .toSorted(
        (a, b) => (a.rate_per_100_bags ?? Number.POSITIVE_INFINITY) - (b.rate_per_100_bags ?? Number.POSITIVE_INFINITY),
      )
    const ranking = rated.map((row) => rankedRow(row, rankOf(row, rated)))
    const all_carriers = MISHANDLED_BAGS.rows()
      .filter((row) => row.iata === null && row.period === table.period)
      .map((row) => rankedRow(row, null))
    return {
      period: table.period,
      scope: table.scope,
      unit: 'mishandled per 100 bags enplaned' as const,
      definition: MISHANDLED_DEFINITION,
      complete: false as const,
      ranking,
      places: ranking.map((row) => `${row.rank ?? '–'}. ${row.carrier}: ${rateText(row)}`),
      dates: dateLines([...ranking, ...all_carriers]),
      all_carriers,
      other_tables: tables.filter((other) => other !== table),
      simulated: false,
    }
  },
})

interface RankingTable {
  period: string
  scope: string
  airlines: number
}

function availableTables(): RankingTable[] {
  const tables = new Map<string, RankingTable>()
  for (const { period, scope, iata } of MISHANDLED_BAGS.rows()) {
    const table = tables.get(`${period} ${scope}`) ?? { period, scope, airlines: 0 }
    if (iata !== null) table.airlines++
    tables.set(`${period} ${scope}`, table)
  }
  return [...tables.values()].sort((a, b) => (a.period < b.period ? 1 : -1))
}

/** One more than the number of carriers with a lower rate, so that equal rates share a rank. */
function rankOf({ rate_per_100_bags: rate }: MishandledBags, rated: MishandledBags[]): number | null {
  return rate === null ? null : 1 + rated.filter((carrier) => (carrier.rate_per_100_bags ?? rate) < rate).length
}

/** The error for a table that does not exist: it lists the scopes of the period, or the periods. */
function unknownTable(tables: RankingTable[], period: string): ParameterError {
  const scopes = tables.filter((table) => table.period === period).map(({ scope }) => scope)
  if (scopes.length > 0)
    return new ParameterError([
      { parameter: 'scope', message: `no table of ${period} has this scope; available: ${scopes.join('; ')}` },
    ])
  const periods = [...new Set(tables.map(({ period }) => period))]
  return new ParameterError([
    { parameter: 'period', message: `no table has this period; available: ${periods.join(', ')}` },
  ])
}

function rankedRow(row: MishandledBags, rank: number | null): z.input<typeof RankedCarrier> {
  const { period: _period, ...rest } = row
  return { ...rest, rank }
}

type RankedRow = ReturnType<typeof rankedRow>

function rateText({ rate_per_100_bags, rank_from_best, rank_from_worst }: RankedRow): string {
  if (rate_per_100_bags !== null) return String(rate_per_100_bags)
  if (rank_from_best !== null) return `rate not found; place ${rank_from_best} from the best, as published`
  return `rate not found${rank_from_worst === null ? '' : `; place ${rank_from_worst} from the worst, as published`}`
}

/** The date and caution of the rows, one line for each group of carriers that share them. */
function dateLines(rows: RankedRow[]): string[] {
  const dates = [...new Set(rows.map(datedText))]
  if (dates.length === 1) return [`All: ${dates[0]}`]
  return dates.map((date) => {
    const carriers = rows.filter((row) => datedText(row) === date).map(({ carrier }) => carrier)
    return `${[...new Set(carriers)].join(', ')}: ${date}`
  })
}

export const getAirlineBaggageRankingsTool = defineTool<z.output<typeof output>>({
  name: 'get_airline_baggage_rankings',
  title: 'Airlines ranked by mishandled-bag rate',
  description,
  annotations: READ_ONLY,
  example: {},
  query,
  omit: ['all_carriers'],
  shorten: ['all_carriers', 'other_tables', 'ranking'],
  text: ({ period, scope, places, dates, all_carriers, definition }) =>
    [
      `Bags lost, delayed, damaged or pilfered per 100 carried, ${period} (flights counted: ${scope}), best first. Newer figures by airline were not found:`,
      ...places,
      ...all_carriers.map((row) => `${row.carrier === 'all' ? 'All carriers' : row.carrier}: ${rateText(row)}`),
      ...dates,
      definition,
    ].join('\n'),
})
