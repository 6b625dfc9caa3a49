import { z } from 'zod'
import { ParameterError, type ParameterFault } from '../../../config/errors.ts'
import { Evidence } from '../../../config/reference/evidence.ts'
import { schengenState } from '../../../config/reference/schengen-airports.ts'
import { defineQuery } from '../queries/define.ts'
import { simulated } from '../queries/shared-fields.ts'
import {
  ALLOWED_DAYS,
  countsAsStay,
  dateOf,
  dayNumber,
  daysBetween,
  Presence,
  WINDOW_DAYS,
} from '../schengen/stay-days.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { countText } from './text.ts'

/** A longer stay cannot change the answer. */
const MAX_TRIP_DAYS = 3_650

const date = z.iso.date('must be a date that exists, YYYY-MM-DD')
const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 code of two capital letters, like FR')
  .optional()
  .describe('Country of the stay; days count only while it was in the area. Default: a country in the area.')
const days = z.int().min(0)

const input = z.strictObject({
  trips: z
    .array(
      z.strictObject({
        entry: date.describe('First day in the area.'),
        exit: date.nullish().describe('Last day; null or absent: still there.'),
        country,
      }),
    )
    .max(200)
    .describe('Stays so far, in any order; entry and exit days both count.'),
  on: date.optional().describe('Day to check; default: today (UTC).'),
  planned: z
    .strictObject({
      entry: date,
      days: z.int().min(1).max(365).optional().describe('Length of the planned stay; default: the longest allowed.'),
      country,
    })
    .optional()
    .describe('A further stay to check.'),
  day_by_day: z.boolean().default(false).describe('List each of the 180 days of the window.'),
})
type Input = z.output<typeof input>

const output = z.strictObject({
  on: date,
  window_start: date.describe('First of the 180 days that end with `on`.'),
  days_used: days.describe('Days of presence in the window.'),
  days_after: days.describe('Days of the trips after `on`; they are not in `days_used`.'),
  open_until: date.nullable().describe('A stay without an exit is counted to this day; null: there is none.'),
  days_left: days.describe(`${ALLOWED_DAYS} less the days used, never below 0.`),
  inside: z.boolean().describe('Whether the traveller is in the area on that day.'),
  last_allowed_day: date
    .nullable()
    .describe('Last day of a stay without a break from `on`, `on` counted; null: no day is allowed.'),
  overstay_days_on_date: days.describe('Days used beyond 90 in this window.'),
  overstay_days_total: days.describe('Days of presence, to `on`, on which more than 90 of the last 180 were used.'),
  first_overstay_day: date.nullable(),
  next_entry: z.strictObject({
    date: date.describe('First day, from the day after `on` (or `on` itself when outside), that an entry is allowed.'),
    longest_stay_days: days,
  }),
  planned: z
    .strictObject({
      entry: date,
      asked_days: days.nullable(),
      allowed: z.boolean().describe('Whether the whole planned stay is within the rule.'),
      longest_stay_days: days.describe('Longest stay from that entry.'),
      last_allowed_day: date.nullable(),
      overstay_days: days.describe('Days of the planned stay beyond the rule.'),
      first_entry_for_stay: date.describe('First entry, not before the planned one, that allows the whole stay.'),
    })
    .nullable(),
  window: z
    .array(z.strictObject({ date, present: z.boolean(), days_used: days }))
    .describe('The window day by day; empty unless requested.'),
  not_counted: z.array(
    z.strictObject({
      country: z.string(),
      days: days.describe('Days of the trips that do not count.'),
      reason: z.string(),
    }),
  ),
  membership: z
    .array(
      z.strictObject({ country: z.string(), member: z.boolean(), counts_from: date.nullable(), ...Evidence.shape }),
    )
    .describe('The dated facts used for the countries named.'),
  rule: z.string(),
  simulated,
})
type Answer = z.output<typeof output>
type WindowDay = Answer['window'][number]

const RULE =
  'Regulation (EU) 2016/399, Art. 6: at most 90 days in any 180-day period, entry and exit days counted. Stays under a residence permit or long-stay visa and bilateral visa waivers are not known here: the caller must leave them out. A border guard decides.'

const description =
  'Days used and left under the Schengen 90/180 rule. Give past and present stays (the exit may be open) and optionally a planned stay to check it before booking. Returns the last allowed day, overstays, when an entry is next allowed and, on request, the window day by day. For short stays only: residence permits, long-stay visas and bilateral agreements are not known. Membership (Croatia 2023, Bulgaria and Romania 2024) comes from dated facts.'

const query = defineQuery({
  name: 'checkSchengenDays',
  summary: 'Schengen 90/180 allowance and overstay projection',
  description,
  tier: 'free',
  rest: null,
  input,
  output,
  answer({ trips, on: date, planned, day_by_day }, { snapshot, now }): z.input<typeof output> {
    const on = date ?? new Date(now).toISOString().slice(0, 10)
    const day = dayNumber(on)
    const stays = staysOf(trips, day)
    const countedDays = stays.flatMap(daysThatCount)
    const presence = new Presence(countedDays)
    const presenceSoFar = new Presence(countedDays.filter((counted) => counted <= day))

    const used = presence.used(day)
    const inside = presence.has(day)
    const longest = presenceSoFar.longestStay(day)
    const nextEntry = presenceSoFar.firstEntry(inside ? day + 1 : day, 1)
    const overstays = presenceSoFar.overstays()
    return {
      on,
      window_start: dateOf(day - WINDOW_DAYS + 1),
      days_used: used,
      days_after: new Set(countedDays.filter((counted) => counted > day)).size,
      open_until: openUntil(stays),
      days_left: Math.max(0, ALLOWED_DAYS - used),
      inside,
      last_allowed_day: longest === 0 ? null : dateOf(day + longest - 1),
      overstay_days_on_date: Math.max(0, used - ALLOWED_DAYS),
      overstay_days_total: overstays.length,
      first_overstay_day: overstays[0] === undefined ? null : dateOf(overstays[0]),
      next_entry: { date: dateOf(nextEntry), longest_stay_days: presenceSoFar.longestStay(nextEntry) },
      planned: planned ? plannedStay(presence, planned) : null,
      window: day_by_day ? windowDays(presence, day) : [],
      not_counted: notCounted(stays),
      membership: membershipOf([...trips, ...(planned ? [planned] : [])]),
      rule: RULE,
      simulated: snapshot.simulated,
    }
  },
})

