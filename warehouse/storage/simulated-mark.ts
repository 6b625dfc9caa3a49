import { mkdir, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { writeWhole } from './files.ts'

const World = z.strictObject({ simulated: z.boolean() })

/** Whether a data folder holds simulated data; null for a folder without data. */
export async function worldOf(dataDir: string): Promise<boolean | null> {
  const text = await readFile(dataPaths(dataDir).world, 'utf8').catch(() => null)
  return text === null ? null : World.parse(JSON.parse(text)).simulated
}

/**
 * Marks a new data folder as live or simulated, and refuses to mix the two in one.
 * @throws HoldshortError WORLD_MISMATCH
 */
export async function enterWorld(settings: Pick<Settings, 'data_dir' | 'simulated_world'>): Promise<void> {
  const simulated = settings.simulated_world !== undefined
  const known = await worldOf(settings.data_dir)
  if (known === null) {
    await mkdir(settings.data_dir, { recursive: true })
    await writeWhole(dataPaths(settings.data_dir).world, JSON.stringify({ simulated }))
  } else if (known !== simulated) {
    const [holds, asked] = known ? ['simulated', 'live'] : ['live', 'simulated']
    throw new HoldshortError(
      'WORLD_MISMATCH',
      `${settings.data_dir} holds ${holds} data; ${asked} data must go to another folder (HOLDSHORT_DATA_DIR or --data-dir)`,
    )
  }
}
