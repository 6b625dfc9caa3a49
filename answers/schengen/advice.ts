import { countText } from '../../config/count-text.ts'
import { countryInText } from '../../config/reference/countries.ts'
import { ALLOWED_DAYS, type DayCheck, MAX_LISTED } from './day-check.ts'
import { dayNumber } from './days.ts'

type Findings = Omit<DayCheck, 'advice'>

/** Advice in one to a few sentences. `today`: YYYY-MM-DD. */
export function adviceFor(answer: Findings, today: string): string {
  const tripChanges = answer.changes.filter(({ stay }) => stay !== 'planned')
  const mustLeave = answer.inside && answer.last_allowed_day_without_later_trips === null
  const sentences = [
    plannedAdvice(answer),
    mustLeave && leaveNow(answer),
    tripChanges.length > 0 &&
      `Your trips break the rule on ${tripChanges[0]!.first_overstay_day}${answer.planned ? ' even without the planned stay' : ''}: ${tripChanges.slice(0, 3).map(changeAdvice).join('; ')}.`,
    tripChanges.length > 3 && 'More trips need a change; see `changes`.',
    answer.inside && !mustLeave && tripChanges.length === 0 && insideAdvice(answer),
    !answer.inside && !answer.planned && tripChanges.length === 0 && outsideAdvice(answer, today),
  ]
  return sentences.filter(Boolean).join(' ')
}

/** Advice for a traveller over 90 days. It omits the next entry if later days are booked, because that entry assumes unchanged trips. */
const leaveNow = ({ on, leaves_on, next_entry }: Findings) =>
  `Leave now: no day of stay is allowed on ${on}.${leaves_on === null ? ` The next entry is allowed on ${next_entry.date}, for up to ${countText(next_entry.longest_stay_days, 'day')}.` : ''}`

const lengthOf = ({ entry, exit }: { entry: string; exit: string }) => dayNumber(exit) - dayNumber(entry) + 1

/** `leave the trip of 2027-01-10 to 2027-05-10 by 2027-04-09 (31 days shorter)` and the alternative. */
function changeAdvice({
  entry,
  exit,
  leave_by,
  shorten_by_days,
  first_entry_same_length,
}: DayCheck['changes'][number]): string {
  const trip = `the trip of ${entry} to ${exit}`
  const length = lengthOf({ entry, exit })
  const shorter =
    leave_by === null
      ? `do not take ${trip} then`
      : `end ${trip} by ${leave_by} (${countText(shorten_by_days, 'day')} shorter)`
  const later =
    first_entry_same_length === null ? '' : `, or begin it on ${first_entry_same_length} for all ${length} days`
  return length > ALLOWED_DAYS
    ? `${shorter}; no stay of ${length} days is ever allowed, the most is ${ALLOWED_DAYS}`
    : `${shorter}${later}`
}

function plannedAdvice(answer: Findings): string {
  const { planned, on } = answer
  if (!planned) return ''
  return planned.entry < on
    ? `${plannedVerdict(answer, planned)} It begins in the past, before ${on}: this is as if it had been made.`
    : plannedVerdict(answer, planned)
}

function plannedVerdict({ open_until, longest_stays }: Findings, planned: NonNullable<Findings['planned']>): string {
  const { entry, asked_days, allowed, longest_stay_days, last_allowed_day, overstay_in, first_overstay_day } = planned
  const assumed =
    open_until === null
      ? ''
      : ` This assumes that the stay without an exit ends on ${open_until}${planned.open_stay_must_end_by === null ? '' : `; it may last to ${planned.open_stay_must_end_by}`}.`
  if (longest_stay_days === null) return `The planned stay from ${entry} uses no Schengen days.${assumed}`
  if (asked_days === null)
    return longest_stay_days === 0
      ? `Do not enter on ${entry}: no day is allowed then. ${laterEntry(planned, 1)}${assumed}`
      : `From ${entry} you may stay ${countText(longest_stay_days, 'day')}: leave by ${last_allowed_day}.${assumed}`
  if (allowed)
    return `Yes: ${countText(asked_days, 'day')} from ${entry} ${isOrAre(asked_days)} allowed; the longest from then is ${countText(longest_stay_days, 'day')}, to ${last_allowed_day}.${assumed}`
  const trip = longest_stays.find(({ stay }) => stay === overstay_in)
  const why =
    overstay_in === 'planned' || overstay_in === null
      ? `${first_overstay_day} would be the first day over 90`
      : `your later trip${trip ? ` of ${trip.entry}` : ''} would be over 90 from ${first_overstay_day}`
  const shorter =
    longest_stay_days === 0
      ? 'No day is allowed from then.'
      : `Leave by ${last_allowed_day}: ${countText(longest_stay_days, 'day')}, ${countText(asked_days - longest_stay_days, 'day')} shorter.`
  return `No: ${countText(asked_days, 'day')} from ${entry} ${isOrAre(asked_days)} not allowed; ${why}. ${shorter} ${laterEntry(planned, asked_days)}${assumed}`
}

