import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { makeDataFolder, writeWhole } from './files.ts'
import { isForbidden, readOrdinaryText, readOrdinaryTextSync } from './ordinary-file.ts'

const Mark = z.strictObject({ simulated: z.boolean() })

/**
 * Whether a data folder holds simulated data; null for a folder without data. A mark that was lost or damaged is read from the
 * published snapshots, which say the same.
 * @throws HoldshortError WAREHOUSE_CORRUPT when the mark is damaged and nothing else shows it.
 */
export async function readSimulatedMark(dataDir: string): Promise<boolean | null> {
  const { world, snapshots } = dataPaths(dataDir)
  try {
    return Mark.parse(JSON.parse(await readOrdinaryText(world))).simulated
  } catch (cause) {
    const published = await publishedWorld(snapshots)
    if (published !== null) return published
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return null
    if (isForbidden(cause)) throw cause
    const text = `${world} is damaged, so that nobody knows whether ${dataDir} holds simulated data; write {"simulated":false} or {"simulated":true} into it`
    throw new HoldshortError('WAREHOUSE_CORRUPT', text, { cause })
  }
}

/** Whether the newest snapshot that says so is simulated; null if none does. */
async function publishedWorld(snapshots: string): Promise<boolean | null> {
  for (const name of (await readdir(snapshots).catch(() => [])).sort().reverse()) {
    const manifest = await readOrdinaryText(join(snapshots, name, 'manifest.json')).catch(() => '')
    const simulated = /"simulated": ?(true|false)/.exec(manifest)?.[1]
    if (simulated !== undefined) return simulated === 'true'
  }
  return null
}

/**
 * Requires that the mark says what the published snapshots say, for the doctor. The warehouse file is compared with it at each attachment.
 * @throws HoldshortError WORLD_MISMATCH
 */
export async function requirePublishedWorld(dataDir: string): Promise<void> {
  const { world, snapshots } = dataPaths(dataDir)
  const marked = markedWorld(dataDir)
  const published = await publishedWorld(snapshots)
  if (marked === null || published === null || marked === published) return
  throw worldChanged(world, marked, published, `the snapshots in ${snapshots}`)
}

const nameOf = (simulated: boolean) => (simulated ? 'simulated' : 'live')

/** The error of a mark that says other than the data. */
export const worldChanged = (world: string, marked: boolean, found: boolean, where: string): HoldshortError =>
  new HoldshortError(
    'WORLD_MISMATCH',
    `${world} says that the data are ${nameOf(marked)}, but ${where} are ${nameOf(found)}; write ${JSON.stringify({ simulated: found })} into ${world}`,
  )

/** The value of the mark itself, without a pause; null if it is missing or damaged. */
export function markedWorld(dataDir: string): boolean | null {
  try {
    return Mark.parse(JSON.parse(readOrdinaryTextSync(dataPaths(dataDir).world))).simulated
  } catch {
    return null
  }
}

/** Writes the mark again where it was lost or damaged. */
async function restoreMark(dataDir: string, simulated: boolean): Promise<void> {
  const { world } = dataPaths(dataDir)
  const text = JSON.stringify({ simulated })
  if ((await readOrdinaryText(world).catch(() => null))?.trim() === text) return
  try {
    await rm(world, { recursive: true, force: true })
    await writeWhole(world, text)
  } catch {
    // It is tried again at the next start.
  }
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
  if (marked === simulated) return restoreMark(settings.data_dir, simulated)
  const [present, wanted] = [nameOf(marked), nameOf(simulated)]
  throw new HoldshortError(
    'WORLD_MISMATCH',
    `${settings.data_dir} holds ${present} data; ${wanted} data must go to another folder (HOLDSHORT_DATA_DIR or --data-dir)`,
  )
}
