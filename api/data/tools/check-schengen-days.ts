import { z } from 'zod'
import { ParameterError, type ParameterFault } from '../../../config/errors.ts'
import { countryCode, countryName } from '../../../config/reference/countries.ts'
import { Evidence } from '../../../config/reference/evidence.ts'
import { schengenState } from '../../../config/reference/schengen-airports.ts'
import { SMALL_STATES } from '../../../config/reference/schengen-territories.ts'
import { defineQuery } from '../queries/define.ts'
import { simulated } from '../queries/shared-fields.ts'
import {
  changesOf,
  checkPlanned,
  lastExitBefore,
  overstaysOf,
  type PlannedCheck,
  type Stay,
  type StayChange,
  spanDays,
  timelineOf,
} from '../schengen/itinerary.ts'
import {
  ALLOWED_DAYS,
  countsFrom,
  dateOf,
  dayNumber,
  firstCountedDay,
  type Timeline,
  WINDOW_DAYS,
} from '../schengen/timeline.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { countText } from './text.ts'

const MAX_TRIP_DAYS = 3_650
const FIRST_DATE = '1990-01-01'
const LAST_DATE = '2099-12-31'
/** Longest lists of an answer, so that hundreds of trips do not fill it. */
const MAX_LISTED = 10

const date = z.iso.date('must be a date that exists, YYYY-MM-DD')
const givenDate = date.refine(
  (text) => FIRST_DATE <= text && text <= LAST_DATE,
  `must be from ${FIRST_DATE} to ${LAST_DATE}`,
)
const country = z
  .string()
  .max(60, 'must be at most 60 characters')
  .transform((text, context) => {
    if (/^(the )?schengen( area| zone)?$/i.test(text.trim())) return undefined
    const code = countryCode(text)
    if (code !== null) return code
    context.addIssue(
      'is not a known country: give its ISO 3166-1 code, like FR, or its name; leave it out for any country in the area',
    )
    return z.NEVER
  })
  .optional()
const days = z.int()

const input = z.strictObject({
  trips: z
    .array(
      z.strictObject({
        entry: givenDate.describe('First day in the area.'),
        exit: givenDate.nullish().describe('Last day; null or absent: still there.'),
        country: country.describe('Code or name; days count only while it was in the area. Default: in the area.'),
      }),
    )
    .max(200)
    .describe('All stays, past, present and booked, in any order; entry and exit days both count.'),
  on: givenDate.optional().describe('Day to check; default: today (UTC).'),
  planned: z
    .strictObject({
      entry: givenDate,
      days: z.int().min(1).max(MAX_TRIP_DAYS).optional().describe('Its length; default: the longest allowed.'),
      exit: givenDate.optional().describe('Its last day, instead of `days`.'),
      country,
    })
    .optional()
    .describe('A further stay, to check before booking it.'),
  day_by_day: z.boolean().default(false).describe('List each of the 180 days of the window.'),
})
type Input = z.output<typeof input>

const stayName = z.string().describe('`planned`, or the trip as numbered in the input: `trips[0]` is the first.')

/** A date of the answer. Without its format, which every agent would pay for in the list of tools. */
const day = z.string()

