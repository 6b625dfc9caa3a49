import { z } from 'zod'
import { wallClock, zonedIsoClock } from '../parsing/clocks.ts'
import { isSet } from '../parsing/flags-and-ages.ts'
import { Anything, Name, readJson, Text, textOf } from '../parsing/json.ts'
import { postedWait, readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest, onlyAirport, pageHeaders } from '../parsing/requests.ts'
import { observedAt, waitCollector } from '../parsing/wait-collector.ts'

/** The own feeds of Canadian airports, beside the pages of the screening authority (`catsa.ts`). Each lists its checkpoints. */

const PearsonCheckpoint = z.object({
  nameEn: Name,
  departure: Anything,
  terminal: Text,
  lastUpdate: Text,
  waitTimeInSecond: Anything,
})

/** Toronto Pearson: seconds. Checkpoints for connecting passengers are not the queue of a departure (seen 2026-04). */
export const yyzPearson = waitCollector({
  id: 'yyz-pearson',
  request: ({ source }) => [jsonRequest(source.url, onlyAirport(source), { Referer: pageHeaders(source).Referer })],
  read: (payload) =>
    payload.readJsonRows(['checkpoints'], PearsonCheckpoint, (row, report) => {
      if (!isSet(row.departure)) return null
      return {
        ...payload.unknownReading,
        terminal: pearsonTerminal(row.terminal),
        checkpoint: row.nameEn,
        ...payload.observedAt(row.lastUpdate, zonedIsoClock, report.at('lastUpdate')),
        wait_minutes: readMinutes(row.waitTimeInSecond, 'seconds', report.at('waitTimeInSecond')),
      }
    }),
})

/** "1", "T1" and "Terminal 1" are one terminal, which CATSA calls T1. */
function pearsonTerminal(words: string): string {
  const digit = words.match(/^(?:t|terminal)?\s*(\d)$/i)?.[1]
  return digit === undefined ? words : `T${digit}`
}

const VancouverCheckpoint = z.object({ Terminal: Name, LastUpdatedDate: Anything, WaitTime: Anything })
const longEnglishDate = wallClock('EEEE, dd MMMM yyyy HH:mm:ss')

/** Vancouver: seconds as text, and a long English date in local time (seen 2026-04). */
export const yvrCatsa = waitCollector({
  id: 'yvr-catsa',
  request: ({ source }) => [jsonRequest(source.url, onlyAirport(source), { Referer: pageHeaders(source).Referer })],
  read: (payload) =>
    payload.readJsonRows(['value'], VancouverCheckpoint, (row, report) => ({
      ...payload.unknownReading,
      checkpoint: row.Terminal,
      ...payload.observedAt(row.LastUpdatedDate, longEnglishDate, report.at('LastUpdatedDate')),
      wait_minutes: row.WaitTime === '' ? null : readMinutes(row.WaitTime, 'seconds', report.at('WaitTime')),
    })),
})

const CalgaryWaits = z.object({ updatedAt: Anything, waittimes: z.record(z.string(), z.unknown()) })
const calgaryClock = wallClock("yyyy-MM-dd'T'HH:mm:ss.SSS", "yyyy-MM-dd'T'HH:mm:ss")

/**
 * Calgary, on port 8091: minutes as text by the name of the checkpoint, a local time without its zone. An invalid
 * certificate is a failed fetch and is never ignored (seen 2026-04).
 */
export const yycRms = waitCollector({
  id: 'yyc-rms',
  request: ({ source }) => [jsonRequest(source.url, onlyAirport(source), pageHeaders(source))],
  read: (payload) => {
    const { updatedAt, waittimes } = readJson(payload.body, CalgaryWaits)
    // The fraction of the second has six digits; a clock has three.
    const text = textOf(updatedAt).replace(/(\.\d{3})\d+$/, '$1')
    const instant = calgaryClock(text, payload.zone, payload.fetched_at)
    const observation = observedAt(instant, updatedAt, payload.fetched_at, payload.report.at('updatedAt'))
    return Object.entries(waittimes).flatMap(([name, wait]) => {
      const checkpoint = textOf(name)
      if (checkpoint === '') return []
      const report = payload.report.at('waittimes').at(checkpoint)
      return [{ ...payload.unknownReading, checkpoint, ...observation, ...postedWait(textOf(wait), report) }]
    })
  },
})
