import { airportDirectory } from '../../config/airports/directory.ts'
import { getOrCreate } from '../../config/once.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { historyRows } from '../../training/research/history-files.ts'
import {
  learnHours,
  type ObservedOpenHour,
  openPercentAt,
  UNKNOWN_OPEN,
} from '../../warehouse/publishing/waits/learned-hours.ts'

/**
 * Measures how much of an unexpected status is left some hours later, over a folder of histories (airport, lane, observed_at,
 * status): node dist/tools/measure/open-persistence.js ../shared/history/security-us-2026
 *
 * For each hour whose observed status contradicts the hours learned from the 28 days before it, the next hours are looked at.
 * The figure is the persistence an hour that gives `openProbability` the smallest Brier score over all of them.
 */

interface Surprise {
  ahead: number
  learned: number
  surprise: number
  seen: number
  open: number
}

const LEARNING_DAYS = 28
const MIN_DAYS = 14
const MAX_AHEAD = 6

/** For each airport and hour, whether any standard lane was open. */
function openHours(folder: string): Map<string, Map<number, boolean>> {
  const airports = new Map<string, Map<number, boolean>>()
  for (const { airport, lane, observed_at, status } of historyRows(folder)) {
    if (!/standard|general|all/i.test(lane!) || (status !== 'open' && status !== 'closed')) continue
    const hour = Math.floor(Date.parse(observed_at!) / HOUR_MS) * HOUR_MS
    const hours = getOrCreate(airports, airport!, () => new Map<number, boolean>())
    hours.set(hour, status === 'open' || hours.get(hour) === true)
  }
  return airports
}

/** The hours after each hour whose status contradicts what was learned before its day. */
function surprisesOf(hours: ReadonlyMap<number, boolean>, timezone: string): Surprise[] {
  const all = [...hours]
    .sort(([a], [b]) => a - b)
    .map(([hour, open]): ObservedOpenHour => {
      return { hour, slots: 1, open_slots: open ? 1 : 0, first_open_at: open ? hour : null, follows_closure: false }
    })
  const first = all[0]?.hour ?? 0
  const found: Surprise[] = []
  for (const { hour, open_slots: seen } of all) {
    const day = Math.floor(hour / DAY_MS) * DAY_MS
    if (day < first + MIN_DAYS * DAY_MS) continue
    const before = all.filter((row) => row.hour < day && row.hour >= day - LEARNING_DAYS * DAY_MS)
    const learnt = learnHours(before, timezone)
    const learnedAt = (instant: number) => {
      const percent = learnt === null ? UNKNOWN_OPEN : openPercentAt(learnt, instant)
      return percent === UNKNOWN_OPEN ? null : percent / 100
    }
    const expected = learnedAt(hour)
    if (expected === null || Math.abs(seen - expected) < 0.5) continue
    for (let ahead = 1; ahead <= MAX_AHEAD; ahead += 1) {
      const learned = learnedAt(hour + ahead * HOUR_MS)
      const open = hours.get(hour + ahead * HOUR_MS)
      if (learned !== null && open !== undefined)
        found.push({ ahead, learned, surprise: Math.abs(seen - expected), seen, open: open ? 1 : 0 })
    }
  }
  return found
}

function brier(surprises: readonly Surprise[], persistence: number): number {
  const errors = surprises.map(({ ahead, learned, surprise, seen, open }) => {
    const probability = learned + surprise * persistence ** ahead * (seen - learned)
    return (probability - open) ** 2
  })
  return errors.reduce((sum, error) => sum + error, 0) / errors.length
}

const [folder = ''] = process.argv.slice(2)
const { byIata } = airportDirectory()
const surprises = [...openHours(folder)].flatMap(([iata, hours]) => {
  const timezone = byIata.get(iata)?.timezone
  return timezone === undefined ? [] : surprisesOf(hours, timezone)
})
const steps = Array.from({ length: 20 }, (_, step) => step / 20)
const [best] = steps.map((step) => ({ step, score: brier(surprises, step) })).sort((a, b) => a.score - b.score)
process.stdout.write(`hours after an unexpected status: ${surprises.length}\n`)
for (let ahead = 1; ahead <= MAX_AHEAD; ahead += 1) {
  const hourSurprises = surprises.filter((surprise) => surprise.ahead === ahead)
  const same = hourSurprises.filter(({ open, seen }) => open === seen).length
  process.stdout.write(`${ahead} h later: ${same} of ${hourSurprises.length} still so\n`)
}
for (const step of [0, 0.5, 0.6, 0.7, 0.8, 0.9])
  process.stdout.write(`Brier score with ${step} an hour: ${brier(surprises, step).toFixed(4)}\n`)
process.stdout.write(`best: ${best?.step} an hour, ${best?.score.toFixed(4)}\n`)
