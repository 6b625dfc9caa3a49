import { inClocksOf } from '../../answers/statements/clock-style.ts'
import { behindText } from '../../answers/statements/spread.ts'
import { airportPlace } from '../../answers/statements/text.ts'
import { observedAtText } from '../../answers/statements/words.ts'
import type { AlertRow } from '../../api/state/tables.ts'
import type { QueueWait } from '../../config/answer-schemas.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import type { ObservedWait } from './observed-wait.ts'

/** The content of a push message, which the service worker shows. */
export interface AlertMessage {
  title: string
  body: string
  /** Path of this site that it opens. */
  url: string
  /** A newer message replaces an older one with the same tag. */
  tag: string
  at: string
}

/** The message of an alert that fires. Simulated figures are announced first. */
export function alertMessage(
  { id, iata, terminal, direction, threshold_minutes }: AlertRow,
  observed: ObservedWait,
  {
    timezone,
    country,
    simulated,
    now,
    queue,
  }: { timezone: string; country: string; simulated: boolean; now: number; queue: QueueWait },
): AlertMessage {
  const { wait_minutes, condition } = observed
  const title = `${airportPlace(iata, terminal)} security: ${wait_minutes} min${condition} (${direction} your ${threshold_minutes})`
  const observedText = observedAtText(observed, timezone, now)
  const behind = terminal === null ? behindText(wait_minutes, queue, timezone, now) : ''
  // The reader's clock format is unknown, so this uses that of the airport's country, as pictures do.
  const body = inClocksOf(country, behind === '' ? observedText : `${behind}. ${observedText}`)
  return {
    title: simulated ? `SIMULATED: ${title}` : title,
    body: simulated ? `From a simulated world: do not travel by it. ${body}` : body,
    url: '/alerts',
    tag: id,
    at: isoUtc(now),
  }
}

/** The message of a test that a person requests. */
export function testMessage(label: string, now: number): AlertMessage {
  return {
    title: 'Holdshort: a test',
    body: `Alerts reach ${label}.`,
    url: '/alerts',
    tag: 'test',
    at: isoUtc(now),
  }
}