const output = z.strictObject({
  advice: z.string().describe('What to do.'),
  allowed: z
    .boolean()
    .describe('Whether no day from `on` on is over 90 in any 180, over all trips and the planned stay.'),
  on: day,
  window_start: day.describe('First of the 180 days that end with `on`.'),
  days_used: days.describe('Days of presence in the window.'),
  days_after: days.describe('Booked days after `on`; they are not in `days_used`.'),
  open_until: day.nullable().describe('A stay without an exit is counted to this day; null: there is none.'),
  days_left: days.describe(`${ALLOWED_DAYS} less the days used, never below 0.`),
  inside: z.boolean().describe('Whether the traveller is in the area on that day.'),
  leaves_on: day.nullable().describe('Exit of the stay on that day, if it is given and after `on`.'),
  last_allowed_day: day
    .nullable()
    .describe('Last day of a stay without a break from `on`, with all later trips kept; null: no day is allowed.'),
  last_allowed_day_without_later_trips: day.nullable().describe('The same if every later trip is cancelled.'),
  overstay_days_on_date: days.describe('Days used beyond 90 in this window.'),
  overstay_days_total: days.describe('All days over 90 in any 180: past, booked and planned.'),
  first_overstay_day: day.nullable().describe('The first of them.'),
  first_overstay_day_ahead: day.nullable().describe('The first of them from `on` on.'),
  overstays: z
    .array(z.strictObject({ stay: stayName, first: day, last: day, days }))
    .describe(`These days as runs; the first ${MAX_LISTED}.`),
  changes: z
    .array(
      z.strictObject({
        stay: stayName,
        entry: day,
        exit: day,
        overstay_days: days,
        first_overstay_day: day,
        leave_by: day.nullable().describe('Last allowed day; null: no day of it is allowed.'),
        shorten_by_days: days,
        first_entry_same_length: day
          .nullable()
          .describe('First later entry for the same length, apart from other trips; null: none, or it has begun.'),
      }),
    )
    .describe(`What to change so that no day ahead is over, in this order; the first ${MAX_LISTED}.`),
  next_entry: z.strictObject({
    date: day.describe('First day that a new entry is allowed: `on`, or after the stay on that day.'),
    longest_stay_days: days,
  }),
  full_stay_from: day.describe(`First entry that allows ${ALLOWED_DAYS} days, with all trips kept.`),
  longest_stays: z
    .array(z.strictObject({ stay: stayName, entry: day, longest_stay_days: days, last_allowed_day: day.nullable() }))
    .describe(`Longest stay from each booked entry, all other trips kept; the first ${MAX_LISTED}.`),
  planned: z
    .strictObject({
      entry: day,
      asked_days: days.nullable(),
      allowed: z.boolean().describe('Whether all of it is allowed and no booked trip gets over 90 by it.'),
      longest_stay_days: days.nullable().describe('Longest stay from that entry; null: the rule sets no limit there.'),
      last_allowed_day: day.nullable(),
      overstay_days: days.describe('Days over 90 that it causes, also in later trips.'),
      first_overstay_day: day.nullable(),
      overstay_in: stayName.nullable().describe('The stay that this day belongs to.'),
      first_entry_for_stay: day
        .nullable()
        .describe('First entry, not before the planned one, that allows the whole stay; null: none ever does.'),
      open_stay_must_end_by: day
        .nullable()
        .describe('Last exit of the stay without an exit that allows this one; null: none, or nothing is open.'),
    })
    .nullable(),
  window: z
    .array(z.strictObject({ date: day, present: z.boolean(), days_used: days }))
    .describe('The window day by day; empty unless requested.'),
  not_counted: z.array(
    z.strictObject({
      country: z.string(),
      days: days.describe('Days of the trips that do not count.'),
      reason: z.string(),
    }),
  ),
  notes: z.array(z.string()).describe('What to know about these trips.'),
  membership: z
    .array(z.strictObject({ country: z.string(), member: z.boolean(), counts_from: day.nullable(), ...Evidence.shape }))
    .describe('The dated facts used for the countries named, if days there do not always count.'),
  rule: z.string(),
  simulated,
})
type Answer = z.output<typeof output>
type WindowDay = Answer['window'][number]

const RULE =
  'Regulation (EU) 2016/399, Art. 6: at most 90 days in any 180-day period, entry and exit days counted. Stays under a residence permit or long-stay visa and bilateral visa waivers are not known here: the caller must leave them out. A border guard decides.'

const description =
  'Schengen 90/180 rule. Give all stays, past, current (the exit may be open) and booked, and a planned stay to check before booking. One count over all of them finds every day over 90 in any 180 and says what to change. For short stays only: residence permits, long-stay visas and bilateral agreements are not known.'

