import { z } from 'zod'
import { ParameterError, type ParameterFault } from '../../../config/errors.ts'
import { Evidence } from '../../../config/reference/evidence.ts'
import { schengenState } from '../../../config/reference/schengen-airports.ts'
import { defineQuery } from '../queries/define.ts'
import { simulated } from '../queries/shared-fields.ts'
import { ALLOWED_DAYS, dateOf, dayNumber, daysBetween, Presence, WINDOW_DAYS } from '../schengen/days.ts'
import { countsAsStay } from '../schengen/members.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { schengenWords } from './schengen-words.ts'

/** A stay cannot be asked about that is longer than this: it would say nothing new. */
const MOST_DAYS = 3_650

const date = z.iso.date('must be a date that exists, YYYY-MM-DD')
const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 code of two capital letters, like FR')
  .optional()
  .describe('Country of the stay; days count only while it was in the area. Without it, the area is taken.')
const days = z.int().min(0)

const input = z.strictObject({
  trips: z
    .array(
      z.strictObject({
        entry: date.describe('First day in the area.'),
        exit: date.nullish().describe('Last day; null or left out: still there.'),
        country,
      }),
    )
    .max(200)
    .describe('Stays so far, in any order; entry and exit days both count.'),
  on: date.optional().describe('Day to judge; today (UTC) without it.'),
  planned: z
    .strictObject({
      entry: date,
      days: z.int().min(1).max(365).optional().describe('Length of the planned stay; the longest allowed without it.'),
      country,
    })
    .optional()
    .describe('A further stay to check.'),
  day_by_day: z.boolean().default(false).describe('List each of the 180 days of the window.'),
})

