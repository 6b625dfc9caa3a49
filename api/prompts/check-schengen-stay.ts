import { z } from 'zod'
import { findAirport } from '../../answers/questions/find-airport.ts'
import { airportArgument, definePrompt, formerCodeText, type PromptStep } from './define-prompt.ts'

const STAYS_FORMAT =
  'must be stays like 2026-06-01/2026-07-15, separated by commas; a stay that has not ended ends with the slash'
const MAX_STAY_DAYS = 999

const date = z.iso.date('must be a date that exists, like 2026-12-20')

/** Reads `2026-06-01/2026-07-15`, or `2026-11-01/` for a stay that has not ended; null for any other text. */
function readStay(text: string): { entry: string; exit?: string } | null {
  const [entry = '', exit, ...rest] = text.trim().split('/')
  if (exit === undefined || rest.length > 0) return null
  if (!date.safeParse(entry).success) return null
  if (exit === '') return { entry }
  return date.safeParse(exit).success ? { entry, exit } : null
}

/** Stays separated by commas; an empty text means no stays. */
const stays = z.string().transform((text, context) => {
  if (text.trim() === '') return []
  const read = text.split(',').map(readStay)
  if (read.every((stay) => stay !== null)) return read
  context.addIssue(STAYS_FORMAT)
  return z.NEVER
})

export const checkSchengenStayPrompt = definePrompt({
  name: 'check_schengen_stay',
  title: 'Check a stay in the Schengen area',
  description: 'Whether a planned stay is within 90 days in 180, and what to expect at the border.',
  input: z.strictObject({
    entry: date.describe('First day of the planned stay, like 2026-12-20.'),
    days: z
      .string()
      .trim()
      .regex(/^\d{1,3}$/, 'must be a whole number of days')
      .transform(Number)
      .refine((days) => days >= 1 && days <= MAX_STAY_DAYS, `must be 1 to ${MAX_STAY_DAYS}`)
      .optional()
      .describe('Length of the stay in days, entry and exit counted; default: the longest allowed.'),
    trips: stays
      .default([])
      .describe('Stays of the last 180 days and all booked ones, like 2026-06-01/2026-07-15, 2027-02-01/2027-02-10.'),
    airport: airportArgument.optional().describe('IATA code of the airport of entry, like ZRH.'),
  }),
  completes: { airport: 'airport' },
  example: { entry: '2026-12-20', days: '20', trips: '2026-06-01/2026-07-15, 2026-09-01/2026-09-10', airport: 'ZRH' },
  plan({ entry, days, trips, airport: code }, context) {
    const airport = code === undefined ? null : findAirport(code, context)
    const planned = days === undefined ? { entry } : { entry, days }
    const steps: PromptStep[] = [
      {
        tool: 'check_schengen_days',
        arguments: { trips, planned },
        purpose: 'count the days and check the planned stay',
      },
    ]
    if (airport) {
      const { iata } = airport
      steps.push(
        { tool: 'get_ees_wait_times', arguments: { iata }, purpose: 'see what is known about its border queue' },
        { tool: 'get_ees_forecast', arguments: { iata }, purpose: 'see the next 24 hours, if I travel then' },
      )
    }
    const length = days === undefined ? 'as long as is allowed' : `for ${days} days`
    const arrival = airport ? `, arriving at ${airport.name} (${airport.iata})` : ''
    const question =
      trips.length === 0
        ? 'I was in the area in the 180 days before or have booked other stays, because I named none'
        : 'these are all my stays in the 180 days before and all that I have booked'
    return {
      task: `${formerCodeText(code, context)}Check whether I may enter the Schengen area on ${entry} and stay ${length}${arrival}.`,
      steps,
      answer: `First ask me whether ${question}, and whether I hold a residence permit, a long-stay visa or a passport of a member state: the 90-day rule does not apply to those. Then answer with \`advice\`: yes or no, the day by which I must leave, and if it is no, by how many days the stay or a booked trip must be shorter, or the first entry that allows all of it (if that is null, say that no date does). A border guard decides.`,
    }
  },
})
