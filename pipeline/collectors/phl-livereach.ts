import { z } from 'zod'
import type { Lane } from '../../config/vocabulary.ts'
import { Anything, Name, optionalObject } from '../parsing/json.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest, onlyAirport, SCRIPT_HEADERS } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/**
 * The zones that are checkpoints, among some fourteen that are not. Public notes disagree on the lane of 5052, and split
 * neither 5047 nor 5068: one wait for all lanes.
 */
const ZONES = new Map<string, { terminal: string; lane: Lane }>([
  ['4126', { terminal: 'D/E', lane: 'precheck' }],
  ['3971', { terminal: 'D/E', lane: 'standard' }],
  ['4377', { terminal: 'A-West', lane: 'standard' }],
  ['4386', { terminal: 'A-East', lane: 'precheck' }],
  ['4368', { terminal: 'A-East', lane: 'standard' }],
  ['5047', { terminal: 'B', lane: 'all' }],
  ['5052', { terminal: 'C', lane: 'all' }],
  ['5068', { terminal: 'F', lane: 'all' }],
])

/** Zone, minutes and perhaps bounds, without names. */
const Row = z
  .array(z.unknown())
  .transform(([zone, minutes, bounds]): unknown => ({ zone, minutes, bounds }))
  .pipe(
    z.object({
      zone: Name,
      minutes: Anything,
      bounds: optionalObject({ lower_bound: Anything, upper_bound: Anything }),
    }),
  )

/**
 * Philadelphia: rows of zone, minutes and perhaps bounds (seen 2026-08). It goes on serving the last numbers of a
 * checkpoint that has closed, without a status or a time: the status stays unknown.
 */
export const phlLivereach = waitCollector({
  id: 'phl-livereach',
  request: ({ source }) => [
    jsonRequest(source.url, onlyAirport(source), { Referer: `${new URL(source.url).origin}/`, ...SCRIPT_HEADERS }),
  ],
  read: (payload) =>
    payload.readJsonRows(['content', 'rows'], Row, ({ zone, minutes, bounds }, report) => {
      const queue = ZONES.get(zone)
      if (queue === undefined) return null
      const boundsReport = report.at(2)
      return {
        ...payload.unknownReading,
        ...queue,
        wait_minutes: readMinutes(minutes, 'minutes', report.at(1)),
        wait_minutes_low: readMinutes(bounds?.lower_bound, 'minutes', boundsReport.at('lower_bound')),
        wait_minutes_high: readMinutes(bounds?.upper_bound, 'minutes', boundsReport.at('upper_bound')),
      }
    }),
})
