import { counted } from './text.ts'

/** What the text tells of an answer. */
interface SchengenDays {
  on: string
  days_used: number
  days_left: number
  days_after: number
  open_until: string | null
  last_allowed_day: string | null
  first_overstay_day: string | null
  overstay_days_total: number
  next_entry: { date: string; longest_stay_days: number }
  planned: {
    entry: string
    allowed: boolean
    longest_stay_days: number
    overstay_days: number
    first_entry_for_stay: string
  } | null
  not_counted: { country: string; days: number; reason: string }[]
}

function plannedLine({ planned, open_until }: SchengenDays): string {
  if (!planned) return ''
  const { entry, allowed, longest_stay_days, overstay_days, first_entry_for_stay } = planned
  const verdict = allowed
    ? `The planned stay from ${entry} is within the rule (longest: ${counted(longest_stay_days, 'day')}).`
    : `The planned stay from ${entry} is ${counted(overstay_days, 'day')} too long; it would be allowed from ${first_entry_for_stay}.`
  return open_until === null ? verdict : `${verdict} That holds if the stay without an exit ends on ${open_until}.`
}

/** Days used and left, overstays and plans, as a traveller is to be told them. */
export function schengenWords(answer: SchengenDays): string {
  const { on, days_used, days_left, last_allowed_day, first_overstay_day, overstay_days_total, next_entry } = answer
  return [
    `On ${on}: ${days_used} of 90 days used in the last 180, ${days_left} left.`,
    answer.open_until && `The stay without an exit is counted to ${answer.open_until}.`,
    ...answer.not_counted.map(
      ({ country, days, reason }) => `Not counted: ${counted(days, 'day')} in ${country}, ${reason}.`,
    ),
    answer.days_after > 0 &&
      `${counted(answer.days_after, 'day')} of the stays given lie after that day: they are used up when they come.`,
    first_overstay_day && `Overstayed: ${counted(overstay_days_total, 'day')}, the first on ${first_overstay_day}.`,
    last_allowed_day
      ? `Staying from that day on is allowed to ${last_allowed_day}.`
      : 'No day of stay is allowed then.',
    `Next entry allowed: ${next_entry.date}, for up to ${counted(next_entry.longest_stay_days, 'day')}.`,
    plannedLine(answer),
    'A border guard decides; permits and bilateral agreements are not counted here.',
  ]
    .filter(Boolean)
    .join('\n')
}
