import { DateTime } from 'luxon'
import { HOUR_MS } from '../../../config/domain.ts'
import { banded, bandOfWidth, oldMinutes, silent, sometimes } from './published-waits.ts'
import { emissions, json, minuteOf, type Post, postsOf, type Site, type Stage, text } from './site.ts'

const SOURCES: Record<string, string> = { securitywaittime: 'lhr-pihub', immigrationwaittime: 'lhr-immigration' }

/** LHR: one answer a terminal for security and for the border, bands with a named unit; asked only from its own page. */
export const heathrow: Site = {
  hosts: ['api-dp-prod.dp.heathrow.com'],
  answer: ({ path, headers }, stage) => {
    const [, what = '', terminal] = path.match(/^\/pihub\/(\w+)\/ByTerminal\/([2-5])$/) ?? []
    const source = SOURCES[what]
    if (source === undefined) return null
    if (headers.origin !== 'https://www.heathrow.com') return text('Forbidden', 403)
    const posts = postsOf(source, stage).filter(({ queue }) => queue.terminal === terminal)
    const told = posts.map((post) => (staleNow(post, stage) ? silent(post) : post))
    return {
      ...json(posts.map((post) => row(post, stage))),
      emits: emissions(told, minuteOf(stage.now), (minutes, post) => banded(boundsOf(minutes, post, stage))),
    }
  },
}

/** A sensor that has gone: its row stays, with the number of hours ago. */
const staleNow = ({ queue, posting }: Post, stage: Stage): boolean =>
  posting.says === 'silent' || (posting.says === 'minutes' && sometimes(stage, `${queue.id} stale`, 0.01, HOUR_MS))

/** The least wait is now and then negative: then only the most is known. */
function boundsOf(minutes: number, { queue }: Post, stage: Stage) {
  const band = bandOfWidth(minutes, queue.kind === 'security' ? 5 : 15)
  return sometimes(stage, `${queue.id} negative`, 0.03) ? { ...band, low: null } : band
}

function row(post: Post, stage: Stage): object {
  const { queue, posting } = post
  const stale = staleNow(post, stage)
  const { low, high } = boundsOf(posting.minutes ?? oldMinutes(post), post, stage)
  const at = DateTime.fromMillis(minuteOf(stage.now) - (stale ? 6 * HOUR_MS : 0), { zone: 'Europe/London' })
  const measured = (name: string, value: number | null) => ({ name, value, unitOfMeasurement: { name: 'minute' } })
  const message =
    low === null ? `Up to ${high} minutes` : low === 0 ? `Less than ${high} minutes` : `${low} to ${high} minutes`
  return {
    lastUpdated: at.toFormat("yyyy-MM-dd'T'HH:mm:ss"),
    isDataStale: stale,
    queueType: { code: queue.kind },
    checkpointFacility: {
      checkpointFacilityType: { code: queue.words.type },
      terminalFacility: { code: queue.terminal },
      ...(queue.words.area === '' ? {} : { area: queue.words.area }),
    },
    queueMeasurements: [measured('maximumWaitTime', high), measured('minimumWaitTime', low ?? -1)],
    waitTimeRangeMinutes: low === null ? '' : `${low}-${high}`,
    waitTimeMessage: posting.says === 'closed' ? 'Closed' : message,
  }
}
