import { stat } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { Command } from 'commander'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { readNamedFile } from '../../config/named-file.ts'
import { sourceById } from '../../config/sources.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import { NO_EARLIER_READINGS } from '../../pipeline/collecting/recent-readings.ts'
import { checkAndStamp } from '../../pipeline/collecting/stamp-rows.ts'
import { collectorById } from '../../pipeline/collectors/index.ts'
import { parseBody, parseContext } from '../../pipeline/parsing/parse-body.ts'
import { airportFlag, instantFlag } from '../runtime/flags.ts'
import { addCommand } from '../runtime/help.ts'
import { printJson } from '../runtime/output.ts'

/** No source answers with a tenth of this; our own transport refuses 5 MB. */
const MAX_PAYLOAD_BYTES = 64 * 1_048_576

function bodyOf(file: string): Uint8Array {
  const bytes = readable(file, 'cannot be read', () => readNamedFile(file, MAX_PAYLOAD_BYTES))
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  return readable(file, 'is not a complete gzip file of up to 64 MB', () =>
    gunzipSync(bytes, { maxOutputLength: MAX_PAYLOAD_BYTES }),
  )
}

function readable(file: string, fault: string, read: () => Buffer): Buffer {
  try {
    return read()
  } catch (cause) {
    throw new UsageError(`file: ${file} ${fault} (${(cause as Error).message})`)
  }
}

async function fetchedAt(file: string, flag: string | undefined): Promise<string> {
  if (flag === undefined) return isoUtc((await stat(file)).mtimeMs)
  return isoUtc(instantFlag('--fetched-at', flag))
}

/** `holdshort sources parse`: shows the readings a collector's parser finds in a saved payload; for repairing a parser. */
export function addParse(sources: Command): void {
  addCommand(sources, 'sources parse')
    .argument('<source>', 'id of the source, e.g. sea-cwt')
    .argument('<file>', 'the saved response body (also .gz)')
    .option('--iata <code>', 'the requested airport, for sources with one request per airport')
    .option('--fetched-at <instant>', 'when it was fetched (default: the modification time of the file)')
    .action(async (id: string, file: string, flags: { iata?: string; fetchedAt?: string }) => {
      const source = sourceById(id)
      const onlyAirport = source.airports.length === 1 ? (source.airports[0] ?? null) : null
      const iata = flags.iata === undefined ? onlyAirport : airportFlag('--iata', flags.iata)
      const body = bodyOf(file)
      const capture = {
        capture_id: 'parse',
        iata,
        url: source.url,
        content_type: null,
        fetched_at: await fetchedAt(file, flags.fetchedAt),
      }
      const collector = collectorById(source.collector)
      const context = parseContext(source, capture)
      try {
        const parsed = parseBody(collector, body, context)
        const { rows, notices } = checkAndStamp(collector, parsed, source, capture, NO_EARLIER_READINGS)
        printJson({ readings: rows, notices })
      } catch (cause) {
        if (cause instanceof HoldshortError) printJson({ error: { code: cause.code, message: cause.message } })
        throw cause
      }
    })
}
