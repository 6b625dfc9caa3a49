import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { airportDirectory } from '../../config/airports/directory.ts'
import { SettingsError } from '../../config/errors.ts'
import { environmentName, Settings } from '../../config/settings.ts'
import { type RulesVersions, rulesText, rulesVersions } from '../../config/time-zones/rules.ts'
import { launchBrowser } from '../../pipeline/transport/launch-browser.ts'
import { LEGAL_TEXT_SETTINGS } from '../../site/legal/legal-text.ts'
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
import { type Finding, type Level, runCheck, type Verdict, warning, wrong } from '../doctor/finding.ts'
import { anySettings } from '../runtime/environment.ts'
import { addDataCommand, type DataFlags } from '../runtime/help.ts'
import { sourcesOf } from '../runtime/installed-sources.ts'
import { print, textTable } from '../runtime/output.ts'
import { requireUsable } from '../runtime/require-usable.ts'

/** The time zone rules of the answers; warns if Node.js has newer ones. */
export function checkTimeZones(versions: RulesVersions): Verdict {
  const { ours, runtime, is_runtime_newer } = versions
  if (!is_runtime_newer) return rulesText(versions)
  return warning(
    `local times follow time zone rules ${ours}, but Node's are newer (${runtime}): where clocks changed since, times are wrong; install a newer release of holdshort (in a checkout: update moment-timezone in config/time-zones/build and run npm run time-zones)`,
  )
}

/** Nothing listens there: the doctor's browser opens an empty page only. */
const NO_PROXY = 'http://127.0.0.1:9'

/** Whether a browser starts here, and whether with its sandbox: it is started to find out. */
async function checkBrowser({ chromium_path }: Settings): Promise<Verdict> {
  try {
    const { started, way } = await launchBrowser(chromium_path, NO_PROXY)
    await started.close()
    const text = `${way.browser.executable} (${way.browser.origin})`
    return way.unsandboxed === null
      ? `${text} starts with its sandbox`
      : warning(`${text} starts without its sandbox: ${way.unsandboxed}`)
  } catch (error) {
    if (chromium_path !== undefined) return wrong(`${chromium_path} cannot be started; correct HOLDSHORT_CHROMIUM_PATH`)
    return warning(`${(error as Error).message} Sources that need one are skipped.`)
  }
}

const LEVEL_TEXT: Record<Level, string> = { ok: 'ok', warning: 'warning', unknown: 'unknown', wrong: 'WRONG' }
const DEFAULT_CONTACT = Settings.parse({}).contact

/** Anybody may sign up, so people want to know with whom. */
function checkLegalTexts(settings: Settings): Verdict {
  const unset = LEGAL_TEXT_SETTINGS.filter((name) => settings[name] === undefined).map(environmentName)
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
    settings = anySettings({ dataDir })
  } catch (error) {
    const faults = error instanceof SettingsError ? error.message.split('\n') : [String(error)]
    return [node, ...faults.map((says) => ({ check: 'settings', level: 'wrong' as const, ok: false, says }))]
  }
  const { redis_url, database_url, contact } = settings
  const published = await checkSnapshot(settings, Date.now())
  const active = new Set(sourcesOf(settings).flatMap((source) => (source.active ? [source.id] : [])))
  // A file in place of the folder skips the checks of its contents.
  const isFolder = !(await isFile(settings.data_dir))
  const checks: (Promise<Finding> | false)[] = [
    runCheck('settings', async () => {
      await requireUsable(settings, { collects: true })
      return `data in ${settings.data_dir}, port ${settings.port}`
    }),
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
      ? isFolder && runCheck('state', () => checkState(settings))
      : runCheck('PostgreSQL', () => checkPostgresql(settings, database_url)),
    settings.store !== 'folder' && runCheck('store', () => checkStore(settings)),
    redis_url !== undefined && runCheck('Redis', () => checkRedis(redis_url)),
    settings.stripe_secret_key !== undefined && runCheck('Stripe', () => checkStripe(settings)),
    isFolder && settings.store === 'folder' && runCheck('warehouse', () => checkWarehouse(settings)),
    isFolder && runCheck('models', () => checkModels(settings, published.snapshot)),
    runCheck('snapshot', () => published.verdict),
    runCheck('status', () => checkStatus(published.snapshot, Date.now())),
    runCheck('forecasts', () => checkForecasts(published.snapshot)),
    runCheck('sources', () => checkSources(published.snapshot, active)),
    runCheck('clock', () => checkClock(settings, Date.now)),
    runCheck('time zones', () => checkTimeZones(rulesVersions())),
    runCheck('airport directory', () => `${airportDirectory().all.length} airports`),
    runCheck('browser', () => checkBrowser(settings)),
  ]
  return [node, ...(await Promise.all(checks.filter((check) => check !== false)))]
}

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** `holdshort doctor`: checks whether this installation can work, and says what to fix. */
export function register(program: Command): void {
  addDataCommand(program, 'doctor').action(async (flags: DataFlags) => {
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
