import type { BaggageRankings } from '../questions/get-airline-baggage-rankings.ts'
import { rateText } from '../statements/ranking-text.ts'

/** Airlines by their rate of mishandled bags as a text. */

/** The last month of a period: "2021-01..2024-01" ends in 2024-01, "2023" and "2024 summer" in their December. */
const endOf = (period: string) =>
  period
    .split('..')
    .at(-1)!
    .match(/^\d{4}-\d{2}/)?.[0] ?? `${period.slice(0, 4)}-12`

/** The periods of newer tables by airline. */
function newerText({ period, other_tables }: BaggageRankings): string {
  const newer = other_tables.filter((table) => table.airlines > 0 && endOf(table.period) > endOf(period))
  if (newer.length === 0) return 'No newer figures by airline were found.'
  const periods = [...new Set(newer.map((table) => table.period))]
  return `Newer tables, of other airlines or flights, by \`period\`: ${periods.join('; ')}.`
}

/** The lowest and the highest rate; or that there is no ranking. */
function firstLine({ period, ranked, ranking, all_carriers }: BaggageRankings): string {
  // One that flies no more can be chosen by nobody.
  const best = ranking.find(({ ceased }) => ceased === null)
  const worst = ranking.findLast(({ rate_per_100_bags }) => rate_per_100_bags !== null)
  if (ranked && best && worst)
    return `${best.carrier} mishandled the fewest bags of those that still fly, ${rateText(best)} per 100; ${worst.carrier} the most listed, ${rateText(worst)} (${period}).`
  if (ranking.length > 0) return `This is not a ranking: too few rates of ${period} were found to say who is best.`
  const total = all_carriers[0]
  return total
    ? `Of ${period} only a total is known, which ranks nobody: ${totalText(total)} bags per 100 mishandled.`
    : `No rate of ${period} is known.`
}

const totalText = (row: BaggageRankings['ranking'][number]) =>
  `${row.carrier === 'all' ? 'all carriers' : row.carrier} ${rateText(row)}`

export function baggageRankingsText({ places, dates }: BaggageRankings, whole: BaggageRankings): string {
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
