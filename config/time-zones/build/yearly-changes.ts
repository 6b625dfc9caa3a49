import { DAY_MS } from '../../vocabulary.ts'
import { expandYearly, MAX_YEAR, type OffsetChange, type YearlyChange } from '../transitions.ts'

/** After this many years, every weekday has fallen on every date that a rule can give it. */
const YEARS = 11

const yearOf = (ms: number) => new Date(ms).getUTCFullYear()

const timeOfDay = (local: Date) => local.getTime() - Math.floor(local.getTime() / DAY_MS) * DAY_MS

/** The rule "the first such weekday on or after a day of a month" that all these changes follow; null if they follow none. */
function ruleOf(changes: readonly (OffsetChange & { offset_before_ms: number })[]): YearlyChange | null {
  const locals = changes.map(({ begins_ms, offset_before_ms }) => new Date(begins_ms + offset_before_ms))
  const first = locals[0]
  const offset_ms = changes[0]?.offset_ms
  if (first === undefined || offset_ms === undefined) return null
  // The week of a rule may reach into the next month: the Friday after the last Thursday of October.
  const month = Math.min(...locals.map((local) => local.getUTCMonth())) + 1
  const weekday = first.getUTCDay()
  const time_ms = timeOfDay(first)
  const isSame = locals.every(
    (local, index) =>
      local.getUTCDay() === weekday && timeOfDay(local) === time_ms && changes[index]!.offset_ms === offset_ms,
  )
  const days = new Set(
    locals.map((local) => Math.floor((local.getTime() - Date.UTC(local.getUTCFullYear(), month - 1, 1)) / DAY_MS) + 1),
  )
  const day = Math.min(...days)
  // Fewer dates than a week has would leave open from which day on the rule counts.
  return isSame && days.size === 7 && Math.max(...days) === day + 6 ? { month, day, weekday, time_ms, offset_ms } : null
}

/**
 * Splits the changes of a zone, without those after `MAX_YEAR`, into its history and the rule that all later ones follow. The
 * rule is taken from the last years and reproduces every change that is not in the history. If they follow no rule, all changes
 * are history.
 */
export function splitYearly(
  first_offset_ms: number,
  all: readonly OffsetChange[],
): { history: readonly OffsetChange[]; yearly: readonly YearlyChange[] } {
  const changes = all.filter(({ begins_ms }) => yearOf(begins_ms) <= MAX_YEAR)
  const known = changes.map((change, index) => ({
    ...change,
    offset_before_ms: changes[index - 1]?.offset_ms ?? first_offset_ms,
  }))
  const recent = known.filter(({ begins_ms }) => yearOf(begins_ms) > MAX_YEAR - YEARS)
  const groups = [0, 1].map((parity) => recent.filter((_, index) => index % 2 === parity))
  if (recent.length !== 2 * YEARS) return { history: changes, yearly: [] }
  const rules = groups.map(ruleOf)
  if (rules.some((rule) => rule === null)) return { history: changes, yearly: [] }
  const yearly = rules as YearlyChange[]
  for (let length = 1; length < changes.length; length += 1) {
    const history = changes.slice(0, length)
    const expanded = expandYearly(history.at(-1)!, yearly).filter(({ begins_ms }) => yearOf(begins_ms) <= MAX_YEAR)
    const dropped = changes.slice(length)
    const isReproduced =
      expanded.length === dropped.length &&
      expanded.every(
        ({ begins_ms, offset_ms }, index) =>
          begins_ms === dropped[index]!.begins_ms && offset_ms === dropped[index]!.offset_ms,
      )
    if (isReproduced) return { history, yearly }
  }
  throw new Error('the rule of the last years does not reproduce their changes')
}
