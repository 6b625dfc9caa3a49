import { z } from 'zod'
import { BORDER_WAIT_PUBLISHERS, EES_FACTS, EesFact } from '../../../config/reference/schengen.ts'

/** Of all that became of the system, what holds on: since when it runs, and how a state or a crossing point may suspend it. */
const STANDING = /^(gradual start|fully in operation|after this date a state may|a crossing point with excessive)/

export const EesStatus = z.strictObject({
  facts: z.array(EesFact).describe('Since when it runs and how it may be suspended, each with source and date.'),
  newest_fact_date: z.string().describe('Date of the newest fact on file about the system.'),
  note: z.string(),
})

/** Whom the system registers, and what a figure is of. */
export const EES_SCOPE =
  'The Entry/Exit System registers non-EU travellers on short stays at external borders, not in Cyprus or Ireland. A figure is of the passport queue as its publisher counts it, seldom of registrations alone.'

/** What is known of the system itself, which no feed tells of. */
export function eesStatus(): z.input<typeof EesStatus> {
  const rows = EES_FACTS.rows()
  const newest_fact_date = rows
    .flatMap(({ date }) => date.match(/\d{4}-\d{2}(-\d{2})?/g) ?? [])
    .sort()
    .at(-1)!
  return {
    facts: rows.filter(({ fact }) => STANDING.test(fact)),
    newest_fact_date,
    note: `Nothing newer than ${newest_fact_date} is known here; whether checks are suspended anywhere now is not known.`,
  }
}

/** Who publishes border waits of a Schengen airport, if anyone is known to. */
export const publishersOf = (iata: string) =>
  BORDER_WAIT_PUBLISHERS.rows().filter(({ schengen, airports }) => schengen && airports.includes(iata))
