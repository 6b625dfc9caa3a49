import { z } from 'zod'
import type { Lane } from '../../config/vocabulary.ts'
import { flagOf } from '../parsing/flags-and-ages.ts'
import { Anything, matchShape, parseJson, readJson, rowsAt, textOf } from '../parsing/json.ts'
import { levelIn } from '../parsing/posted-waits.ts'
import { jsonRequest, onlyAirport } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** The three checkpoints by the keys of the feed; the second key of each is its PreCheck lane. */
const CHECKPOINTS: { key: string; checkpoint: string; lane: Lane }[] = ['a', 'b', 'c'].flatMap((key) => [
  { key, checkpoint: key.toUpperCase(), lane: 'all' },
  { key: `${key}pre`, checkpoint: key.toUpperCase(), lane: 'precheck' },
])

const First = z.object({ field_json: Anything })
const Levels = z.record(z.string(), z.unknown())

/**
 * Cleveland publishes levels, not minutes (seen 2026-08). They are kept as text, and the check `level_without_minutes`
 * reports them. Aggregators turn them into 15, 30 and 35 minutes, which nobody measured.
 */
export const cleLevels = waitCollector({
  id: 'cle-levels',
  request: ({ source }) => [jsonRequest(source.url, onlyAirport(source))],
  read: (payload) => {
    const [first] = readJson(payload.body, rowsAt())
    if (first === undefined) return []
    // The field holds an object, or the JSON text of one.
    const { field_json } = matchShape(first, First)
    const levels = matchShape(typeof field_json === 'string' ? parseJson(field_json) : field_json, Levels)
    return CHECKPOINTS.flatMap(({ key, checkpoint, lane }) => {
      const published = levels[key]
      // A flag under PreCheck's key says that there is such a lane, not how long it is.
      if (published === undefined || published === null || flagOf(published) !== null) return []
      const text = textOf(published)
      const isLevel = levelIn(text) !== null
      const isClosed = text.toLowerCase() === 'closed'
      if (!isLevel && !isClosed)
        payload.report.at(`[0].field_json.${key}`).warning('wait_text_unknown', 'The wait text is unknown.', published)
      const statusByLevel = isLevel ? 'open' : 'unknown'
      return [
        {
          ...payload.unknownReading,
          checkpoint,
          lane,
          wait_text: text || null,
          status: isClosed ? 'closed' : statusByLevel,
        },
      ]
    })
  },
})
