import { z } from 'zod'
import { ParameterError } from '../../config/errors.ts'
import { MISHANDLED_BAGS, MISHANDLED_DEFINITION, MishandledBags } from '../../config/reference/mishandled-bags.ts'
import { defineQuery } from '../queries/define.ts'
import { simulated } from '../queries/shapes.ts'
import { defineTool, READ_ONLY } from './define.ts'

const Ranked = MishandledBags.omit({
  period: true,
  scope: true,
  rate_basis: true,
  rank_from_best: true,
  rank_from_worst: true,
}).extend({
  rank: z.int().min(1).nullable().describe('1 is the lowest rate among those listed; null without a rate.'),
})

const output = z.strictObject({
  period: z.string(),
  scope: z.string().describe('Which flights are counted; figures of other scopes are not comparable.'),
  unit: z.literal('mishandled per 100 bags enplaned'),
  definition: z.string(),
  complete: z.literal(false).describe('Not every carrier’s figure was found.'),
  ranking: z.array(Ranked.strict()),
  all_carriers: z.array(Ranked.strict()).describe('Figures of all carriers together, for comparison.'),
  other_tables: z
    .array(z.strictObject({ period: z.string(), scope: z.string(), airlines: z.int().min(0) }))
    .describe('Other tables held: ask with their period and scope.'),
  simulated,
})

const description =
  'US airlines ranked by mishandled-bag rate (US DOT: lost, damaged, delayed or pilfered, per 100 bags). Use it to compare how airlines handle bags, not for rules or fees. Domestic flights of US carriers only. Newest complete table by carrier: January 2021 to January 2024; single figures to 2024, no rate for 2025 or 2026 was found. Tables of different period or scope are not comparable, and until 2018 the DOT counted per passenger. Each row has its source and date.'

/** The table with the most carriers of one scope, and the one that is shown without a choice. */
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
  answer({ period, scope }, { snapshot }) {
    const tables = tablesHeld()
    const wanted = tables.filter((table) => table.period === period && (scope === undefined || table.scope === scope))
    const table = wanted.toSorted((a, b) => b.airlines - a.airlines)[0]
    if (!table) throw unknownTable(tables)
    const rows = MISHANDLED_BAGS.rows().filter((row) => row.period === table.period && row.scope === table.scope)
    const rated = rows
      .filter(({ iata }) => iata !== null)
      .toSorted(
        (a, b) => (a.rate_per_100_bags ?? Number.POSITIVE_INFINITY) - (b.rate_per_100_bags ?? Number.POSITIVE_INFINITY),
      )
    return {
      ...{ period: table.period, scope: table.scope, unit: 'mishandled per 100 bags enplaned' as const },
      ...{ definition: MISHANDLED_DEFINITION, complete: false as const },
      ranking: rated.map((row, place) => rankedRow(row, row.rate_per_100_bags === null ? null : place + 1)),
      all_carriers: MISHANDLED_BAGS.rows()
        .filter((row) => row.iata === null && row.period === table.period)
        .map((row) => rankedRow(row, null)),
      other_tables: tables.filter((one) => one !== table),
      simulated: snapshot.simulated,
    }
  },
})

interface Table {
  period: string
  scope: string
  airlines: number
}

function tablesHeld(): Table[] {
  const tables = new Map<string, Table>()
  for (const { period, scope, iata } of MISHANDLED_BAGS.rows()) {
    const table = tables.get(`${period} ${scope}`) ?? { period, scope, airlines: 0 }
    if (iata !== null) table.airlines++
    tables.set(`${period} ${scope}`, table)
  }
  return [...tables.values()].sort((a, b) => (a.period < b.period ? 1 : -1))
}

function unknownTable(tables: Table[]): ParameterError {
  const periods = [...new Set(tables.map(({ period }) => period))]
  return new ParameterError([
    { parameter: 'period', message: `no such table is held; there are: ${periods.join(', ')}` },
  ])
}

function rankedRow(row: MishandledBags, rank: number | null): z.input<typeof Ranked> {
  const {
    period: _period,
    scope: _scope,
    rate_basis: _basis,
    rank_from_best: _best,
    rank_from_worst: _worst,
    ...rest
  } = row
  return { ...rest, rank }
}

export const getAirlineBaggageRankingsTool = defineTool<z.output<typeof output>>({
  name: 'get_airline_baggage_rankings',
  title: 'Airlines ranked by mishandled-bag rate',
  description,
  annotations: READ_ONLY,
  example: {},
  query,
  text: ({ period, scope, ranking, all_carriers, definition }) =>
    [
      `Mishandled per 100 bags, ${period} (${scope}), best first:`,
      ...ranking.map(
        ({ rank, carrier, rate_per_100_bags }) =>
          `${rank ?? '–'}. ${carrier}: ${rate_per_100_bags ?? 'rate not found'}`,
      ),
      ...all_carriers.map(({ carrier, rate_per_100_bags }) => `${carrier}: ${rate_per_100_bags ?? 'not found'}`),
      definition,
    ].join('\n'),
})
