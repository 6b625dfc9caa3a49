import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { airportDirectory } from '../../config/airports/directory.ts'
import { SettingsError } from '../../config/errors.ts'
import { dataPaths, environmentName, Settings } from '../../config/settings.ts'
import { allSources } from '../../config/sources.ts'
import { browserExecutables } from '../../pipeline/transport/browser-executables.ts'
import { loadSnapshot } from '../../warehouse/serving/snapshot/load.ts'
import { freeBytes } from '../../warehouse/storage/retention.ts'
import { readSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { settingsFor } from '../runtime/environment.ts'
import { print, textTable } from '../runtime/output.ts'

interface Finding {
  check: string
  ok: boolean
  /** The finding, and if something is wrong, what to do. */
  says: string
}

async function runCheck(check: string, inspect: () => Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, says: await inspect() }
  } catch (error) {
    return { check, ok: false, says: (error as Error).message }
  }
}

/** A folder itself, or the nearest one above it that exists: the doctor looks and creates nothing. */
const existingFolder = (folder: string): string => (existsSync(folder) ? folder : existingFolder(dirname(folder)))

const SETTINGS_NAMES = Object.keys(Settings.shape).map(environmentName).join(', ')

async function findings(dataDir: string | undefined): Promise<Finding[]> {
  const node = await runCheck('Node.js', async () => {
    if (Number(process.versions.node.split('.')[0]) < 20)
      throw new Error(`${process.version}; Node.js 20 or newer is required`)
    return process.version
  })
  let settings: Settings
  try {
    settings = settingsFor(dataDir === undefined ? {} : { dataDir })
  } catch (error) {
    const says = error instanceof SettingsError ? error.message : String(error)
    return [node, { check: 'settings', ok: false, says: `${says}\nknown settings: ${SETTINGS_NAMES}` }]
  }
  const paths = dataPaths(settings.data_dir)
  return [
    node,
    { check: 'settings', ok: true, says: `data in ${settings.data_dir}, port ${settings.port}` },
    await runCheck('data folder', async () => {
      const existing = existingFolder(paths.root)
      await access(existing, constants.W_OK)
      if (existing !== paths.root) return 'does not exist yet; `holdshort start` creates it'
      const simulated = await readSimulatedMark(paths.root)
      if (simulated === null) return 'empty'
      return simulated ? 'holds simulated data' : 'holds live data'
    }),
    await runCheck('disk', async () => {
      const free = await freeBytes(existingFolder(paths.root))
      if (free < settings.min_free_bytes)
        throw new Error(`${free} bytes free; below ${settings.min_free_bytes}, raw captures are not stored`)
      return `${(free / 1e9).toFixed(1)} GB free`
    }),
    await runCheck('snapshot', async () => {
      const snapshot = await loadSnapshot(paths.snapshots)
      return snapshot ? `${snapshot.id}, readable` : 'none published yet'
    }),
    await runCheck('airport directory', async () => `${airportDirectory().all.length} airports`),
    await runCheck(
      'sources',
      async () => `${allSources().filter((source) => source.active).length} of ${allSources().length} active`,
    ),
    await runCheck('browser', async () => {
      for await (const choice of browserExecutables(settings.chromium_path))
        return `${choice.executable} (${choice.origin})`
      throw new Error(
        'none found; set HOLDSHORT_CHROMIUM_PATH or install Chromium: sources that need a browser are skipped',
      )
    }),
  ]
}

/** `holdshort doctor`: checks whether this installation can work, and says what to fix. */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'Check settings, data folder, disk, snapshot, directory, sources and browser. Exit code 1 if a check fails.',
    )
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the result as JSON')
    .action(async (flags: { dataDir?: string; json?: boolean }) => {
      const found = await findings(flags.dataDir)
      print(found, flags.json, () =>
        textTable(
          ['check', '', 'says'],
          found.map(({ check, ok, says }) => [check, ok ? 'ok' : 'WRONG', says]),
        ),
      )
      if (found.some(({ ok }) => !ok)) process.exitCode = 1
    })
}
