import { z } from 'zod'
import { iata } from '../questions/shared-fields.ts'

const travel = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .max(1_440)
    .optional()
    .describe(description)
    .meta({ examples: [example] })

/** A request for when to leave for a flight. */
export const LeaveByRequest = z.strictObject({
  iata,
  departure: z
    .string()
    .max(60)
    .describe(
      'Scheduled, in the airport’s local time (2026-11-25T17:30, `tomorrow 6am`) or with an offset. A time that occurs twice is the first.',
    )
    .meta({ examples: ['tomorrow 17:30'] }),
  destination: iata
    .optional()
    .describe('Airport of arrival: decides on borders and preclearance.')
    .meta({ examples: ['ZRH'] }),
  international: z
    .boolean()
    .optional()
    .describe('Default: by `destination`, else assumed.')
    .meta({ examples: [true] }),
  bags: z
    .union([z.boolean(), z.int().min(0).max(20)], 'must be true, false or a whole number from 0 to 20')
    .default(false)
    .describe('Checked bags: true, false or how many.')
    .meta({ examples: [true] }),
  check_in: z
    .enum(['online', 'desk'])
    .optional()
    .describe('desk: at the airport. Default: assumed online.')
    .meta({ examples: ['desk'] }),
  airline: z
    .string()
    .trim()
    .min(2)
    .max(60)
    .optional()
    .describe('IATA code or name, for its closing times.')
    .meta({ examples: ['DL'] }),
  terminal: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .optional()
    .describe('Enterprise: its own forecast.')
    .meta({ examples: ['4'] }),
  lane: z
    .enum(['standard', 'precheck', 'clear', 'priority'])
    .default('standard')
    .describe('Security lane.')
    .meta({ examples: ['precheck'] }),
  ees: z
    .boolean()
    .optional()
    .describe(
      'Registered by the Entry/Exit System on leaving Schengen; false: EU and Schengen passports, and residents. Default: assumed true.',
    )
    .meta({ examples: [false] }),
  preclearance: z
    .boolean()
    .optional()
    .describe('US immigration before departure, at few airports; default: by `destination`.')
    .meta({ examples: [false] }),
  travel_minutes: travel('Your way to the airport; without it, leaving is being there.', 45),
  travel_p90_minutes: travel('The same on one bad day in ten; not below `travel_minutes`.', 60),
  confidence: z
    .number()
    .min(0.5)
    .max(0.99)
    .default(0.95)
    .describe('Required probability.')
    .meta({ examples: [0.95] }),
})
export type LeaveByRequest = z.output<typeof LeaveByRequest>
