import { z } from 'zod'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'
import { HALLS, type Hall } from '../catalogue/index.ts'
import { type HallHour, hallHour } from '../model/passport-halls.ts'
import { filled, timeSlots } from './feed.ts'
import type { Slots } from './payload.ts'
import { json, type Site, text } from './site.ts'

/** The figures of an hour are published this long after it. */
export const CBP_LAG_MS = 2 * DAY_MS

const WaitTimeRequest = z.object({ Id: z.string(), FromDate: z.iso.date(), ToDate: z.iso.date() })

/** CBP: passport control by terminal and local hour of arrival, published two days later. */
export const cbp: Site = {
  hosts: ['awt.cbp.gov'],
  answer: ({ method, path, body }, { queues, now }) => {
    if (path !== '/api/waitTime') return null
    if (method !== 'POST') return text('Method Not Allowed', 405)
    const request = requestIn(body)
    if (!request) return json({ Message: 'The request is invalid.' }, 400)
    const { Id, FromDate, ToDate } = request
    const halls = HALLS.filter((hall) => hall.iata === Id || hall.site_id === Id)
    const rows = halls.flatMap((hall) =>
      hallHours(queues.seed, hall, dayOf(FromDate), dayOf(ToDate), now - CBP_LAG_MS).map((hour) => row(hall, hour)),
    )
    return filled('cbp-awt.json', { hours: rows })
  },
}

function requestIn(body: string): z.infer<typeof WaitTimeRequest> | null {
  try {
    return WaitTimeRequest.parse(JSON.parse(body))
  } catch {
    return null
  }
}

const dayOf = (date: string) => Date.parse(date) / DAY_MS

/** The hours of a hall with flights between two local days, up to an instant. */
export function hallHours(seed: number, hall: Hall, firstDay: number, lastDay: number, until: number): HallHour[] {
  const zone = airportDirectory().byIata.get(hall.iata)!.timezone
  const hours: HallHour[] = []
  for (let day = firstDay; day <= Math.min(lastDay, Math.floor(until / DAY_MS) + 1); day++) {
    for (let hour = 0; hour < 24; hour++) {
      const found = hallHour(seed, hall, zone, day, hour)
      if (found && found.start + 3_600_000 <= until) hours.push(found)
    }
  }
  return hours
}

/** The slots of a row with all of CBP's columns. */
function row(hall: Hall, hour: HallHour): Slots {
  const { usa, other } = hour
  const classes = usa.classes.map((count, index) => [`class_${index}`, count + other.classes[index]!])
  const local = timeSlots(hour.local_day * DAY_MS + hour.local_hour * HOUR_MS)
  return {
    ...hall,
    ...hour,
    ...Object.fromEntries(classes),
    ...local,
    end: timeSlots((hour.local_hour + 1) * HOUR_MS).utc,
    published: timeSlots(hour.start + CBP_LAG_MS).utc,
    longest: Math.max(usa.longest, other.longest),
    passengers: usa.passengers + other.passengers,
    usa_average: usa.average,
    usa_passengers: usa.passengers,
    usa_longest: usa.longest,
    other_average: other.average,
    other_passengers: other.passengers,
    other_longest: other.longest,
  }
}