const output = z.strictObject({
  on: date,
  window_start: date.describe('First of the 180 days that end with `on`.'),
  days_used: days.describe('Days of presence in the window.'),
  days_after: days.describe('Days of the stays given that lie after `on`: not in the days used.'),
  open_until: date.nullable().describe('A stay without an exit is counted to this day; null: there is none.'),
  days_left: days.describe(`${ALLOWED_DAYS} less the days used, never below 0.`),
  inside: z.boolean().describe('Whether the traveller is in the area on that day.'),
  last_allowed_day: date
    .nullable()
    .describe('Last day of a stay without a break from `on`, today counted; null: no day is allowed.'),
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
      first_entry_for_stay: date.describe('First entry from the planned one on that allows the whole stay.'),
    })
    .nullable(),
  window: z
    .array(z.strictObject({ date, present: z.boolean(), days_used: days }))
    .describe('The window day by day; empty unless asked for.'),
  not_counted: z.array(
    z.strictObject({
      country: z.string(),
      days: days.describe('Days of the trips given that do not count.'),
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

const RULE =
  'Regulation (EU) 2016/399, Art. 6: at most 90 days in any 180-day period, entry and exit days counted. Stays under a residence permit or long-stay visa and bilateral visa waivers are not known here and must be left out by the caller. A border guard decides.'

const description =
  'Days used and left under the Schengen 90/180 rule: give past and present stays (open end allowed), and a planned one to check it before booking. Answers the last allowed day, overstays, when an entry is next allowed and, on request, the window day by day. For short stays only: residence permits, long-stay visas and bilateral agreements are not known. Membership (Croatia 2023, Bulgaria and Romania 2024) is from dated facts.'

const query = defineQuery({
  name: 'checkSchengenDays',
  summary: 'Schengen 90/180 allowance and overstay projection',
  description,
  tier: 'free',
  rest: null,
  input,
  output,
  answer({ trips, on: asked, planned, day_by_day }, { snapshot, now }) {
    const on = asked ?? new Date(now).toISOString().slice(0, 10)
    const today = dayNumber(on)
    const stays = trips.map(({ entry, exit, country }) => ({
      first: dayNumber(entry),
      last: exit ? dayNumber(exit) : Math.max(today, dayNumber(entry)),
      country,
    }))
    refuseImpossible(trips, stays)
    const counted = (country: string | undefined, day: number) => country === undefined || countsAsStay(country, day)
    const spent = stays.flatMap(({ first, last, country }) =>
      [...daysBetween(first, last)].filter((day) => counted(country, day)),
    )
    const present = new Presence(spent)
    const sofar = new Presence(spent.filter((day) => day <= today))
    const used = present.used(today)
    const inside = present.has(today)
    const longest = sofar.longestStay(today)
    const entryFrom = inside ? today + 1 : today
    const next = sofar.firstEntry(entryFrom, 1)
    const overstays = sofar.overstays()
    return {
      on,
      window_start: dateOf(today - WINDOW_DAYS + 1),
      days_used: used,
      days_after: new Set(spent.filter((day) => day > today)).size,
      open_until: openUntil(trips, stays),
      days_left: Math.max(0, ALLOWED_DAYS - used),
      inside,
      last_allowed_day: longest === 0 ? null : dateOf(today + longest - 1),
      overstay_days_on_date: Math.max(0, used - ALLOWED_DAYS),
      overstay_days_total: overstays.length,
      first_overstay_day: overstays[0] === undefined ? null : dateOf(overstays[0]),
      next_entry: { date: dateOf(next), longest_stay_days: sofar.longestStay(next) },
      planned: planned ? plannedStay(present, planned) : null,
      window: windowOf(present, today, day_by_day),
      not_counted: notCounted(stays),
      membership: membershipOf([...trips.map(({ country }) => country), planned?.country]),
      rule: RULE,
      simulated: snapshot.simulated,
    }
  },
})

function windowOf(present: Presence, last: number, wanted: boolean) {
  const days = wanted ? [...daysBetween(last - WINDOW_DAYS + 1, last)] : []
  return days.map((day) => ({ date: dateOf(day), present: present.has(day), days_used: present.used(day) }))
}

interface Stay {
  first: number
  last: number
  country: string | undefined
}

function openUntil(trips: { exit?: string | null | undefined }[], stays: Stay[]): string | null {
  const open = stays.find((_stay, place) => !trips[place]!.exit)
  return open ? dateOf(open.last) : null
}

function refuseImpossible(trips: { exit?: string | null | undefined }[], stays: Stay[]): void {
  const faults: ParameterFault[] = []
  for (const [place, { first, last }] of stays.entries()) {
    const parameter = `trips[${place}].exit`
    if (last < first) faults.push({ parameter, message: 'must not be before the entry' })
    else if (last - first > MOST_DAYS)
      faults.push({ parameter, message: `must be within ${MOST_DAYS} days of the entry` })
  }
  if (trips.filter(({ exit }) => !exit).length > 1)
    faults.push({ parameter: 'trips', message: 'at most one stay can be without an exit' })
  if (faults.length > 0) throw new ParameterError(faults)
}

function plannedStay(
  present: Presence,
  { entry, days, country }: { entry: string; days?: number | undefined; country?: string | undefined },
) {
  const first = dayNumber(entry)
  const counts = country === undefined || countsAsStay(country, first)
  const longest = present.longestStay(first)
  const stay = days ?? longest
  return {
    entry,
    asked_days: days ?? null,
    allowed: !counts || stay <= longest,
    longest_stay_days: longest,
    last_allowed_day: longest === 0 ? null : dateOf(first + longest - 1),
    overstay_days: counts ? Math.max(0, stay - longest) : 0,
    first_entry_for_stay: dateOf(present.firstEntry(first, Math.max(1, stay))),
  }
}

function notCounted(stays: Stay[]) {
  return stays.flatMap(({ first, last, country }) => {
    if (country === undefined) return []
    const days = [...daysBetween(first, last)].filter((day) => !countsAsStay(country, day)).length
    if (days === 0) return []
    const from = schengenState(country)?.days_count_from ?? null
    return [{ country, days, reason: from === null ? 'not in the Schengen area' : `counted from ${from} on` }]
  })
}

function membershipOf(countries: (string | undefined)[]) {
  const named = [...new Set(countries.filter((country) => country !== undefined))]
  return named.flatMap((country) => {
    const state = schengenState(country)
    if (!state) return []
    const { member, days_count_from: counts_from, source, as_of, credit, caution } = state
    return [{ country, member, counts_from, source, as_of, credit, caution }]
  })
}

export const checkSchengenDaysTool = defineTool<z.output<typeof output>>({
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
  text: schengenWords,
})
