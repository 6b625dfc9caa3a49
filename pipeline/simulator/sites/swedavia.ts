import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import { bandOfWidth, oldMinutes, secondsOf, sometimes, toTheSecond } from './published-waits.ts'
import { emissions, json, type Post, postsOf, type Site, type Stage } from './site.ts'

/** Beyond this a queue is longer than its sensors see. */
const OVERFLOW_MINUTES = 25
/** What stood beside "at least 25 min" (seen 2026-08). */
const OVERFLOW_SECONDS = 960
/** 45 minutes: what is left in a row whose number is not to be shown. */
const FILLER_SECONDS = 2_700

/** ARN and GOT: seconds a station, a band in words; at times all is switched off, at times keys begin with a capital. */
export const swedavia: Site = {
  hosts: ['www.swedavia.com'],
  answer: ({ path }, stage) => {
    const iata = path.match(/^\/services\/queuetimes\/v2\/airport\/en\/([A-Z]{3})\/true$/)?.[1]
    if (iata === undefined) return null
    const posts = toTheSecond(postsOf('swedavia-keyless', stage, iata), stage)
    if (posts.length === 0) return json({ message: `Airport ${iata} not supported` }, 400)
    const paused = sometimes(stage, `${iata} paused`, 0.01, HOUR_MS)
    const rows = posts.map((post) => row(post, paused, stage))
    const answer = {
      queueTimesDisabled: paused,
      queueTimesReplacementMessage: paused ? 'Queue times are not available at the moment.' : '',
      queueTimesList: rows,
    }
    const old = sometimes(stage, `${iata} capitals`, 0.03, DAY_MS / 4)
    const told = old ? { ...capitals(answer), QueueTimesList: rows.map(capitals) } : answer
    return { ...json(told), emits: paused ? [] : emissions(posts, null, waitOf) }
  },
}

function waitOf(minutes: number) {
  if (minutes > OVERFLOW_MINUTES)
    return { wait_minutes: null, wait_minutes_low: OVERFLOW_MINUTES, wait_minutes_high: null }
  const { low, high } = bandOfWidth(minutes, 5)
  return { wait_minutes: minutes, wait_minutes_low: low, wait_minutes_high: high }
}

function row(post: Post, paused: boolean, stage: Stage): Record<string, unknown> {
  const { queue, posting } = post
  const overflow = posting.says === 'minutes' && posting.minutes > OVERFLOW_MINUTES
  const { low, high } = bandOfWidth(posting.minutes ?? 0, 5)
  // A station of which nothing is known is taken out, or has no number.
  const isDisabled = posting.says === 'silent' && sometimes(stage, `${queue.id} disabled`, 0.5)
  const seconds = posting.says === 'closed' ? oldMinutes(post) * 60 : secondsOf(post)
  const interval = overflow
    ? `at least ${OVERFLOW_MINUTES} min`
    : posting.says === 'minutes'
      ? `${low}-${high} min`
      : ''
  return {
    id: Number(queue.words.id),
    terminalId: queue.terminal === '' ? [] : [queue.terminal],
    name: queue.words.name,
    locationName: queue.terminal === '' ? queue.checkpoint : `Terminal ${queue.terminal}`,
    displayNameEnglish: queue.checkpoint,
    interval: paused || isDisabled ? '' : interval,
    currentProjectedQueueTime: paused || isDisabled ? FILLER_SECONDS : overflow ? OVERFLOW_SECONDS : seconds,
    isFastTrack: queue.lane === 'priority',
    isDisabled,
    overflow,
    isStationClosed: posting.says === 'closed',
  }
}

/** Keys as they were in 2023. */
const capitals = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value]))
