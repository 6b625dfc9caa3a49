import { webcrypto } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { type Table, tableFromIPC } from 'apache-arrow'
import { z } from 'zod'
import { HoldshortError } from '../../../config/errors.ts'
import type { ForecastBlock } from '../published/forecasts.ts'
import type { HistorySeries } from '../published/history.ts'
import type { SnapshotContent } from './content.ts'
import { snapshotReader } from './reader.ts'
import type { Snapshot } from './snapshot.ts'
import { currentSnapshotId, SNAPSHOT_FORMAT } from './write.ts'

const Manifest = z.object({
  id: z.string(),
  format: z.literal(SNAPSHOT_FORMAT),
  files: z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() })),
})

/**
 * Loads the current snapshot; null when none has been published. Requests are answered between its steps.
 * @throws HoldshortError SNAPSHOT_INVALID when a file is missing, altered or of another format.
 */
export async function loadSnapshot(snapshotsDir: string): Promise<Snapshot | null> {
  const id = await currentSnapshotId(snapshotsDir)
  if (!id) return null
  try {
    return await readSnapshot(join(snapshotsDir, id), id)
  } catch (error) {
    if (error instanceof HoldshortError) throw error
    throw new HoldshortError('SNAPSHOT_INVALID', `snapshot ${id}: ${(error as Error).message}`, { cause: error })
  }
}

async function readSnapshot(folder: string, id: string): Promise<Snapshot> {
  const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
  const read = async (name: string) => {
    const bytes = await readFile(join(folder, name))
    const digest = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')
    if (digest !== manifest.files[name]?.sha256) throw new Error(`${name} is not the file that was published`)
    return bytes
  }
  const parsed = async <T>(name: string) => {
    const value = JSON.parse((await read(name)).toString('utf8')) as T
    await breathe()
    return value
  }
  const facts = await parsed<Omit<SnapshotContent, 'forecasts' | 'history' | 'maps'>>('facts.json')
  const index = await parsed<Pick<ForecastBlock, 'models' | 'series'>>('forecasts.json')
  const values = tableFromIPC(await read('forecasts.arrow'))
  await breathe()
  const spans = await parsed<HistorySpan[]>('history.json')
  const maps = manifest.files['maps.txt'] ? mapTexts((await read('maps.txt')).toString('utf8')) : new Map()
  await breathe()
  const history = historyViews(spans, tableFromIPC(await read('history.arrow')))
  await breathe()
  const forecasts = {
    ...index,
    p10: column<Int16Array>(values, 'p10'),
    p50: column<Int16Array>(values, 'p50'),
    p90: column<Int16Array>(values, 'p90'),
    confidence: column<Uint8Array>(values, 'confidence'),
  }
  // Snapshots from before 2026-11-22 hold no TAFs, border forecasts and maps.
  const { tafs = [], border_forecasts = [] } = facts
  return snapshotReader(id, { ...facts, tafs, border_forecasts, maps, forecasts, history })
}

/** Lines of airport and JSON, which stays text until it is asked for: two megabytes of it would hold up answers. */
function mapTexts(text: string): SnapshotContent['maps'] {
  const lines = text.split('\n').slice(0, -1)
  return new Map(lines.map((line) => [line.slice(0, 3), line.slice(4)]))
}

function column<T>(table: Table, name: string): T {
  const vector = table.getChild(name)
  if (!vector) throw new Error(`column ${name} is missing`)
  return vector.toArray() as T
}

type HistorySpan = Pick<HistorySeries, 'iata' | 'terminal' | 'sources'> & { length: number }

function historyViews(spans: HistorySpan[], table: Table): HistorySeries[] {
  const whole = {
    hour: column<Int32Array>(table, 'hour'),
    mean: column<Int16Array>(table, 'mean'),
    p50: column<Int16Array>(table, 'p50'),
    p90: column<Int16Array>(table, 'p90'),
    max: column<Int16Array>(table, 'max'),
    samples: column<Int32Array>(table, 'samples'),
    source: column<Uint16Array>(table, 'source'),
  }
  let offset = 0
  return spans.map(({ iata, terminal, length, sources }) => {
    const [from, to] = [offset, offset + length]
    offset = to
    return {
      iata,
      terminal,
      sources,
      hour: whole.hour.subarray(from, to),
      mean: whole.mean.subarray(from, to),
      p50: whole.p50.subarray(from, to),
      p90: whole.p90.subarray(from, to),
      max: whole.max.subarray(from, to),
      samples: whole.samples.subarray(from, to),
      source: whole.source.subarray(from, to),
    }
  })
}
