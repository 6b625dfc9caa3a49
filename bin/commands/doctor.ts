import type { Command } from 'commander'
import { airportDirectory } from '../../config/airports/directory.ts'
import { SettingsError } from '../../config/errors.ts'
import { environmentName, Settings } from '../../config/settings.ts'
import { rulesVersions } from '../../config/time-zones/rules.ts'
import { checkBrowser } from '../doctor/check-browser.ts'
import { checkClock, checkPort, checkPostgresql, checkRedis } from '../doctor/check-connections.ts'
import {
  checkDataFolder,
  checkDisk,
  checkForecasts,
  checkModels,
  checkSnapshot,
  checkSources,
  checkState,
  checkStatus,
  checkWarehouse,
} from '../doctor/check-folder.ts'
import { checkStore } from '../doctor/check-store.ts'
import { checkStripe } from '../doctor/check-stripe.ts'
import { checkTimeZones } from '../doctor/check-time-zones.ts'
import { type Finding, type Level, runCheck, type Verdict, warning, wrong } from '../doctor/finding.ts'
import { anySettings } from '../runtime/environment.ts'
import { helpOf } from '../runtime/help.ts'
import { sourcesOf } from '../runtime/installed-sources.ts'
import { print, textTable } from '../runtime/output.ts'

const LEVEL_TEXT: Record<Level, string> = { ok: 'ok', warning: 'warning', unknown: 'unknown', wrong: 'WRONG' }
const DEFAULT_CONTACT = Settings.parse({}).contact
const SETTINGS_NAMES = Object.keys(Settings.shape).map(environmentName).join(', ')

const LEGAL_TEXTS = ['privacy_file', 'terms_file', 'imprint_file'] as const

/** Anybody may sign up, so people want to know with whom. */
function checkLegalTexts(settings: Settings): Verdict {
  const unset = LEGAL_TEXTS.filter((name) => settings[name] === undefined).map(environmentName)
  if (unset.length === 0) return 'set'
  return warning(
    `accounts are open and these are not set: ${unset.join(', ')}; the pages say only what is true anywhere`,
  )
}

async function findings(dataDir: string | undefined): Promise<Finding[]> {
  const node = await runCheck('Node.js', async () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    if (major < 20 || (major === 20 && minor < 19))
      return wrong(`${process.version}; install Node.js 24 or 22 (20.19 works too)`)
    return process.version
  })
  let settings: Settings
  try {
    settings = anySettings(dataDir === undefined ? {} : { dataDir })
  } catch (error) {
    const says = error instanceof SettingsError ? error.message : String(error)
    return [node, { check: 'settings', level: 'wrong', ok: false, says: `${says}\nknown settings: ${SETTINGS_NAMES}` }]
  }
  const { redis_url, database_url, contact } = settings
  const published = await checkSnapshot(settings, Date.now())
  const active = new Set(sourcesOf(settings).flatMap((source) => (source.active ? [source.id] : [])))
  const checks: Promise<Finding>[] = [
    runCheck('settings', () => `data in ${settings.data_dir}, port ${settings.port}`),
    runCheck('contact', () =>
      contact === DEFAULT_CONTACT
        ? warning('not set; set HOLDSHORT_CONTACT, so that a publisher can reach you before it blocks you')
        : contact,
    ),
    runCheck('legal texts', () => checkLegalTexts(settings)),
    runCheck('data folder', () => checkDataFolder(settings)),
    runCheck('disk', () => checkDisk(settings)),
    runCheck('port', () => checkPort(settings)),
    database_url === undefined
      ? runCheck('state', () => checkState(settings))
      : runCheck('PostgreSQL', () => checkPostgresql(settings, database_url)),
    ...(settings.store === 'folder' ? [] : [runCheck('store', () => checkStore(settings))]),
    ...(redis_url === undefined ? [] : [runCheck('Redis', () => checkRedis(redis_url))]),
    ...(settings.stripe_secret_key === undefined ? [] : [runCheck('Stripe', () => checkStripe(settings))]),
    runCheck('warehouse', () => checkWarehouse(settings)),
    runCheck('models', () => checkModels(settings)),
    runCheck('snapshot', () => published.verdict),
    runCheck('status', () => checkStatus(published.snapshot, Date.now())),
    runCheck('forecasts', () => checkForecasts(published.snapshot)),
    runCheck('sources', () => checkSources(published.snapshot, active)),
    runCheck('clock', () => checkClock(settings, Date.now)),
    runCheck('time zones', () => checkTimeZones(rulesVersions())),
    runCheck('airport directory', () => `${airportDirectory().all.length} airports`),
    runCheck('browser', () => checkBrowser(settings)),
  ]
  return [node, ...(await Promise.all(checks))]
}

/** `holdshort doctor`: checks whether this installation can work, and says what to fix. */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(helpOf('doctor'))
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the result as JSON')
    .action(async (flags: { dataDir?: string; json?: boolean }) => {
      const found = await findings(flags.dataDir)
      print(found, flags.json, () =>
        textTable(
          ['check', '', 'says'],
          found.map(({ check, level, says }) => [check, LEVEL_TEXT[level], says]),
        ),
      )
      if (found.some(({ ok }) => !ok)) process.exitCode = 1
    })
}
