import { type JsonObject, textOf } from './body.ts'

/** CBP's buckets of waiting time, in the names of its columns. */
const BUCKETS = ['0_15', '16_30', '31_45', '46_60', '61_90', '91_120', '121']

const count = (row: JsonObject, column: string): number | null => {
  const text = textOf(row[column])
  return /^\d+$/.test(text) ? Number(text) : null
}

/** Passengers with a usable wait, the sum of the buckets; null when a bucket is missing. */
export function peopleMeasured(row: JsonObject): number | null {
  let sum = 0
  for (const bucket of BUCKETS) {
    const people = count(row, `Average_${bucket}_PassengerCount`)
    if (people === null) return null
    sum += people
  }
  return sum
}

/**
 * Whether a row breaks one of three laws that held in all of 139,340 rows measured in 2026: buckets + excluded = total;
 * US + other passengers = total; the largest wait is the larger of the two groups'. Missing columns prove nothing.
 */
export function countsDisagree(row: JsonObject): boolean {
  const disagree = (left: (number | null)[], right: number | null, combine: (numbers: number[]) => number) => {
    const known = left.filter((number) => number !== null)
    return right !== null && known.length === left.length && combine(known) !== right
  }
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  const total = count(row, 'TotalPassengerCount')
  return (
    disagree([peopleMeasured(row), count(row, 'ExcludedPassengerCount')], total, sum) ||
    disagree([count(row, 'UsaPassengerCount'), count(row, 'NonUsaPassengerCount')], total, sum) ||
    disagree([count(row, 'UsaPassengerMaxWait'), count(row, 'NonUsaPassengerMaxWait')], count(row, 'MaxWait'), (n) =>
      Math.max(...n),
    )
  )
}