const query = defineQuery({
  name: 'checkSchengenDays',
  summary: 'Schengen 90/180 allowance and overstay projection',
  description,
  tier: 'free',
  rest: null,
  input,
  output,
  answer({ trips, on: date, planned, day_by_day }, { now }): z.input<typeof output> {
    const on = date ?? new Date(now).toISOString().slice(0, 10)
    const day = dayNumber(on)
    const stays = staysOf(trips, day)
    const timeline = timelineOf(stays)
    const begun = stays.filter(({ first }) => first <= day)
    const plannedCheck = planned ? checkPlanned(plannedStay(planned, timeline), stays) : null
    const all = plannedCheck ? [...stays, plannedCheck.stay] : stays
    const overstays = overstaysOf(all, day)
    const ahead = overstays.find(({ first }) => first >= day)
    const changes = [...changesOf(stays, day), ...plannedChange(plannedCheck)]
    const nextEntry = timeline.firstEntry(day, 1)!
    const used = timeline.used(day)
    const answer = {
      allowed: ahead === undefined && plannedCheck?.allowed !== false,
      on,
      window_start: dateOf(day - WINDOW_DAYS + 1),
      days_used: used,
      days_after: timeline.count(day + 1, timeline.lastDay),
      open_until: openUntil(stays),
      days_left: Math.max(0, ALLOWED_DAYS - used),
      inside: timeline.has(day),
      leaves_on: exitAfter(day, stays),
      last_allowed_day: lastDayOf(day, timeline.longestStay(day)),
      last_allowed_day_without_later_trips: lastDayOf(day, timelineOf(begun.map(upTo(day))).longestStay(day)),
      overstay_days_on_date: Math.max(0, used - ALLOWED_DAYS),
      overstay_days_total: overstays.reduce((sum, run) => sum + spanDays(run), 0),
      first_overstay_day: overstays[0] ? dateOf(overstays[0].first) : null,
      first_overstay_day_ahead: ahead ? dateOf(ahead.first) : null,
      overstays: overstays.slice(0, MAX_LISTED).map((run) => ({
        stay: run.stay,
        first: dateOf(run.first),
        last: dateOf(run.last),
        days: spanDays(run),
      })),
      changes: changes.slice(0, MAX_LISTED).map(listedChange),
      next_entry: { date: dateOf(nextEntry), longest_stay_days: timeline.longestStay(nextEntry) },
      full_stay_from: dateOf(timeline.firstEntry(nextEntry, ALLOWED_DAYS)!),
      longest_stays: longestStays(stays, day),
      planned: plannedCheck && planned ? plannedAnswer(plannedCheck, planned, stays, day) : null,
      window: day_by_day ? windowDays(timeline, day) : [],
      not_counted: notCounted(stays, trips),
      notes: notesOf(all, [...trips, ...(planned ? [planned] : [])], plannedCheck, day),
      membership: membershipOf([...trips, ...(planned ? [planned] : [])]),
      rule: RULE,
      simulated: false,
    }
    return { advice: adviceFor(answer), ...answer }
  },
})

/** The days of a stay that count; a stay without a country is in the area. */
function countedDays({ first, last }: { first: number; last: number }, country: string | undefined) {
  const from = country === undefined ? Number.NEGATIVE_INFINITY : firstCountedDay(country)
  return from === null || from > last ? null : { first: Math.max(first, from), last }
}

/** @throws ParameterError for a trip that ends before it begins or is too long, and for several open trips */
function staysOf(trips: Input['trips'], day: number): Stay[] {
  const stays = trips.map(({ entry, exit, country }, index) => {
    const first = dayNumber(entry)
    const span = { first, last: exit ? dayNumber(exit) : Math.max(day, first) }
    return { stay: `trips[${index}]`, ...span, open: !exit, counted: countedDays(span, country) }
  })
  const faults: ParameterFault[] = []
  for (const { stay, first, last } of stays) {
    const parameter = `${stay}.exit`
    if (last < first) faults.push({ parameter, message: 'must not be before the entry' })
    else if (last - first > MAX_TRIP_DAYS)
      faults.push({ parameter, message: `must be within ${MAX_TRIP_DAYS} days of the entry` })
  }
  if (stays.filter(({ open }) => open).length > 1)
    faults.push({ parameter: 'trips', message: 'at most one stay can be without an exit' })
  if (faults.length > 0) throw new ParameterError(faults)
  return stays
}

/**
 * The planned stay; without a length it is the longest allowed, and one day where none is.
 * @throws ParameterError when the exit is before the entry or does not agree with the length
 */
