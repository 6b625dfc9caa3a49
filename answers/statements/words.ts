import { DateTime } from 'luxon'
import type { QueueWait, StatusFields } from '../../config/answer-schemas.ts'
import { CROWD_SOURCE } from '../../config/publishers.ts'
import type { Source } from '../../config/sources.ts'
import { zoneOf } from '../../config/time-zones/local-time.ts'
import type { Basis } from '../../config/vocabulary.ts'
import { clockOn } from './local-clock.ts'
import { localTime } from './local-time.ts'
import { agoText, namedBy, sentenceOf, sourceText, travellersText } from './text.ts'

/** Sentences of the page of an airport, for a traveller in a hurry. */

/** The name of the zone in words, "Eastern Standard Time"; that of the IANA where its offset has no words, only a number. */
function zoneWords(time: DateTime, timezone: string): string {
  const words = time.offsetNameLong
  return words === null || words.startsWith('GMT') ? timezone : words
}

/** The time at an airport with the name of its zone: `09:20, Eastern Standard Time`. */
export function localNow(
  now: number,
  timezone: string,
): { clock: string; day: string; shortDay: string; zone: string } {
  const time = DateTime.fromMillis(now, { zone: zoneOf(timezone) }).setLocale('en')
  const offset = time.toFormat('ZZ').replace('-', '−')
  return {
    clock: time.toFormat('HH:mm'),
    day: time.toFormat('cccc d LLLL'),
    shortDay: time.toFormat('ccc d LLL'),
    zone: `${zoneWords(time, timezone)}, UTC${offset}`,
  }
}

const OBSERVED_WORDS: Partial<Record<Basis, string>> = { measured: 'Measured', reported: 'Reported' }

/** The wait of a queue in two or three words. */
export function waitFigure({
  average_wait_minutes,
  status,
}: Pick<QueueWait, 'average_wait_minutes' | 'status'>): string {
  if (status === 'closed') return 'closed'
  return average_wait_minutes === null ? 'not known' : `${average_wait_minutes} min`
}

/** The source of a wait: `Measured 3 min ago by Port of Seattle.` */
export function waitProvenance(wait: QueueWait): string {
  const { basis, age_seconds, source, unavailable_reason, status, freshness, travellers } = wait
  if (status === 'closed') {
    const { status_basis, status_age_seconds, status_source } = wait
    if (status_basis === 'predicted') return 'By its hours of the days before.'
    const ago = agoText(status_age_seconds)
    return `${status_basis === 'reported' ? 'Reported' : 'Stated'}${ago} by ${sourceText(status_source)}.`
  }
  if (wait.average_wait_minutes === null || basis === null)
    return unavailable_reason === null ? 'No reason is given.' : sentenceOf(unavailable_reason)
  const observed = OBSERVED_WORDS[basis]
  if (observed === undefined) return `An estimate, not measured: ${sourceText(source)}.`
  const ago = agoText(age_seconds)
  const caution = freshness === 'stale' ? ' That is old: the queue may have changed.' : ''
  if (source === CROWD_SOURCE) return `${observed}${ago} by ${travellersText(travellers)}.${caution}`
  return `${observed}${ago}${namedBy(source ?? '', sourceText(source))}.${caution}`
}

/** The source of an observed wait, for a message that may arrive late: its clock stays true. `Measured by Port of Seattle 3 min ago, at 09:15 local time.` */
export function observedAtText(
  { basis, source, observed_at }: { basis: 'measured' | 'reported'; source: string; observed_at: string },
  timezone: string,
  now: number,
): string {
  const seen = Date.parse(observed_at)
  const named = basis === 'reported' ? 'travellers' : sourceText(source)
  const by = named.length > 60 ? `${named.slice(0, 59)}…` : named
  const clock = localTime(seen, timezone).slice(11, 16)
  return `${OBSERVED_WORDS[basis]}${namedBy(source, by)}${agoText((now - seen) / 1_000)}, at ${clock} local time.`
}

/** When a closed queue opens: `opens about 03:15`; empty if it is not known. */
export function opensText(
  { reopens_at, reopens_basis }: Pick<StatusFields, 'reopens_at' | 'reopens_basis'>,
  timezone: string,
  now: number,
): string {
  if (reopens_at === null) return ''
  const clock = clockOn(reopens_at, timezone, now)
  return reopens_basis === 'measured' ? `opens at ${clock}` : `opens about ${clock}`
}

/** A record with fewer hours says little about the next ones. */
export const MIN_JUDGED_HOURS = 300

/** What a source is read for. */
export const SOURCE_KINDS: Record<Source['kind'], string> = {
  security: 'Security waits',
  immigration: 'Immigration waits',
  checkin: 'Check-in waits',
  customs: 'Customs waits',
  delays: 'Delays',
  metar: 'Weather: METAR',
  taf: 'Weather: TAF',
  alerts: 'Weather alerts',
  zones: 'Zones of weather alerts',
  places: 'Places',
}
