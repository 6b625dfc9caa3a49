import { isoUtc } from '../../../config/domain.ts'
import { closedAsUnknown, secondsOf, withSeconds } from './published-waits.ts'
import { expectedReadings, json, minuteOf, postingsOf, type Site } from './site.ts'

/** OSL: seconds for security and passport control in one list; an unavailable wait is 0. */
export const avinor: Site = {
  hosts: ['www.avinor.no'],
  answer: ({ path }, context) => {
    if (path !== '/api/v1/airportsecurity/waittime/OSL') return null
    const at = minuteOf(context.now)
    const postings = withSeconds(closedAsUnknown(postingsOf('avinor-osl', context)), context)
    const rows = postings.map((posting) => {
      const { iata, fields } = posting.queue
      const seconds = secondsOf(posting)
      const timeSecond = seconds ?? 0
      const minutes = Math.round(timeSecond / 60)
      const clock = `${Math.floor(timeSecond / 60)}:${String(timeSecond % 60).padStart(2, '0')}`
      return {
        airportIata: iata,
        area: fields.area,
        location: fields.location || null,
        timeSecond,
        timeText: seconds === null ? '0' : clock,
        isAvailable: seconds !== null,
        lastUpdated: isoUtc(at),
        timeMinutesRounded: minutes,
        timeTextMinutes: seconds === null ? '' : `${minutes} min`,
      }
    })
    return { ...json(rows), expected: expectedReadings(postings, at) }
  },
}
