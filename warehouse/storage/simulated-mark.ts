import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { makeDataFolder, writeWhole } from './files.ts'

/** The file that marks a data folder as live or simulated. */
const Mark = z.strictObject({ simulated: z.boolean() })

/** Whether a data folder holds simulated data; null for a folder without data. */
export async function readSimulatedMark(dataDir: string): Promise<boolean | null> {
  const text = await readFile(dataPaths(dataDir).world, 'utf8').catch(() => null)
  return text === null ? null : Mark.parse(JSON.parse(text)).simulated
}

/**
 * Marks a new data folder as live or simulated, and rejects settings that would mix the two in one folder.
 * @throws HoldshortError WORLD_MISMATCH
 */
export async function checkSimulatedMark(settings: Pick<Settings, 'data_dir' | 'simulated_world'>): Promise<void> {
  const simulated = settings.simulated_world !== undefined
  const marked = await readSimulatedMark(settings.data_dir)
  if (marked === null) {
    await makeDataFolder(settings.data_dir)
    await writeWhole(dataPaths(settings.data_dir).world, JSON.stringify({ simulated }))
    return
  }
  if (marked === simulated) return
  const present = marked ? 'simulated' : 'live'
  const wanted = simulated ? 'simulated' : 'live'
  throw new HoldshortError(
    'WORLD_MISMATCH',
    `${settings.data_dir} holds ${present} data; ${wanted} data must go to another folder (HOLDSHORT_DATA_DIR or --data-dir)`,
  )
}
