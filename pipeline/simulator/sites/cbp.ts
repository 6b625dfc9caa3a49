import { DateTime } from 'luxon'
import { z } from 'zod'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { DAY_MS } from '../../../config/domain.ts'
import { HALLS } from '../catalogue/index.ts'
import type { Hall } from '../catalogue/queue.ts'
import { type HallHour, hallHour } from '../model/passport-halls.ts'
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
    return json({ Items: rows })
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

const two = (value: number) => String(value).padStart(2, '0')

/** A row with all of CBP's columns, in the order of its export. */
function row(hall: Hall, hour: HallHour): object {
  const { usa, other } = hour
  const classes = usa.classes.map((count, at) => count + other.classes[at]!)
  const date = new Date(hour.local_day * DAY_MS).toISOString().slice(0, 10)
  return {
    AirportCode: hall.iata,
    AirportName: hall.airport_name,
    Average_0_15_PassengerCount: classes[0],
    Average_121_PassengerCount: classes[6],
    Average_16_30_PassengerCount: classes[1],
    Average_31_45_PassengerCount: classes[2],
    Average_46_60_PassengerCount: classes[3],
    Average_61_90_PassengerCount: classes[4],
    Average_91_120_PassengerCount: classes[5],
    AverageWait: hour.average,
    BoothsUsed: hour.booths,
    ExcludedPassengerCount: hour.excluded,
    FlightCount: hour.flights,
    FlightDate: date,
    GlobalEntryPassengerCount: hour.global_entry,
    HourRange: `${two(hour.local_hour)}00 - ${two((hour.local_hour + 1) % 24)}00`,
    LastUpdated: DateTime.fromMillis(hour.start + CBP_LAG_MS, { zone: 'utc' }).toFormat('yyyy-MM-dd HH:mm:ss'),
    MaxWait: Math.max(usa.longest, other.longest),
    NonUsaPassengerAverageWait: other.average,
    NonUsaPassengerCount: other.passengers,
    NonUsaPassengerMaxWait: other.longest,
    SiteId: hall.site_id,
    TerminalName: hall.terminal_name,
    TotalPassengerCount: usa.passengers + other.passengers,
    UsaPassengerAverageWait: usa.average,
    UsaPassengerCount: usa.passengers,
    UsaPassengerMaxWait: usa.longest,
  }
}
