import { ascending, quantile, seededRandom } from '../statistics/statistics.ts'

/** Losses of two forecasters on the same hours of one airport and day. */
export interface DayLosses {
  iata: string
  /** Names the block that is drawn: hours of one day err together. */
  day: number
  loss: number
  other_loss: number
}

/** The relative decrease of the first loss against the other: positive is better. With the central 95 % of the resamples. */
export interface SkillInterval {
  skill: number
  low: number
  high: number
}

const RESAMPLES = 500
const SEED = 20_261_122

/**
 * Skill over airports: 1 − the geometric mean of the ratios of the losses, each airport alike, with an interval from resampled days. A
 * day is drawn for all airports at once, because they share weather and travel days. Null without an hour that either got wrong.
 */
export function pairedSkill(losses: readonly DayLosses[]): SkillInterval | null {
  const days = [...new Set(losses.map(({ day }) => day))]
  const position = new Map(days.map((day, k) => [day, k]))
  const byAirport = new Map<string, { own: Float64Array; other: Float64Array }>()
  for (const { iata, day, loss, other_loss } of losses) {
    const sums = byAirport.get(iata) ?? { own: new Float64Array(days.length), other: new Float64Array(days.length) }
    byAirport.set(iata, sums)
    sums.own[position.get(day)!]! += loss
    sums.other[position.get(day)!]! += other_loss
  }
  const airports = [...byAirport.values()]
  const skill = skillOf(airports, new Float64Array(days.length).fill(1))
  if (skill === null) return null
  const random = seededRandom(SEED)
  const drawn: number[] = []
  for (let resample = 0; resample < RESAMPLES; resample++) {
    const times = new Float64Array(days.length)
    for (let k = 0; k < days.length; k++) times[Math.floor(random() * days.length)]!++
    drawn.push(skillOf(airports, times) ?? skill)
  }
  const sorted = ascending(drawn)
  return { skill, low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) }
}

function skillOf(airports: readonly { own: Float64Array; other: Float64Array }[], times: Float64Array): number | null {
  let logs = 0
  let count = 0
  for (const { own, other } of airports) {
    const sum = (losses: Float64Array) => losses.reduce((total, loss, k) => total + loss * times[k]!, 0)
    const [ownSum, otherSum] = [sum(own), sum(other)]
    if (ownSum <= 0 || otherSum <= 0) continue
    logs += Math.log(ownSum / otherSum)
    count++
  }
  return count === 0 ? null : 1 - Math.exp(logs / count)
}
