import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { BorderDirection } from '../../config/border-direction.ts'
import { dateWords } from '../../config/date-words.ts'
import { projectFile } from '../../config/paths.ts'
import { Iata, LocalDate } from '../../config/vocabulary.ts'

const Minutes = z.int().min(0).max(600)

/** p10, p50 and p90 in whole minutes. */
const Quantiles = z.tuple([Minutes, Minutes, Minutes])

const ErrorOfAirports = z.strictObject({
  /** Airports that were forecast; each counts alike. */
  airports: z.int().min(1),
  samples: z.int().min(1),
  mae_minutes: z.number(),
  coverage_80: z.number(),
  within_5: z.number(),
})

/** forecasting/prior/immigration.json: derived statistics only, written by `npm run learn -- prior --kind immigration`. */
export const ImmigrationPrior = z.strictObject({
  made_at: LocalDate,
  made_from: z.array(z.string()).min(1),
  licence: z.string(),
  /** Typical waits of a US airport (terminal '') or terminal with recent figures of its own. */
  own: z.strictObject({
    /** The hours that the tables were made from. */
    from: LocalDate,
    to: LocalDate,
    widened_by: z.number().min(1),
    /** Tables from the first half of each airport's hours, scored on the second half. */
    backtest: ErrorOfAirports,
    queues: z.array(
      z.strictObject({
        iata: Iata,
        terminal: z.string(),
        hours: z.int().min(1),
        /** Indexed by weekday × 24 + local hour, Monday first; null in an hour in which passengers hardly ever arrived. */
        table: z.array(Quantiles.nullable()).length(168),
      }),
    ),
  }),
  /** An unknown passport queue. */
  unseen: z.strictObject({
    quantiles: Quantiles,
    widened_by: z.number().min(1),
    /** Each airport forecast from the others. */
    leave_one_airport_out: ErrorOfAirports,
    /** The same with one table by local hour: hardly better, so that all hours have the same figures. */
    by_hour: ErrorOfAirports,
  }),
  /** The interval of the rule of short histories is widened by this factor. */
  rule: z.strictObject({ widened_by: z.number().min(1), backtest: ErrorOfAirports }),
})
export type ImmigrationPrior = z.infer<typeof ImmigrationPrior>

export const IMMIGRATION_PRIOR_FILE = ['forecasting', 'prior', 'immigration.json'] as const

let cached: { prior: ImmigrationPrior; own: Map<string, ImmigrationPrior['own']['queues'][number]> } | null = null

function loaded() {
  if (cached) return cached
  const prior = ImmigrationPrior.parse(JSON.parse(readFileSync(projectFile(...IMMIGRATION_PRIOR_FILE), 'utf8')))
  cached = { prior, own: new Map(prior.own.queues.map((queue) => [`${queue.iata}/${queue.terminal}`, queue])) }
  return cached
}

/** Typical waits of one passport queue, with what they come from and the error they had. */
export interface TypicalImmigration {
  version: string
  made_at: string
  /** p10, p50, p90 in minutes by ISO weekday (1–7) and local hour; null in an hour in which passengers hardly ever arrived. */
  quantilesAt: (isoWeekday: number, localHour: number) => readonly [number, number, number] | null
  backtest: z.infer<typeof ErrorOfAirports>
  /** The source of the figures and their error. */
  note: string
  /** Probability of a wait within 5 minutes of p50; null if the queue differs from those that were measured. */
  confidence: number | null
}

const EES_NOTE = 'No European border queue was among them, so the error there is not known'
/** The note on a direction of the border queues of a Schengen airport. */
const DIRECTION_NOTES: Record<BorderDirection, string> = {
  entry: `${EES_NOTE}.`,
  exit: `${EES_NOTE}; nor was any queue of people who leave.`,
  unknown: `${EES_NOTE}.`,
}

/** The typical waits of an airport (terminal '') or terminal of the US; an airport without recent figures has those of an unseen one. */
export function typicalImmigration(iata: string, terminal = ''): TypicalImmigration | null {
  const { prior, own } = loaded()
  const queue = own.get(`${iata}/${terminal}`)
  if (!queue) return terminal === '' ? unseenImmigration() : null
  const { from, to, backtest } = prior.own
  return {
    version: `prior:immigration-${iata}@${prior.made_at}`,
    made_at: prior.made_at,
    quantilesAt: (weekday, hour) => queue.table[(weekday - 1) * 24 + hour]!,
    backtest,
    note: `The usual wait of this hour of the week from ${dateWords(from)} to ${dateWords(to)}, as US Customs and Border Protection published it (public domain). Its error was measured at ${backtest.airports} US airports some months later; by now it may be larger.`,
    confidence: backtest.within_5,
  }
}

/** The typical waits of an unknown passport queue, or of a direction of one: the same at all hours. */
export function unseenImmigration(direction?: BorderDirection): TypicalImmigration {
  const { prior } = loaded()
  const { quantiles, leave_one_airport_out, by_hour } = prior.unseen
  return {
    version: `prior:immigration@${prior.made_at}`,
    made_at: prior.made_at,
    quantilesAt: () => quantiles,
    backtest: leave_one_airport_out,
    note: `Taken from arrival passport control at ${leave_one_airport_out.airports} US airports (US Customs and Border Protection, public domain); the error is that at a US airport left out (${leave_one_airport_out.mae_minutes.toFixed(1)} min). The hour of the day at other airports tells little (${by_hour.mae_minutes.toFixed(1)} min with it), so all hours have the same figures.${direction ? ` ${DIRECTION_NOTES[direction]}` : ''}`,
    confidence: null,
  }
}

/** The factor by which the rule of short histories widens its interval. */
export const ruleWidening = () => loaded().prior.rule.widened_by

/** Terminals of an airport that have a table of their own. */
export function typicalImmigrationTerminals(iata: string): string[] {
  const { queues } = loaded().prior.own
  return queues.flatMap((queue) => (queue.iata === iata && queue.terminal !== '' ? [queue.terminal] : []))
}