const isOrAre = (days: number) => (days === 1 ? 'is' : 'are')

function laterEntry({ first_entry_for_stay }: NonNullable<DayCheck['planned']>, days: number): string {
  return first_entry_for_stay === null
    ? `No date allows ${days} days in one stay: the most is ${ALLOWED_DAYS}.`
    : `For ${days === 1 ? 'a day' : `all ${days} days`}, enter on ${first_entry_for_stay} or later.`
}

function insideAdvice(answer: Findings): string {
  const { last_allowed_day, last_allowed_day_without_later_trips, leaves_on } = answer
  const remedy = last_allowed_day === null ? 'leave now' : `leave by ${last_allowed_day}`
  const stay = leaves_on === null ? 'You are in the area' : `Your stay to ${leaves_on} is within the rule`
  if (last_allowed_day === last_allowed_day_without_later_trips) return `${stay}: ${remedy} at the latest.`
  return `${stay}: ${remedy} to keep your later trips, by ${last_allowed_day_without_later_trips} without them.`
}

function outsideAdvice(answer: Findings, today: string): string {
  const { next_entry, on, days_after, full_stay_from, longest_stays, open_until } = answer
  const booked = days_after > 0 ? 'Your trips are within the rule. ' : ''
  const open = longest_stays.find(({ entry, last_allowed_day }) => entry === open_until && last_allowed_day !== null)
  if (open) return `${booked}The stay from ${open.entry} may last to ${open.last_allowed_day}.`
  const full =
    full_stay_from === next_entry.date ? '' : ` A stay of all ${ALLOWED_DAYS} days is possible from ${full_stay_from}.`
  const entry = next_entry.date === on && on === today ? 'You may enter now' : `You may enter on ${next_entry.date}`
  return `${booked}${entry}, for up to ${countText(next_entry.longest_stay_days, 'day')}${days_after > 0 ? ' without a break, your trips included' : ''}.${full}`
}

/** Why a stay may be longer than the days that are left: those of long ago count no more while it lasts. */
function droppingOut({ planned, inside, on, days_left, last_allowed_day, next_entry }: DayCheck): string {
  const ahead = last_allowed_day === null ? 0 : dayNumber(last_allowed_day) - dayNumber(on)
  const longestFromNow = inside ? ahead : next_entry.longest_stay_days
  const longest = planned ? planned.longest_stay_days : longestFromNow
  return (longest ?? 0) > days_left
    ? ' Each day counts for 180 days, so that a stay may outlast the days left: older ones drop out meanwhile.'
    : ''
}

const pastOverstayText = ({ overstayed }: DayCheck) =>
  overstayed &&
  `Overstayed already: ${countText(overstayed.days, 'day')} over 90, the first on ${overstayed.first}. A border guard may see it.`

export function dayCheckText(answer: DayCheck): string {
  const { on, days_used, days_left, days_after, next_entry, leaves_on, not_counted } = answer
  const later = days_after > 0 ? `; ${countText(days_after, 'booked day')} later` : ''
  return [
    answer.advice,
    `On ${on}: ${days_used} of ${ALLOWED_DAYS} days used, ${days_left} left${later}.${droppingOut(answer)}`,
    answer.open_until && !answer.planned && `The stay without an exit is counted to ${answer.open_until}.`,
    pastOverstayText(answer),
    // Travellers who must leave or change a trip see a next entry only in the advice, or not at all.
    !answer.planned &&
      answer.allowed &&
      leaves_on !== null &&
      `After these trips a further stay may begin on ${next_entry.date}, for up to ${countText(next_entry.longest_stay_days, 'day')}.`,
    ...not_counted
      .slice(0, MAX_LISTED)
      .map(
        ({ country, days, reason }) =>
          `Not counted: ${countText(days, 'day')} in ${countryInText(country)}, ${reason}.`,
      ),
    ...answer.notes,
    'Not known here: residence permits, long-stay visas and bilateral agreements, which may allow more. A border guard decides.',
  ]
    .filter(Boolean)
    .join('\n')
}
