import { z } from 'zod'
import { isObject } from '../../config/json-object.ts'
import type { Lane } from '../../config/vocabulary.ts'
import { utcIsoClock } from '../parsing/clocks.ts'
import { numberOf } from '../parsing/flags-and-ages.ts'
import { Anything, Name, readJson, readRows, rowsAt } from '../parsing/json.ts'
import { type NoticeReporter, reportFillers, reportStale } from '../parsing/notices.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest, pageHeaders } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** Controls that are not a general lane (Palma's fast track, seen 2026-03). Their names are in another list. */
const LANES = new Map<string, Lane>([['LEPA_S0003', 'priority']])

const Control = z.object({ id: Name, last_wait_s: Anything, expires: Anything })

/**
 * AENA's indoor maps: seconds per access control, requested by ICAO code. A 0 is "not known", and the default beside it
 * is no measurement. After `expires` a number is out of date.
 */
export const aenaIndoor = waitCollector({
  id: 'aena-indoor',
  request: ({ source, airports, icaoOf }) =>
    airports.flatMap((iata) => {
      const icao = icaoOf(iata)
      return icao === null ? [] : jsonRequest(`${source.url}/${icao}/accesscontrols`, iata, pageHeaders(source))
    }),
  read: (payload) => {
    const controls = readJson(payload.body, rowsAt())
    const unknown = controls.filter((control) => isObject(control) && numberOf(control.last_wait_s) === 0)
    reportFillers(unknown.length, payload.report.at('[].default_wait_s'))
    return readRows(controls, payload.report, Control, (control, report) => {
      const isKnown =
        numberOf(control.last_wait_s) !== 0 && isCurrent(control.expires, payload.fetched_at, report.at('expires'))
      return {
        ...payload.unknownReading,
        checkpoint: control.id.replace(/^[A-Z]{4}_/, ''),
        lane: LANES.get(control.id) ?? 'all',
        wait_minutes: isKnown ? readMinutes(control.last_wait_s, 'seconds', report.at('last_wait_s')) : null,
      }
    })
  },
})

/** Whether a number is still current at the fetch. One with an unreadable end may be of any age, so it is not. */
function isCurrent(expires: unknown, fetched_at: string, report: NoticeReporter): boolean {
  const end = utcIsoClock(expires, 'utc', fetched_at)
  if (end !== null && Date.parse(end) >= Date.parse(fetched_at)) return true
  reportStale(expires ?? null, report)
  return false
}
