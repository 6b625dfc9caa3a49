import { z } from 'zod'
import { wallClock } from '../parsing/clocks.ts'
import { Anything, Text } from '../parsing/json.ts'
import { readMinutes, statusOfFlag } from '../parsing/posted-waits.ts'
import { jsonRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const Period = z.object({
  messageDate: Text,
  messageTime: Text,
  averageWaitingTime: Anything,
  securityLaneOpen: Anything,
})
const localClock = wallClock('d.M.yyyy H:mm', 'd.M.yyyy H:mm:ss')

/**
 * Helsinki: one row per period of the day, coming periods included. Those are forecasts, so only the newest row that is
 * not after the fetch is read. A row with an unreadable time is left out, because it may be a forecast.
 */
export const helFinavia = waitCollector({
  id: 'hel-finavia',
  request: ({ source }) => [jsonRequest(source.url, null)],
  read: (payload) => {
    const periods = payload.readJsonRows(['SecDepartureHall'], Period, (period, report) => {
      const text = `${period.messageDate} ${period.messageTime}`
      const observed_at = localClock(text, payload.zone, payload.fetched_at)
      const message = 'The time cannot be read; the row may be a forecast and is left out.'
      if (observed_at === null) return report.at('messageTime').warning('time_unreadable', message, text)
      return { period, report, observed_at }
    })
    const [newest] = periods
      .filter(({ observed_at }) => Date.parse(observed_at) <= Date.parse(payload.fetched_at))
      .sort((a, b) => Date.parse(b.observed_at) - Date.parse(a.observed_at))
    if (newest === undefined) return []
    const { period, report, observed_at } = newest
    return [
      {
        ...payload.unknownReading,
        checkpoint: 'Departure security',
        observed_at,
        observed_at_basis: 'source',
        wait_minutes: readMinutes(period.averageWaitingTime, 'minutes', report.at('averageWaitingTime')),
        status: statusOfFlag(period.securityLaneOpen, report.at('securityLaneOpen')),
      },
    ]
  },
})
