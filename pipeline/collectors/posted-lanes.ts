import { z } from 'zod'
import type { Lane } from '../../config/vocabulary.ts'
import type { RequestContext } from '../parsing/collector.ts'
import { Anything, matchShape, readEntries, readJson, Text, textOf } from '../parsing/json.ts'
import { knownLane } from '../parsing/lanes.ts'
import { postedWait, statusOfClosing, statusUnlessClosed } from '../parsing/posted-waits.ts'
import { jsonRequest, onlyAirport, SCRIPT_HEADERS } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** Pages whose address answers with JSON when it is requested as their script does: posted words per checkpoint and lane. */
const scriptRequest = ({ source }: RequestContext) => [jsonRequest(source.url, onlyAirport(source), SCRIPT_HEADERS)]

/** The two lanes of an entry: the field of each wait, and the flag that switches it off. */
const MWAA_LANES = [
  { lane: 'standard', wait: 'waittime', off: 'isDisabled' },
  { lane: 'precheck', wait: 'pre', off: 'pre_disabled' },
] as const satisfies { lane: Lane; wait: string; off: string }[]

const MwaaAnswer = z.object({ response: z.object({ res: Anything }) })
/** IAD's "Terminal 1( )" is a name whose gates were left out. */
const MwaaNamePart = Text.transform((part) => part.replace(/\s*\(\s*\)/g, ''))
const MwaaEntry = z
  .object({
    location: MwaaNamePart,
    gates: MwaaNamePart,
    waittime: Anything,
    isDisabled: Anything,
    pre: Anything,
    pre_disabled: Anything,
  })
  .refine(({ location, gates }) => location !== '' || gates !== '')

/** Washington's DCA and IAD (seen 2026-08). */
export const mwaa = waitCollector({
  id: 'mwaa',
  request: scriptRequest,
  read: (payload) => {
    const { res } = readJson(payload.body, MwaaAnswer).response
    // PHP writes an empty map as an empty list.
    const entries = Array.isArray(res) && res.length === 0 ? {} : matchShape(res, z.record(z.string(), z.unknown()))
    const report = payload.report.at('response').at('res')
    return readEntries(Object.entries(entries), report, MwaaEntry, (entry, entryReport) => {
      const checkpoint = [entry.location, entry.gates].filter(Boolean).join(', ')
      // A checkpoint does not offer the lane whose word is missing; that is not a lane without a wait.
      const offered = MWAA_LANES.filter(({ wait }) => ['string', 'number'].includes(typeof entry[wait]))
      return offered.map(({ lane, wait, off }) => {
        const posted = postedWait(textOf(entry[wait]), entryReport.at(wait))
        return {
          ...payload.unknownReading,
          terminal: checkpoint.match(/^Terminal (\w+)/)?.[1] ?? '',
          checkpoint,
          lane,
          ...posted,
          status: statusUnlessClosed(posted.status, entry[off], entryReport.at(off)),
        }
      })
    })
  },
})

const PdxAnswer = z.object({ NorthCheckpointClosed: Anything, SouthCheckpointClosed: Anything })
const PdxCounter = z.object({
  CounterName: Text.pipe(z.string().regex(/^(North|South)\w+$/)),
  DisplayText: Text,
})

/**
 * Portland: four counters, with side and lane in one word. `DisplayText` is the wait; the dwell and occupancy numbers
 * beside it are other quantities (224 next to a displayed 8; seen 2026-07 and 2026-08).
 */
export const pdxTsa = waitCollector({
  id: 'pdx-tsa',
  request: scriptRequest,
  read: (payload) => {
    const answer = readJson(payload.body, PdxAnswer)
    return payload.readJsonRows(['WaitTimes'], PdxCounter, (counter, report) => {
      const side = counter.CounterName.startsWith('North') ? 'North' : 'South'
      const lane = knownLane(counter.CounterName.slice(side.length), report.at('CounterName'))
      if (lane === null) return null
      const posted = postedWait(counter.DisplayText, report.at('DisplayText'))
      const field = `${side}CheckpointClosed` as const
      const statusOfSide = statusOfClosing(answer[field], payload.report.at(field))
      return {
        ...payload.unknownReading,
        checkpoint: side,
        lane,
        ...posted,
        status: statusOfSide === 'open' ? posted.status : statusOfSide,
      }
    })
  },
})
