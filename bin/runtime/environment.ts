import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { dataPaths, readSettings, type Settings } from '../../config/settings.ts'
import { OF_THE_DISK } from '../../warehouse/storage/files.ts'
import { isForbidden } from '../../warehouse/storage/ordinary-file.ts'

/** The flags that override a setting. */
interface SettingFlags {
  dataDir?: string | undefined
  port?: string | number | undefined
}

/**
 * Settings of a command: the environment variables, overridden by the command's flags.
 * @throws HoldshortError DATA_FOLDER_UNUSABLE when the data folder is something else.
 */
export function settingsFor(flags: SettingFlags = {}): Settings {
  const settings = anySettings(flags)
  const { data_dir } = settings
  const fault = faultOf(data_dir)
  if (fault !== null) throw new HoldshortError('DATA_FOLDER_UNUSABLE', `${data_dir} cannot be used: ${fault}`)
  return settings
}

/** Why a data folder cannot be used; null if it can, or is not there. What may not be read would look damaged, empty or gone. */
function faultOf(dataDir: string): string | null {
  try {
    if (!statSync(dataDir).isDirectory()) return 'it is not a folder'
    accessSync(dataDir, constants.R_OK | constants.X_OK)
    return null
  } catch (error) {
    return isForbidden(error) ? 'this user may not read it; run the command as the user of the service' : null
  }
}

/** The settings, whatever the data folder is. */
export function anySettings(flags: SettingFlags): Settings {
  return readSettings({
    ...process.env,
    ...(flags.dataDir === undefined ? {} : { HOLDSHORT_DATA_DIR: flags.dataDir }),
    ...(flags.port === undefined ? {} : { HOLDSHORT_PORT: String(flags.port) }),
  })
}

/** Whether a folder that may be read has nothing of anybody in it. */
function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).every((name) => name === OF_THE_DISK)
  } catch {
    return false
  }
}

/** Whether a folder has any part of an installation: a command that reads would make one, empty, in a folder of somebody. */
function holdsInstallation(dataDir: string): boolean {
  const { raw, warehouse, snapshots, models, state, state_marker, pepper, world, unfinished_restore } =
    dataPaths(dataDir)
  const parts = [raw, warehouse, snapshots, models, state, state_marker, pepper, world, unfinished_restore]
  return parts.some((path) => existsSync(path))
}

/** The settings of a command that needs a data folder. @throws UsageError where there is none, so that none is created */
export function settingsOfExisting(flags: { dataDir?: string } = {}): Settings {
  const settings = settingsFor(flags)
  if (existsSync(settings.data_dir)) return settings
  throw noInstallation(settings, 'does not exist')
}

/** The settings of a command that only reads what is there. @throws UsageError where there is no data folder, or nothing in it */
export function settingsOfInstallation(flags: { dataDir?: string } = {}): Settings {
  const settings = settingsOfExisting(flags)
  // With a bucket, the folder of a machine may hold nothing yet.
  if (settings.store !== 'folder') return settings
  if (isEmptyFolder(settings.data_dir)) throw noInstallation(settings, 'is empty')
  if (!holdsInstallation(settings.data_dir)) throw noInstallation(settings, 'holds nothing of an installation')
  return settings
}

const noInstallation = ({ data_dir }: Settings, fault: string) =>
  new UsageError(
    `data-dir: ${data_dir} ${fault}; name the folder of an installation with --data-dir or HOLDSHORT_DATA_DIR`,
  )

/** The environment for a child process with the same settings; `over` adds or replaces variables. */
export function environmentOf(settings: Settings, over: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...process.env, HOLDSHORT_DATA_DIR: settings.data_dir, HOLDSHORT_PORT: String(settings.port), ...over }
}