function plannedStay({ entry, exit, days, country }: NonNullable<Input['planned']>, trips: Timeline): Stay {
  const first = dayNumber(entry)
  const length = exit === undefined ? days : dayNumber(exit) - first + 1
  const fault = (parameter: string, message: string) =>
    new ParameterError([{ parameter: `planned.${parameter}`, message }])
  if (length !== undefined && length < 1) throw fault('exit', 'must not be before the entry')
  if (length !== undefined && length > MAX_TRIP_DAYS)
    throw fault('exit', `must be within ${MAX_TRIP_DAYS} days of the entry`)
  if (exit !== undefined && days !== undefined && days !== length)
    throw fault('days', `must be ${length}, as from entry to exit, or be left out`)
  const last = first + (length ?? Math.max(1, trips.longestStay(first))) - 1
  return { stay: 'planned', first, last, open: false, counted: countedDays({ first, last }, country) }
}

const lastDayOf = (entry: number, longest: number) => (longest === 0 ? null : dateOf(entry + longest - 1))

/** A stay without its days after `day`. */
const upTo =
  (day: number) =>
  (stay: Stay): Stay => ({
    ...stay,
    last: Math.min(stay.last, day),
    counted:
      stay.counted && stay.counted.first <= day ? { ...stay.counted, last: Math.min(stay.counted.last, day) } : null,
  })

function exitAfter(day: number, stays: Stay[]): string | null {
  const stay = stays.find(({ counted, last, open }) => !open && counted && counted.first <= day && last > day)
  return stay ? dateOf(stay.last) : null
}

function openUntil(stays: Stay[]): string | null {
  const stay = stays.find(({ open, counted }) => open && counted)
  return stay ? dateOf(stay.last) : null
}

function plannedChange(check: PlannedCheck | null): StayChange[] {
  if (!check || check.first_over_day === null) return []
  const { stay, over_days, first_over_day, longest_days, first_entry } = check
  return [
    { stay, over_days, first_over_day, leave_by: longest_days ? stay.first + longest_days - 1 : null, first_entry },
  ]
}

function listedChange({
  stay,
  over_days,
  first_over_day,
  leave_by,
  first_entry,
}: StayChange): Answer['changes'][number] {
  return {
    stay: stay.stay,
    entry: dateOf(stay.first),
    exit: dateOf(stay.last),
    overstay_days: over_days,
    first_overstay_day: dateOf(first_over_day),
    leave_by: leave_by === null ? null : dateOf(leave_by),
    shorten_by_days: leave_by === null ? spanDays(stay) : stay.last - leave_by,
    first_entry_same_length: first_entry === null ? null : dateOf(first_entry),
  }
}

/** The longest stay from the entry of each trip that is still to come. */
function longestStays(stays: Stay[], day: number): Answer['longest_stays'] {
  return stays
    .filter((trip) => trip.first > day && trip.counted !== null)
    .sort((a, b) => a.first - b.first)
    .slice(0, MAX_LISTED)
    .map((trip) => {
      const longest = timelineOf(stays.filter((other) => other !== trip)).longestStay(trip.first)
      return {
        stay: trip.stay,
        entry: dateOf(trip.first),
        longest_stay_days: longest,
        last_allowed_day: lastDayOf(trip.first, longest),
      }
    })
}

function plannedAnswer(
  check: PlannedCheck,
  { entry, exit, days }: NonNullable<Input['planned']>,
  trips: Stay[],
  day: number,
): NonNullable<Answer['planned']> {
  const { stay, allowed, longest_days, over_days, first_over_day, over_in, first_entry } = check
  const lastExit = lastExitBefore(stay, trips, day)
  return {
    entry,
    asked_days: days === undefined && exit === undefined ? null : spanDays(stay),
    allowed,
    longest_stay_days: longest_days,
    last_allowed_day: longest_days === null ? null : lastDayOf(stay.first, longest_days),
    overstay_days: over_days,
    first_overstay_day: first_over_day === null ? null : dateOf(first_over_day),
    overstay_in: over_in,
    first_entry_for_stay: first_entry === null ? null : dateOf(first_entry),
    open_stay_must_end_by: lastExit === null ? null : dateOf(lastExit),
  }
}

function windowDays(timeline: Timeline, last: number): WindowDay[] {
  return Array.from({ length: WINDOW_DAYS }, (_, index) => {
    const day = last - WINDOW_DAYS + 1 + index
    return { date: dateOf(day), present: timeline.has(day), days_used: timeline.used(day) }
  })
}

