import { DateTime } from 'luxon'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import { hashOf, uniform } from '../model/noise.ts'
import { secondsAround } from './published-waits.ts'
import { expectedReadings, minuteOf, type Posting, postingsOf, type Site, text } from './site.ts'

const PLACE = {
  code: 'SLC',
  name: 'Salt Lake City International',
  city: 'Salt Lake City',
  state: 'UT',
  latitude: '40.7861',
  longitude: '-111.98099',
}
const NO_ALERTS = {
  ground_stops: { reason: '', end_time: '' },
  ground_delays: { reason: '', average: '' },
  general_delays: { reason: '', trend: '' },
}

/** SLC: one estimate as a number and as text, an hourly forecast, PreCheck lanes without a number; JSON with the type of HTML. */
export const slcairport: Site = {
  hosts: ['slcairport.com'],
  answer: ({ path }, context) => {
    if (path !== '/ajaxtsa/waittimes') return null
    const at = minuteOf(context.now)
    const [airport, ...precheck] = postingsOf('slc-official', context) as [Posting, ...Posting[]]
    const local = DateTime.fromMillis(at, { zone: zoneOf('America/Denver') })
    const answer = {
      ...PLACE,
      utc: -7,
      rightnow: airport.published.minutes,
      rightnow_description: waitText(airport, at),
      user_reported: 0,
      precheck: 1,
      faa_alerts: NO_ALERTS,
      estimated_hourly_times: forecast(local),
      precheck_checkpoints: {
        'Terminal 1': Object.fromEntries(
          precheck.map(({ queue, published }) => [queue.checkpoint, published.state === 'closed' ? 'Closed' : 'Open']),
        ),
      },
    }
    const closed = precheck.filter(({ published }) => published.state === 'closed')
    return {
      ...text(JSON.stringify(answer, null, 2), 200, 'text/html; charset=UTF-8'),
      expected: expectedReadings([airport, ...closed], null),
    }
  },
}

/** "26 minutes and 36 seconds"; the number beside it is rounded. */
function waitText({ queue, published }: Posting, at: number): string {
  if (published.minutes === null) return ''
  const sixths = Math.ceil(secondsAround(queue.id, published.minutes, at) / 6)
  const seconds = Math.min(sixths * 6, published.minutes * 60 + 24)
  const whole = Math.floor(seconds / 60)
  const rest = seconds % 60
  return rest === 0 ? `${whole} minutes` : `${whole} minutes and ${rest} seconds`
}

const half = (hour: number) => `${hour % 12 === 0 ? 12 : hour % 12} ${hour % 24 < 12 ? 'am' : 'pm'}`

function forecast(local: DateTime): object[] {
  const key = hashOf(`SLC ${local.toISODate()}`)
  return Array.from({ length: 24 }, (_, hour) => ({
    timeslot: `${half(hour)} - ${half(hour + 1)}`,
    waittime: Math.round(hour < 4 ? 40 * uniform(key, hour) : 50 + 200 * uniform(key, hour)) / 10,
    hour,
  }))
}
