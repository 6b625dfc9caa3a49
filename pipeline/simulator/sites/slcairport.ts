import { DateTime } from 'luxon'
import { chance, keyOf } from '../model/noise.ts'
import { secondsAround } from './published-waits.ts'
import { emissions, minuteOf, type Post, postsOf, type Site, text } from './site.ts'

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

/** SLC: one estimate in minutes and in words, a forecast by the hour, PreCheck lanes without a number; JSON called HTML. */
export const slcairport: Site = {
  hosts: ['slcairport.com'],
  answer: ({ path }, stage) => {
    if (path !== '/ajaxtsa/waittimes') return null
    const at = minuteOf(stage.now)
    const [airport, ...precheck] = postsOf('slc-official', stage) as [Post, ...Post[]]
    const local = DateTime.fromMillis(at, { zone: 'America/Denver' })
    const answer = {
      ...PLACE,
      utc: -7,
      rightnow: airport.posting.minutes,
      rightnow_description: wordsOf(airport, at),
      user_reported: 0,
      precheck: 1,
      faa_alerts: NO_ALERTS,
      estimated_hourly_times: forecast(local),
      precheck_checkpoints: {
        'Terminal 1': Object.fromEntries(
          precheck.map(({ queue, posting }) => [queue.checkpoint, posting.says === 'closed' ? 'Closed' : 'Open']),
        ),
      },
    }
    const shut = precheck.filter(({ posting }) => posting.says === 'closed')
    return {
      ...text(JSON.stringify(answer, null, 2), 200, 'text/html; charset=UTF-8'),
      emits: emissions([airport, ...shut], null),
    }
  },
}

/** "26 minutes and 36 seconds", of which the number is rounded. */
function wordsOf({ queue, posting }: Post, at: number): string {
  if (posting.minutes === null) return ''
  const sixths = Math.ceil(secondsAround(queue.id, posting.minutes, at) / 6)
  const seconds = Math.min(sixths * 6, posting.minutes * 60 + 24)
  const [whole, rest] = [Math.floor(seconds / 60), seconds % 60]
  return rest === 0 ? `${whole} minutes` : `${whole} minutes and ${rest} seconds`
}

const half = (hour: number) => `${hour % 12 === 0 ? 12 : hour % 12} ${hour % 24 < 12 ? 'am' : 'pm'}`

function forecast(local: DateTime): object[] {
  const key = keyOf(`SLC ${local.toISODate()}`)
  return Array.from({ length: 24 }, (_, hour) => ({
    timeslot: `${half(hour)} - ${half(hour + 1)}`,
    waittime: Math.round(hour < 4 ? 40 * chance(key, hour) : 50 + 200 * chance(key, hour)) / 10,
    hour,
  }))
}