function notCounted(stays: Stay[], trips: Input['trips']): Answer['not_counted'] {
  return stays.flatMap((stay, index) => {
    const country = trips[index]?.country
    const days = spanDays(stay) - (stay.counted ? spanDays(stay.counted) : 0)
    if (country === undefined || days === 0) return []
    const state = schengenState(country)
    const from = state?.member ? countsFrom(state) : null
    return [{ country, days, reason: from === null ? 'not in the Schengen area' : `counted from ${from} on` }]
  })
}

function notesOf(
  stays: Stay[],
  given: { country?: string | undefined }[],
  planned: PlannedCheck | null,
  day: number,
): string[] {
  const codes = new Set(given.flatMap(({ country }) => country ?? []))
  const spans = stays.toSorted((a, b) => a.first - b.first)
  const overlap = spans.some((span, index) => spans.slice(0, index).some(({ last }) => last > span.first))
  return [
    overlap && 'Some of these stays overlap; each day counts once.',
    planned && planned.stay.first < day && 'The planned stay begins in the past.',
    planned?.longest_days === null &&
      'The planned stay is outside the area, where this rule sets no limit; the rules of that country apply.',
    ...SMALL_STATES.filter(({ code }) => codes.has(code)).map(({ name, note }) => `${name}: ${note}.`),
  ].filter((note) => typeof note === 'string')
}

function membershipOf(stays: { country?: string | undefined }[]): Answer['membership'] {
  const countries = new Set(stays.flatMap(({ country }) => country ?? []))
  return [...countries].flatMap((country) => {
    const small = SMALL_STATES.find(({ code }) => code === country)
    const state = schengenState(country)
    if (small) {
      const { source, as_of, credit, caution } = small
      return [{ country, member: false, counts_from: null, source, as_of, credit, caution }]
    }
    if (!state) return []
    const { member, source, as_of, credit, caution } = state
    const counts_from = member ? countsFrom(state) : null
    if (member && counts_from === null) return []
    return [{ country, member, counts_from, source, as_of, credit, caution }]
  })
}

type Findings = Omit<Answer, 'advice'>

/** What to do, in one to a few sentences. */
function adviceFor(answer: Findings): string {
  const tripChanges = answer.changes.filter(({ stay }) => stay !== 'planned')
  const sentences = [
    plannedAdvice(answer),
    tripChanges.length > 0 &&
      `Your trips break the rule on ${tripChanges[0]!.first_overstay_day}${answer.planned ? ' even without the planned stay' : ''}: ${tripChanges.slice(0, 3).map(changeAdvice).join('; ')}.`,
    tripChanges.length > 3 && 'More trips need a change; see `changes`.',
    answer.inside && tripChanges.length === 0 && insideAdvice(answer),
    !answer.inside && !answer.planned && tripChanges.length === 0 && outsideAdvice(answer),
  ]
  return sentences.filter(Boolean).join(' ')
}

const lengthOf = ({ entry, exit }: { entry: string; exit: string }) => dayNumber(exit) - dayNumber(entry) + 1

