import { access, constants, mkdir } from 'node:fs/promises'
import type { Command } from 'commander'
import { airportDirectory } from '../../config/airports/directory.ts'
import { SettingsError } from '../../config/errors.ts'
import { dataPaths, environmentName, Settings } from '../../config/settings.ts'
import { allSources } from '../../config/sources.ts'
import { browserChoices } from '../../pipeline/transport/browser-executables.ts'
import { loadSnapshot } from '../../warehouse/serving/snapshot/load.ts'
import { freeBytes } from '../../warehouse/storage/retention.ts'
import { worldOf } from '../../warehouse/storage/simulated-mark.ts'
import { print, settingsFor, textTable } from '../runtime/environment.ts'

interface Finding {
  check: string
  ok: boolean
  /** What was found, and where it is wrong, what to do. */
  says: string
}

async function find(check: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, says: await look() }
  } catch (error) {
    return { check, ok: false, says: (error as Error).message }
  }
}

const SETTINGS_NAMES = Object.keys(Settings.shape).map(environmentName).join(', ')

async function findings(dataDir: string | undefined): Promise<Finding[]> {
  const node = await find('Node.js', async () => {
    if (Number(process.versions.node.split('.')[0]) < 20) throw new Error(`${process.version}; 20 or newer is needed`)
    return process.version
  })
  let settings: Settings
  try {
    settings = settingsFor(dataDir === undefined ? {} : { dataDir })
  } catch (error) {
    const says = error instanceof SettingsError ? error.message : String(error)
    return [node, { check: 'settings', ok: false, says: `${says}\nknown: ${SETTINGS_NAMES}` }]
  }
  const paths = dataPaths(settings.data_dir)
  return [
    node,
    { check: 'settings', ok: true, says: `data in ${settings.data_dir}, port ${settings.port}` },
    await find('data folder', async () => {
      await mkdir(paths.root, { recursive: true })
      await access(paths.root, constants.W_OK)
      const world = await worldOf(paths.root)
      return world === null ? 'empty' : world ? 'holds simulated data' : 'holds live data'
    }),
    await find('disk', async () => {
      const free = await freeBytes(paths.root)
      if (free < settings.min_free_bytes)
        throw new Error(`${free} bytes free; below ${settings.min_free_bytes} raw captures are dropped`)
      return `${(free / 1e9).toFixed(1)} GB free`
    }),
    await find('snapshot', async () => {
      const snapshot = await loadSnapshot(paths.snapshots)
      return snapshot ? `${snapshot.id}, readable` : 'none published yet'
    }),
    await find('airport directory', async () => `${airportDirectory().all.length} airports`),
    await find(
      'sources',
      async () => `${allSources().filter((source) => source.active).length} of ${allSources().length} active`,
    ),
    await find('browser', async () => {
      for await (const choice of browserChoices(settings.chromium_path)) return `${choice.executable} (${choice.from})`
      throw new Error('none found; set HOLDSHORT_CHROMIUM_PATH or install Chromium: pages that need one are skipped')
    }),
  ]
}

/** `holdshort doctor`: whether this installation can work, and what to do where it cannot. */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'Check settings, data folder, disk, snapshot, directory, sources and browser. Exit code 1 when something is wrong.',
    )
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print as JSON')
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