/** A trip as day numbers, both included; an open one ends with the day that is checked. */
interface Stay {
  first: number
  last: number
  open: boolean
  country: string | undefined
}

/** @throws ParameterError for a trip that ends before it begins or is too long, and for several open trips */
function staysOf(trips: Input['trips'], day: number): Stay[] {
  const stays = trips.map(({ entry, exit, country }) => {
    const first = dayNumber(entry)
    return { first, last: exit ? dayNumber(exit) : Math.max(day, first), open: !exit, country }
  })
  const faults: ParameterFault[] = []
  for (const [index, { first, last }] of stays.entries()) {
    const parameter = `trips[${index}].exit`
    if (last < first) faults.push({ parameter, message: 'must not be before the entry' })
    else if (last - first > MAX_TRIP_DAYS)
      faults.push({ parameter, message: `must be within ${MAX_TRIP_DAYS} days of the entry` })
  }
  if (stays.filter(({ open }) => open).length > 1)
    faults.push({ parameter: 'trips', message: 'at most one stay can be without an exit' })
  if (faults.length > 0) throw new ParameterError(faults)
  return stays
}

/** The days of a stay on which its country was in the area; without a country, all of them. */
function daysThatCount({ first, last, country }: Stay): number[] {
  return [...daysBetween(first, last)].filter((day) => country === undefined || countsAsStay(country, day))
}

function openUntil(stays: Stay[]): string | null {
  const stay = stays.find(({ open }) => open)
  return stay ? dateOf(stay.last) : null
}

function plannedStay(presence: Presence, { entry, days, country }: NonNullable<Input['planned']>): Answer['planned'] {
  const first = dayNumber(entry)
  const counts = country === undefined || countsAsStay(country, first)
  const longest = presence.longestStay(first)
  const length = days ?? longest
  return {
    entry,
    asked_days: days ?? null,
    allowed: !counts || length <= longest,
    longest_stay_days: longest,
    last_allowed_day: longest === 0 ? null : dateOf(first + longest - 1),
    overstay_days: counts ? Math.max(0, length - longest) : 0,
    first_entry_for_stay: dateOf(presence.firstEntry(first, Math.max(1, length))),
  }
}

function windowDays(presence: Presence, last: number): WindowDay[] {
  return [...daysBetween(last - WINDOW_DAYS + 1, last)].map((day) => ({
    date: dateOf(day),
    present: presence.has(day),
    days_used: presence.used(day),
  }))
}

function notCounted(stays: Stay[]): Answer['not_counted'] {
  return stays.flatMap((stay) => {
    const { first, last, country } = stay
    const days = last - first + 1 - daysThatCount(stay).length
    if (country === undefined || days === 0) return []
    const from = schengenState(country)?.days_count_from ?? null
    return [{ country, days, reason: from === null ? 'not in the Schengen area' : `counted from ${from} on` }]
  })
}

function membershipOf(stays: { country?: string | undefined }[]): Answer['membership'] {
  const countries = new Set(stays.flatMap(({ country }) => country ?? []))
  return [...countries].flatMap((country) => {
    const state = schengenState(country)
    if (!state) return []
    const { member, days_count_from: counts_from, source, as_of, credit, caution } = state
    return [{ country, member, counts_from, source, as_of, credit, caution }]
  })
}

function answerText(answer: Answer): string {
  const { on, days_used, days_left, last_allowed_day, first_overstay_day, overstay_days_total, next_entry } = answer
  return [
    `On ${on}: ${days_used} of 90 days used in the last 180, ${days_left} left.`,
    answer.open_until && `The stay without an exit is counted to ${answer.open_until}.`,
    ...answer.not_counted.map(
      ({ country, days, reason }) => `Not counted: ${countText(days, 'day')} in ${country}, ${reason}.`,
    ),
    answer.days_after > 0 &&
      `${countText(answer.days_after, 'day')} of the trips lie after that day and are not counted yet.`,
    first_overstay_day && `Overstayed: ${countText(overstay_days_total, 'day')}, the first on ${first_overstay_day}.`,
    last_allowed_day
      ? `A stay from that day on is allowed to ${last_allowed_day}.`
      : 'No day of stay is allowed from that day on.',
    `Next entry allowed: ${next_entry.date}, for up to ${countText(next_entry.longest_stay_days, 'day')}.`,
    plannedText(answer),
    'A border guard decides; permits and bilateral agreements are not counted here.',
  ]
    .filter(Boolean)
    .join('\n')
}

function plannedText({ planned, open_until }: Answer): string {
  if (!planned) return ''
  const { entry, allowed, longest_stay_days, overstay_days, first_entry_for_stay } = planned
  const verdict = allowed
    ? `The planned stay from ${entry} is within the rule (longest: ${countText(longest_stay_days, 'day')}).`
    : `The planned stay from ${entry} is ${countText(overstay_days, 'day')} too long; it would be allowed from ${first_entry_for_stay}.`
  return open_until === null ? verdict : `${verdict} This holds if the stay without an exit ends on ${open_until}.`
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
