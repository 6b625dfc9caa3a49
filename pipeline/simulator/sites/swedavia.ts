import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import { bandOfWidth, secondsOf, sometimes, staleMinutes, withSeconds } from './published-waits.ts'
import { expectedReadings, json, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

/** Longer queues reach beyond the sensors. */
const OVERFLOW_MINUTES = 25
/** The number beside "at least 25 min" (seen 2026-08). */
const OVERFLOW_SECONDS = 960
/** The number in a row that must not be shown (45 minutes). */
const FILLER_SECONDS = 2_700

/** ARN and GOT: seconds per station and a band as text; sometimes everything is switched off, sometimes keys begin with a capital. */
export const swedavia: Site = {
  hosts: ['www.swedavia.com'],
  answer: ({ path }, context) => {
    const iata = path.match(/^\/services\/queuetimes\/v2\/airport\/en\/([A-Z]{3})\/true$/)?.[1]
    if (iata === undefined) return null
    const postings = withSeconds(postingsOf('swedavia-keyless', context, iata), context)
    if (postings.length === 0) return json({ message: `Airport ${iata} not supported` }, 400)
    const paused = sometimes(context, `${iata} paused`, 0.01, HOUR_MS)
    const rows = postings.map((posting) => row(posting, paused, context))
    const answer = {
      queueTimesDisabled: paused,
      queueTimesReplacementMessage: paused ? 'Queue times are not available at the moment.' : '',
      queueTimesList: rows,
    }
    const hasCapitals = sometimes(context, `${iata} capitals`, 0.03, DAY_MS / 4)
    const sent = hasCapitals ? { ...capitals(answer), QueueTimesList: rows.map(capitals) } : answer
    return { ...json(sent), expected: paused ? [] : expectedReadings(postings, null, waitOf) }
  },
}

function waitOf(minutes: number) {
  if (minutes > OVERFLOW_MINUTES)
    return { wait_minutes: null, wait_minutes_low: OVERFLOW_MINUTES, wait_minutes_high: null }
  const { low, high } = bandOfWidth(minutes, 5)
  return { wait_minutes: minutes, wait_minutes_low: low, wait_minutes_high: high }
}

function row(posting: Posting, paused: boolean, context: SiteContext): Record<string, unknown> {
  const { queue, published } = posting
  const overflow = published.state === 'open' && published.minutes > OVERFLOW_MINUTES
  const { low, high } = bandOfWidth(published.minutes ?? 0, 5)
  // A station without a reading is disabled, or has no number.
  const isDisabled = published.state === 'unknown' && sometimes(context, `${queue.id} disabled`, 0.5)
  const seconds = published.state === 'closed' ? staleMinutes(posting) * 60 : secondsOf(posting)
  const interval = overflow
    ? `at least ${OVERFLOW_MINUTES} min`
    : published.state === 'open'
      ? `${low}-${high} min`
      : ''
  return {
    id: Number(queue.fields.id),
    terminalId: queue.terminal === '' ? [] : [queue.terminal],
    name: queue.fields.name,
    locationName: queue.terminal === '' ? queue.checkpoint : `Terminal ${queue.terminal}`,
    displayNameEnglish: queue.checkpoint,
    interval: paused || isDisabled ? '' : interval,
    currentProjectedQueueTime: paused || isDisabled ? FILLER_SECONDS : overflow ? OVERFLOW_SECONDS : seconds,
    isFastTrack: queue.lane === 'priority',
    isDisabled,
    overflow,
    isStationClosed: published.state === 'closed',
  }
}

/** Keys that begin with a capital, as in 2023. */
const capitals = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value]))
