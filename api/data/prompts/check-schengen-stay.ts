import { z } from 'zod'
import { findAirport } from '../queries/find-airport.ts'
import { airportArgument } from './arguments.ts'
import { definePrompt, type PromptStep } from './define.ts'

const STAYS = 'must be stays like 2026-06-01/2026-07-15, separated by commas; a stay that goes on ends with the slash'
const LONGEST_STAY = 365

const day = z.iso.date('must be a date that exists, like 2026-12-20')

/** `2026-06-01/2026-07-15, 2026-11-01/` as stays; nothing as none. */
const stays = z.string().transform((text, refusal) => {
  const parts = text.split(',').map((part) => part.trim().split('/'))
  if (text.trim() === '') return []
  const read = parts.map(([entry = '', exit, ...more]) => ({
    sound: exit !== undefined && more.length === 0 && [entry, exit || entry].every((one) => day.safeParse(one).success),
    stay: { entry, ...(exit ? { exit } : {}) },
  }))
  if (read.every(({ sound }) => sound)) return read.map(({ stay }) => stay)
  refusal.addIssue(STAYS)
  return z.NEVER
})

export const checkSchengenStayPrompt = definePrompt({
  name: 'check_schengen_stay',
  title: 'Check a stay in the Schengen area',
  description: 'Whether a planned stay is within 90 days in 180, and what to reckon with at the border.',
  input: z.strictObject({
    entry: day.describe('First day of the planned stay, like 2026-12-20.'),
    days: z
      .string()
      .trim()
      .regex(/^\d{1,3}$/, 'must be a whole number of days')
      .transform(Number)
      .refine((days) => days >= 1 && days <= LONGEST_STAY, `must be 1 to ${LONGEST_STAY}`)
      .optional()
      .describe('Its length in days, entry and exit counted; the longest allowed without it.'),
    trips: stays.default([]).describe('Stays of the last 180 days, like 2026-06-01/2026-07-15, 2026-09-01/2026-09-10.'),
    airport: airportArgument.optional().describe('IATA code of the airport of entry, like ZRH.'),
  }),
  completes: { airport: 'airport' },
  example: { entry: '2026-12-20', days: '20', trips: '2026-06-01/2026-07-15, 2026-09-01/2026-09-10', airport: 'ZRH' },
  plan({ entry, days, trips, airport }, context) {
    const place = airport === undefined ? null : findAirport(airport, context)
    const planned = days === undefined ? { entry } : { entry, days }
    const steps: PromptStep[] = [
      {
        tool: 'check_schengen_days',
        arguments: { trips, planned },
        purpose: 'count the days and judge the planned stay',
      },
    ]
    if (place) {
      const { iata } = place
      steps.push(
        { tool: 'get_ees_wait_times', arguments: { iata }, purpose: 'learn what is known of its border queue' },
        { tool: 'get_ees_forecast', arguments: { iata }, purpose: 'see the next 24 hours, if I travel then' },
      )
    }
    const length = days === undefined ? 'as long as is allowed' : `for ${days} days`
    return {
      task: `Check whether I may enter the Schengen area on ${entry} and stay ${length}${place ? `, arriving at ${place.name} (${place.iata})` : ''}.`,
      steps,
      answer: `First ask me whether ${trips.length === 0 ? 'I was in the area in the 180 days before, as no stay is given' : 'these are all my stays of the 180 days before'}, and whether I hold a residence permit, a long-stay visa or a passport of a member state: the count is not for those. Then tell me whether the stay is allowed, its last allowed day, and if it is not, the first entry that allows it. A border guard decides.`,
    }
  },
})
