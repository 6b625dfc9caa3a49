import type { MishandledBags } from '../../config/reference/mishandled-bags.ts'
import { datedText } from './text.ts'

/** Carriers by their rate of mishandled bags, in words. */

type RankedRow = Omit<MishandledBags, 'period'> & { rank: number | null; ceased: string | null }

/** A rate, or the place that a page gives without one. */
export function rateText({ rate_per_100_bags, rank_from_best, rank_from_worst }: RankedRow): string {
  if (rate_per_100_bags !== null) return String(rate_per_100_bags)
  if (rank_from_best !== null) return `rate not found; place ${rank_from_best} from the best, as published`
  return `rate not found${rank_from_worst === null ? '' : `; place ${rank_from_worst} from the worst, as published`}`
}

/** The date and caution of the rows, one line for each group of carriers that share them. */
export function rankingDates(rows: RankedRow[]): string[] {
  const dates = [...new Set(rows.map(datedText))]
  if (dates.length === 1) return [`All: ${dates[0]}.`]
  return dates.map((date) => {
    const carriers = rows.filter((row) => datedText(row) === date).map(({ carrier }) => carrier)
    return `${[...new Set(carriers)].join(', ')}: ${date}.`
  })
}

/** `1. Frontier: 0.44`; one that flies no more with what became of it. */
export const rankedCarrierText = (row: RankedRow): string =>
  `${row.rank === null ? '' : `${row.rank}. `}${row.carrier}: ${rateText(row)}${row.ceased === null ? '' : ` (${row.ceased})`}`
