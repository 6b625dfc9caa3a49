import { z } from 'zod'
import type { Airport } from '../airports/directory.ts'
import { AlertEffect } from '../vocabulary.ts'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

/** A kind of weather alert of the US National Weather Service that changes travel plans. */
const AlertEvent = z.strictObject({
  event: z.string().min(1).describe('The name of the event, as the service publishes it.'),
  words: z.string().min(1).describe('The same within a sentence.'),
  effect: AlertEffect.describe(
    'stops: flights may stop or be cancelled; disrupts: delays and cancellations are likely; may_come: a watch; slows: delays are possible.',
  ),
  ...Evidence.shape,
})

/** Kinds of alert in the order in which they change plans, written by hand. */
export const WEATHER_ALERTS_FILE = referenceFile('weather-alerts', AlertEvent)

const events = new Map(WEATHER_ALERTS_FILE.rows().map((row, rank) => [row.event, { ...row, rank }]))

/** A kind of alert with its place in the order, from 0; undefined if it is not listed. */
export const alertEvent = (event: string) => events.get(event)

/** States and territories for which the service issues alerts. */
const COUNTRIES: ReadonlySet<string> = new Set(['US', 'PR', 'VI', 'GU', 'MP', 'AS'])

/** Whether weather alerts are collected for an airport. */
export const hasWeatherAlerts = ({ country, scheduled_service }: Pick<Airport, 'country' | 'scheduled_service'>) =>
  scheduled_service && COUNTRIES.has(country)