/** `leave the trip of 2027-01-10 to 2027-05-10 by 2027-04-09 (31 days shorter)` and the alternative. */
function changeAdvice({
  entry,
  exit,
  leave_by,
  shorten_by_days,
  first_entry_same_length,
}: Answer['changes'][number]): string {
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

function plannedAdvice({ planned, open_until, longest_stays }: Findings): string {
  if (!planned) return ''
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
    return `Yes: ${countText(asked_days, 'day')} from ${entry} are allowed; the longest from then is ${countText(longest_stay_days, 'day')}, to ${last_allowed_day}.${assumed}`
  const trip = longest_stays.find(({ stay }) => stay === overstay_in)
  const why =
    overstay_in === 'planned' || overstay_in === null
      ? `${first_overstay_day} would be the first day over 90`
      : `your later trip${trip ? ` of ${trip.entry}` : ''} would be over 90 from ${first_overstay_day}`
  const shorter =
    longest_stay_days === 0
      ? 'No day is allowed from then.'
      : `Leave by ${last_allowed_day}: ${countText(longest_stay_days, 'day')}, ${countText(asked_days - longest_stay_days, 'day')} shorter.`
  return `No: ${countText(asked_days, 'day')} from ${entry} are not allowed; ${why}. ${shorter} ${laterEntry(planned, asked_days)}${assumed}`
}

function laterEntry({ first_entry_for_stay }: NonNullable<Answer['planned']>, days: number): string {
  return first_entry_for_stay === null
    ? `No date allows ${days} days in one stay: the most is ${ALLOWED_DAYS}.`
    : `For ${days === 1 ? 'a day' : `all ${days} days`}, enter on ${first_entry_for_stay} or later.`
}

function insideAdvice(answer: Findings): string {
  const { last_allowed_day, last_allowed_day_without_later_trips, on, leaves_on, next_entry } = answer
  if (last_allowed_day_without_later_trips === null)
    return `Leave now: no day of stay is allowed on ${on}. The next entry is allowed on ${next_entry.date}.`
  const kept = last_allowed_day === null ? 'leave now' : `leave by ${last_allowed_day}`
  const stay = leaves_on === null ? 'You are in the area' : `Your stay to ${leaves_on} is within the rule`
  if (last_allowed_day === last_allowed_day_without_later_trips) return `${stay}: ${kept} at the latest.`
  return `${stay}: ${kept} to keep your later trips, by ${last_allowed_day_without_later_trips} without them.`
}

function outsideAdvice({ next_entry, on, days_after, full_stay_from, longest_stays, open_until }: Findings): string {
  const booked = days_after > 0 ? 'Your trips are within the rule. ' : ''
  const open = longest_stays.find(({ entry, last_allowed_day }) => entry === open_until && last_allowed_day !== null)
  if (open) return `${booked}The stay from ${open.entry} may last to ${open.last_allowed_day}.`
  const full =
    full_stay_from === next_entry.date
      ? ''
      : ` ${ALLOWED_DAYS} days apart from them are possible from ${full_stay_from}.`
  const entry = next_entry.date === on ? 'You may enter now' : `You may enter on ${next_entry.date}`
  return `${booked}${entry}, for up to ${countText(next_entry.longest_stay_days, 'day')}${days_after > 0 ? ' without a break, your trips included' : ''}.${full}`
}

function pastOverstayText({ overstays, on }: Answer): string | null {
  const past = overstays.filter(({ first }) => first <= on)
  const [first] = past
  if (!first) return null
  const days = past.reduce((sum, run) => sum + run.days, 0)
  return `Overstayed already: ${countText(days, 'day')} over 90, the first on ${first.first}. A border guard may see it.`
}

function answerText(answer: Answer): string {
  const { on, days_used, days_left, days_after, next_entry, changes, not_counted } = answer
  const later = days_after > 0 ? `; ${countText(days_after, 'booked day')} later` : ''
  return [
    answer.advice,
    `On ${on}: ${days_used} of ${ALLOWED_DAYS} days used in the last ${WINDOW_DAYS}, ${days_left} left${later}.`,
    answer.open_until && !answer.planned && `The stay without an exit is counted to ${answer.open_until}.`,
    pastOverstayText(answer),
    !answer.planned &&
      (answer.inside || changes.length > 0) &&
      `A further stay with these trips as they are: from ${next_entry.date}, up to ${countText(next_entry.longest_stay_days, 'day')}.`,
    ...not_counted
      .slice(0, MAX_LISTED)
      .map(
        ({ country, days, reason }) => `Not counted: ${countText(days, 'day')} in ${countryName(country)}, ${reason}.`,
      ),
    ...answer.notes,
    'Not known here: residence permits, long-stay visas and bilateral agreements, which may allow more. A border guard decides.',
  ]
    .filter(Boolean)
    .join('\n')
}

export const checkSchengenDaysTool = defineTool<Answer>({
  name: 'check_schengen_days',
  title: 'Schengen 90/180 allowance and overstay projection',
  description,
  annotations: READ_ONLY,
  example: {
    trips: [{ entry: '2026-06-01', exit: '2026-07-15' }],
    on: '2026-11-21',
    planned: { entry: '2026-12-20', days: 20 },
  },
  query,
  shorten: ['window', 'membership', 'not_counted'],
  text: answerText,
})
