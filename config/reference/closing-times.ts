import { z } from 'zod'
import { referenceFile } from './define-reference.ts'
import { Evidence, evidence } from './evidence.ts'

/** Minutes before departure. Null: the page does not say. */
const Minutes = z.int().min(5).max(240).nullable()
const Closing = z.strictObject({ check_in: Minutes, bag_drop: Minutes, gate: Minutes })

/** When an airline closes check-in, bag drop and gate. */
export const ClosingTimes = z.strictObject({
  airline: z
    .string()
    .length(2)
    .nullable()
    .describe('IATA code; null for the general rule, which counts for airlines that are not listed.'),
  name: z.string().min(1),
  domestic: Closing,
  international: Closing,
  short_haul: Closing.nullable().describe(
    'International flights of up to 4,000 km, where the airline closes later for them.',
  ),
  airports: z
    .record(z.string().regex(/^[A-Z]{3}$/), z.int())
    .describe('Airports of departure where check-in and bag drop close earlier, with the minutes.'),
  page: z
    .url()
    .nullable()
    .describe('The page of the airline itself; null: the times are from others, or a general rule.'),
  ...Evidence.shape,
})
export type ClosingTimes = z.infer<typeof ClosingTimes>

/** The general rule and the airlines whose closing times a page states, written by hand with their pages. */
export const CLOSING_TIMES_FILE = referenceFile('closing-times', ClosingTimes)

/** The airlines with rows of their own. */
const CLOSING_TIMES: readonly ClosingTimes[] = CLOSING_TIMES_FILE.rows().filter(({ airline }) => airline !== null)

/** The rule for airlines without a row of their own, and for what a row leaves open. */
export const GENERAL_CLOSING_TIMES = CLOSING_TIMES_FILE.rows().find(({ airline }) => airline === null)!

/** Airports that refuse travellers at the entrance of security this long before departure. */
export const SECURITY_ENTRY_CLOSES: Readonly<Record<string, { minutes: number } & Evidence>> = {
  LHR: {
    minutes: 35,
    ...evidence('https://morepremium.com/do-not-arrive-too-late-for-security-control-at-london-heathrow/', null),
  },
}

const byAirline = new Map(CLOSING_TIMES.map((times) => [times.airline, times]))

/** The closing times of an airline; undefined when no page is known. */
export const closingTimesOf = (airline: string): ClosingTimes | undefined => byAirline.get(airline)
