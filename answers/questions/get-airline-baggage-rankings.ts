import { z } from 'zod'
import { ParameterError } from '../../config/errors.ts'
import { getOrCreate, once } from '../../config/once.ts'
import { AIRLINE_CHANGES, changeText } from '../../config/reference/airline-changes.ts'
import { MISHANDLED_BAGS, MISHANDLED_DEFINITION, MishandledBags } from '../../config/reference/mishandled-bags.ts'
import { rankedCarrierText, rankingDates } from '../statements/ranking-text.ts'
import { defineQuery } from './define.ts'
import { simulated } from './shared-fields.ts'

const RankedCarrier = MishandledBags.omit({ period: true }).extend({
  rank: z
    .int()
    .min(1)
    .nullable()
    .describe('1 is the lowest rate among those listed; null without a rate, or where too few have one.'),
  ceased: z.string().nullable().describe('What became of a carrier that flies no more under its name; null: it flies.'),
})

const output = z.strictObject({
  period: z.string(),
  scope: z.string().describe('Which flights are counted; figures of other scopes are not comparable.'),
  unit: z.literal('mishandled per 100 bags enplaned'),
  definition: z.string(),
  complete: z.literal(false).describe('Not every carrier’s figure was found.'),
  ranking: z.array(RankedCarrier.strict()),
  ranked: z.boolean().describe('False: too few rates were found for ranks, or only a total of all carriers.'),
  places: z.array(z.string()),
  dates: z.array(z.string()),
  all_carriers: z.array(RankedCarrier.strict()).describe('Figures of all carriers together, for comparison.'),
  other_tables: z
    .array(z.strictObject({ period: z.string(), scope: z.string(), airlines: z.int().min(0) }))
    .describe('Other available tables: request them by their period and scope.'),
  simulated,
})

/** The period of the table with the most carriers of one scope. */
const DEFAULT_PERIOD = '2021-01..2024-01'

export const getAirlineBaggageRankings = defineQuery({
  name: 'getAirlineBaggageRankings',
  input: z.strictObject({
    period: z.string().max(40).default(DEFAULT_PERIOD).describe('Period of a table: YYYY or YYYY-MM..YYYY-MM.'),
    scope: z.string().max(200).optional().describe('Scope of a table, where a period has several.'),
  }),
  output,
  answer({ period, scope }) {
    const tables = availableTables()
    const periodTables = tables.filter((table) => table.period === period)
    const exact = periodTables.filter((table) => table.scope === scope)
    const wanted =
      exact.length > 0
        ? exact
        : periodTables.filter((table) => table.scope.toLowerCase().includes((scope ?? '').toLowerCase()))
    const table = wanted.toSorted((a, b) => b.airlines - a.airlines)[0]
    if (!table) throw unknownTable(tables, period)
    const rows = MISHANDLED_BAGS.rows().filter((row) => row.period === table.period && row.scope === table.scope)
    const rated = rows
      .filter(({ iata }) => iata !== null)
      .toSorted(
        (a, b) => (a.rate_per_100_bags ?? Number.POSITIVE_INFINITY) - (b.rate_per_100_bags ?? Number.POSITIVE_INFINITY),
      )
    const ranked = isRanked(rated)
    const ranking = rated.map((row) => rankedRow(row, ranked ? rankOf(row, rated) : null))
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
      ranked,
      places: ranking.map(rankedCarrierText),
      dates: rankingDates([...ranking, ...all_carriers]),
      all_carriers,
      other_tables: tables.filter((other) => other !== table),
      simulated: false,
    }
  },
})

const MIN_RANKED = 3

/** Whether enough rates were found to rank the lowest first: three, and those of most carriers. */
function isRanked(rows: readonly MishandledBags[]): boolean {
  const rates = rows.filter(({ rate_per_100_bags }) => rate_per_100_bags !== null).length
  return rates >= MIN_RANKED && 2 * rates > rows.length
}

interface RankingTable {
  period: string
  scope: string
  airlines: number
}

const availableTables = once((): readonly RankingTable[] => {
  const tables = new Map<string, RankingTable>()
  for (const { period, scope, iata } of MISHANDLED_BAGS.rows()) {
    const table = getOrCreate(tables, `${period} ${scope}`, () => ({ period, scope, airlines: 0 }))
    if (iata !== null) table.airlines++
  }
  return [...tables.values()].sort((a, b) => (a.period < b.period ? 1 : -1))
})

/** One more than the number of carriers with a lower rate, so that equal rates share a rank. */
function rankOf({ rate_per_100_bags: rate }: MishandledBags, rated: MishandledBags[]): number | null {
  return rate === null ? null : 1 + rated.filter((carrier) => (carrier.rate_per_100_bags ?? rate) < rate).length
}

/** The error for a table that does not exist: it lists the scopes of the period, or the periods. */
function unknownTable(tables: readonly RankingTable[], period: string): ParameterError {
  const scopes = tables.filter((table) => table.period === period).map(({ scope }) => scope)
  if (scopes.length > 0)
    return ParameterError.of('scope', `no table of ${period} has this scope; available: ${scopes.join('; ')}`)
  const periods = [...new Set(tables.map(({ period }) => period))]
  return ParameterError.of('period', `no table has this period; available: ${periods.join(', ')}`)
}

function rankedRow(row: MishandledBags, rank: number | null): z.input<typeof RankedCarrier> {
  const { period: _period, ...rest } = row
  const changed = AIRLINE_CHANGES.where('iata', row.iata ?? '').find(({ code_retired }) => code_retired)
  return { ...rest, rank, ceased: changed ? changeText(changed) : null }
}

export type BaggageRankings = z.output<typeof output>
