import { z } from 'zod'
import { countryCode } from '../../config/reference/countries.ts'
import { Evidence } from '../../config/reference/evidence.ts'

/** The rule of the Schengen Borders Code, Art. 6(1): at most 90 days in any 180, entry and exit days both counted. */
export const ALLOWED_DAYS = 90
export const WINDOW_DAYS = 180

export const MAX_TRIP_DAYS = 3_650
/** Longest lists of an answer, so that hundreds of trips do not fill it. */
export const MAX_LISTED = 10

/** A date for generated clients; words like `last Friday` are read too. */
const DayWords = z.string().max(60).meta({ format: 'date' })
const country = z
  .string()
  .max(60)
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

export const dayCheckInput = z.strictObject({
  trips: z
    .array(
      z.strictObject({
        entry: DayWords.describe('First day in the area.'),
        exit: DayWords.nullish().describe('Last day; null or absent: still there.'),
        country: country.describe('Code or name; days count only while it was in the area. Default: in the area.'),
      }),
    )
    .max(200)
    .describe('In any order; entry and exit days both count.'),
  on: DayWords.optional().describe('Day to check; default: today (UTC).'),
  planned: z
    .strictObject({
      entry: DayWords,
      days: z.int().min(1).max(MAX_TRIP_DAYS).optional().describe('Its length; default: the longest allowed.'),
      exit: DayWords.optional().describe('Its last day, instead of `days`.'),
      country,
    })
    .optional()
    .describe('A further stay, to check before booking it.'),
  day_by_day: z.boolean().default(false).describe('List each of the 180 days of the window.'),
})
export type DayCheckInput = z.output<typeof dayCheckInput>

const stayName = z.string().describe('`planned`, or the trip as numbered in the input: `trips[0]` is the first.')

/** A date of the answer. It has no format, which would cost every agent tokens in the list of tools. */
const day = z.string()

export const DayCheck = z.strictObject({
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
  overstayed: z
    .strictObject({ days, first: day })
    .nullable()
    .describe('Days over 90 that the trips have had, up to `on`; a planned stay is none of them.'),
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
})
export type DayCheck = z.output<typeof DayCheck>

export const RULE =
  'Regulation (EU) 2016/399, Art. 6: at most 90 days in any 180-day period, entry and exit days counted. Stays under a residence permit or long-stay visa and bilateral visa waivers are not known here: the caller must leave them out. A border guard decides.'
