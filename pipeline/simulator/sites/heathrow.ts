import { DateTime } from 'luxon'
import { HOUR_MS } from '../../../config/domain.ts'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import { bandOfWidth, sometimes, staleMinutes, waitInBand, withoutReading } from './published-waits.ts'
import {
  expectedReadings,
  json,
  minuteOf,
  type Posting,
  postingsOf,
  type Site,
  type SiteContext,
  text,
} from './site.ts'

const SOURCES: Record<string, string> = { securitywaittime: 'lhr-pihub', immigrationwaittime: 'lhr-immigration' }

/** LHR: one answer per terminal for security and for passport control, ranges with a named unit; for its own page only. */
export const heathrow: Site = {
  hosts: ['api-dp-prod.dp.heathrow.com'],
  answer: ({ path, headers }, context) => {
    const [, what = '', terminal] = path.match(/^\/pihub\/(\w+)\/ByTerminal\/([2-5])$/) ?? []
    const source = SOURCES[what]
    if (source === undefined) return null
    if (headers.origin !== 'https://www.heathrow.com') return text('Forbidden', 403)
    const postings = postingsOf(source, context).filter(({ queue }) => queue.terminal === terminal)
    const readable = postings.map((posting) => (isStale(posting, context) ? withoutReading(posting) : posting))
    return {
      ...json(postings.map((posting) => row(posting, context))),
      expected: expectedReadings(readable, minuteOf(context.now), (minutes, posting) =>
        waitInBand(boundsOf(minutes, posting, context)),
      ),
    }
  },
}

/** Whether the sensor has failed: its row then keeps the numbers of hours ago. */
const isStale = ({ queue, published }: Posting, context: SiteContext): boolean =>
  published.state === 'unknown' ||
  (published.state === 'open' && sometimes(context, `${queue.id} stale`, 0.01, HOUR_MS))

/** The lower end is sometimes negative: then only the upper end is known. */
function boundsOf(minutes: number, { queue }: Posting, context: SiteContext) {
  const band = bandOfWidth(minutes, queue.kind === 'security' ? 5 : 15)
  return sometimes(context, `${queue.id} negative`, 0.03) ? { ...band, low: null } : band
}

function row(posting: Posting, context: SiteContext): object {
  const { queue, published } = posting
  const stale = isStale(posting, context)
  const { low, high } = boundsOf(published.minutes ?? staleMinutes(posting), posting, context)
  const at = DateTime.fromMillis(minuteOf(context.now) - (stale ? 6 * HOUR_MS : 0), { zone: zoneOf('Europe/London') })
  const measured = (name: string, value: number | null) => ({ name, value, unitOfMeasurement: { name: 'minute' } })
  const message =
    low === null ? `Up to ${high} minutes` : low === 0 ? `Less than ${high} minutes` : `${low} to ${high} minutes`
  return {
    lastUpdated: at.toFormat("yyyy-MM-dd'T'HH:mm:ss"),
    isDataStale: stale,
    queueType: { code: queue.kind },
    checkpointFacility: {
      checkpointFacilityType: { code: queue.fields.type },
      terminalFacility: { code: queue.terminal },
      ...(queue.fields.area === '' ? {} : { area: queue.fields.area }),
    },
    queueMeasurements: [measured('maximumWaitTime', high), measured('minimumWaitTime', low ?? -1)],
    waitTimeRangeMinutes: low === null ? '' : `${low}-${high}`,
    waitTimeMessage: published.state === 'closed' ? 'Closed' : message,
  }
}
