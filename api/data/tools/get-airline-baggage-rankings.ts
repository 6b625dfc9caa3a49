import { z } from 'zod'
import { defineQuery } from '../../../answers/questions/define.ts'
import { simulated } from '../../../answers/questions/shared-fields.ts'
import { datedText } from '../../../answers/statements/text.ts'
import { ParameterError } from '../../../config/errors.ts'
import { keptIn, once } from '../../../config/once.ts'
import { MISHANDLED_BAGS, MISHANDLED_DEFINITION, MishandledBags } from '../../../config/reference/mishandled-bags.ts'
import { defineTool } from './define.ts'

const RankedCarrier = MishandledBags.omit({ period: true }).extend({
  rank: z
    .int()
    .min(1)
    .nullable()
    .describe('1 is the lowest rate among those listed; null without a rate, or where too few have one.'),
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

const query = defineQuery({
  name: 'getAirlineBaggageRankings',
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
      places: ranking.map((row) => `${row.rank === null ? '' : `${row.rank}. `}${row.carrier}: ${rateText(row)}`),
      dates: dateLines([...ranking, ...all_carriers]),
      all_carriers,
      other_tables: tables.filter((other) => other !== table),
      simulated: false,
    }
  },
})

const MIN_RANKED = 3

/** Whether so many rates were found that the lowest of them is a first place: three, and those of most carriers. */
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
    const table = keptIn(tables, `${period} ${scope}`, () => ({ period, scope, airlines: 0 }))
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

type Answer = z.output<typeof output>

/** The last month of a period: "2021-01..2024-01" ends in 2024-01, "2023" and "2024 summer" in their December. */
const endOf = (period: string) =>
  period
    .split('..')
    .at(-1)!
    .match(/^\d{4}-\d{2}/)?.[0] ?? `${period.slice(0, 4)}-12`

/** The periods of newer tables by airline. */
function newerText({ period, other_tables }: Answer): string {
  const newer = other_tables.filter((table) => table.airlines > 0 && endOf(table.period) > endOf(period))
  if (newer.length === 0) return 'No newer figures by airline were found.'
  const periods = [...new Set(newer.map((table) => table.period))]
  return `Newer tables, of other airlines or flights, by \`period\`: ${periods.join('; ')}.`
}

/** The lowest and the highest rate; or that there is no ranking. */
function firstLine({ period, ranked, ranking, all_carriers }: Answer): string {
  const [best] = ranking
  const worst = ranking.findLast(({ rate_per_100_bags }) => rate_per_100_bags !== null)
  if (ranked && best && worst)
    return `${best.carrier} mishandled the fewest bags, ${rateText(best)} per 100; ${worst.carrier} the most listed, ${rateText(worst)} (${period}).`
  if (ranking.length > 0) return `This is not a ranking: too few rates of ${period} were found to say who is best.`
  const total = all_carriers[0]
  return total
    ? `Of ${period} only a total is known, which ranks nobody: ${totalText(total)} bags per 100 mishandled.`
    : `No rate of ${period} is known.`
}

const totalText = (row: RankedRow) => `${row.carrier === 'all' ? 'all carriers' : row.carrier} ${rateText(row)}`

function answerText({ places, dates }: Answer, whole: Answer): string {
  const { scope, ranking, all_carriers, definition } = whole
  const totals = [...new Set(all_carriers.map(totalText))]
  return [
    firstLine(whole),
    ...places,
    ranking.length > 0 && totals.length > 0 && `For comparison, together: ${totals.join('; ')}.`,
    newerText(whole),
    `Flights counted: ${scope}.`,
    ...dates,
    definition,
  ]
    .filter((line) => line !== false)
    .join('\n')
}

export const getAirlineBaggageRankingsTool = defineTool<Answer>({
  name: 'get_airline_baggage_rankings',
  title: 'Airlines ranked by mishandled-bag rate',
  description:
    'US airlines ranked by mishandled-bag rate (US DOT: lost, damaged, delayed or pilfered, per 100 bags, domestic flights). Not for rules or fees. Newest complete table: January 2021 to January 2024. Tables of different period or scope are not comparable. Each row has source and date.',
  example: {},
  query,
  limits: { all_carriers: 0, other_tables: 2, ranking: 5 },
  text: answerText,
})
