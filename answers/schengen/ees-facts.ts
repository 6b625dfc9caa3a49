import { z } from 'zod'
import { BORDER_WAIT_PUBLISHERS, EES_FACTS, EesFact } from '../../config/reference/schengen.ts'

/** The facts that still apply: since when the system runs, and how a state or a crossing point may suspend it. */
const STILL_APPLIES = /^(gradual start|fully in operation|after this date a state may|a crossing point with excessive)/

export const EesStatus = z.strictObject({
  facts: z
    .array(EesFact)
    .describe('Since when the system runs and how it may be suspended, each with source and date.'),
  newest_fact_date: z.string().describe('Date of the newest fact on file about the system.'),
  note: z.string(),
})

/** Which travellers the system registers, and which queue a figure describes. */
export const EES_SCOPE =
  'The Entry/Exit System registers non-EU travellers on short stays at external borders, not in Cyprus or Ireland. A figure is the wait at the passport queue as its publisher counts it, rarely of registrations alone.'

/** The reference facts about the system itself; no feed publishes them. */
export function eesStatus(): z.input<typeof EesStatus> {
  const rows = EES_FACTS.rows()
  const newest_fact_date = rows
    .flatMap(({ date }) => date.match(/\d{4}-\d{2}(-\d{2})?/g) ?? [])
    .sort()
    .at(-1)!
  return {
    facts: rows.filter(({ fact }) => STILL_APPLIES.test(fact)),
    newest_fact_date,
    note: `The facts here date from ${newest_fact_date} or earlier; whether checks are suspended anywhere now is not known.`,
  }
}

/** The known publishers of border waits of a Schengen airport. */
export const publishersOf = (iata: string) =>
  BORDER_WAIT_PUBLISHERS.rows().filter(({ schengen, airports }) => schengen && airports.includes(iata))
