import type { Command } from 'commander'
import { issueKey } from '../../accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import { addresses } from '../../config/addresses.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { projectFile } from '../../config/paths.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { USUAL_RANDOM_FAULTS } from '../../pipeline/simulator/faults.ts'
import { startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { currentSnapshotId } from '../../warehouse/publishing/snapshot/names.ts'
import { holdDataFolder, holdRole } from '../../warehouse/storage/folder-use.ts'
import { clearDataFolder } from '../../warehouse/storage/own-files.ts'
import { checkSimulatedMark, readSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { checkServed, type Keys, waitUntilWhole } from '../demo/check-served.ts'
import { completeHistory, prepareDemo } from '../demo/prepare.ts'
import { chooseShowcase, type Showcase } from '../demo/showcase.ts'
import { environmentOf, settingsFor } from '../runtime/environment.ts'
import { wholeNumberFlag } from '../runtime/flags.ts'
import { addCommand } from '../runtime/help.ts'
import { openLog } from '../runtime/log.ts'
import { requireFreePort } from '../runtime/require-free-port.ts'
import { requireUsable } from '../runtime/require-usable.ts'
import { stopRequested } from '../runtime/stop.ts'
import { stopBecauseGone } from '../runtime/stop-when-gone.ts'
import { type Supervised, supervise } from '../runtime/supervise.ts'

interface Flags {
  once?: boolean
  port?: string
  dataDir?: string
  keep?: boolean
  seed: number
}

/**
 * Makes the folder ready for a new demo: deletes what an earlier demo wrote and nothing else, while no other process uses it.
 * @throws HoldshortError WORLD_MISMATCH when it holds live data, DATA_FOLDER_IN_USE while anything runs on it
 */
async function clearEarlierDemo(dataDir: string): Promise<void> {
  const simulated = await readSimulatedMark(dataDir)
  if (simulated === false)
    throw new HoldshortError(
      'WORLD_MISMATCH',
      `${dataDir} holds live data; choose another folder for the demo (--data-dir)`,
    )
  await using _alone = await holdDataFolder(dataDir)
  if (simulated !== true) return
  const left = await clearDataFolder(dataDir)
  if (left.length > 0)
    process.stderr.write(`${dataDir} has files that are not the demo's; they stay: ${left.slice(0, 5).join(', ')}\n`)
}

/** Settings of a training that costs seconds. An installation trains with those of the release. */
const DEMO_TRAINING = projectFile('config', 'training', 'demo.json')

/** The first export is made while forecasts are still missing. */
const DEMO_EXPORT_SECONDS = 600

async function issueKeys(settings: Settings): Promise<Keys> {
  await using state = await openState(settings)
  const issue = async (tier: 'free' | 'pro' | 'enterprise') =>
    (await issueKey(state, { tier, name: `demo ${tier}` }, Date.now())).key
  return { free: await issue('free'), pro: await issue('pro'), enterprise: await issue('enterprise') }
}

function welcome(settings: Settings, keys: Keys, { busy, delayed }: Showcase, seconds: number): string {
  const { site_url, base_url, mcp_url } = addresses(settings)
  const curl = (key: string, path: string) => `  curl -s -H 'Authorization: Bearer ${key}' '${base_url}${path}'`
  return `
Holdshort is serving a SIMULATED world (ready in ${seconds} s). Every answer says "simulated": true.

  start page   ${site_url}/
  status       ${site_url}/status
  REST         ${base_url}      described at ${site_url}/openapi.json
  MCP          ${mcp_url}/mcp

  free         ${keys.free}
  pro          ${keys.pro}
  enterprise   ${keys.enterprise}

${curl(keys.pro, `/airports/${busy}/wait-times`)}
${curl(keys.enterprise, `/airports/${busy}/predictions?days=7`)}
${curl(keys.free, `/airports/${delayed}/delays`)}
`
}

const secondsSince = (started: number) => Math.round((performance.now() - started) / 1_000)

/**
 * Runs the demo once the simulated world is up: prepares the first snapshot unless one is kept, serves it, checks the
 * answers, waits until everything is collected and trained, and runs until stopped (with `once`: until it is whole).
 */
async function runDemo(settings: Settings, seed: number, { once = false, keep = false }: Flags): Promise<void> {
  const started = performance.now()
  const log = openLog({ log_level: process.env['HOLDSHORT_LOG_LEVEL'] ? settings.log_level : 'error' }, 'demo')
  await checkSimulatedMark(settings)
  const stopped = stopRequested().then((reason) => ({ reason }))
  const isKept = keep && (await currentSnapshotId(dataPaths(settings.data_dir).snapshots)) !== null
  if (!isKept && (await Promise.race([prepareDemo(settings, seed, log), stopped]))) process.exit(130)

  const keys = await issueKeys(settings)
  const showcase = await chooseShowcase(settings)
  const environment = environmentOf(settings, {
    HOLDSHORT_SIMULATED_WORLD: settings.simulated_world ?? '',
    HOLDSHORT_TRAINING_SETTINGS: settings.training_settings ?? DEMO_TRAINING,
    // The figures are the simulator's own, so that all of them may be passed on.
    HOLDSHORT_OPEN_DATA: settings.open_data[0] === 'off' ? 'all' : settings.open_data.join(','),
    HOLDSHORT_OPEN_DATA_SECONDS: process.env['HOLDSHORT_OPEN_DATA_SECONDS'] ?? String(DEMO_EXPORT_SECONDS),
    // Some simulated sources always fail, as in live operation: that is no news in a demo.
    HOLDSHORT_LOG_LEVEL: process.env['HOLDSHORT_LOG_LEVEL'] ? settings.log_level : 'error',
  })
  const children: Supervised[] = []
  const isGone = new AbortController()
  const folderGone = new Promise<'gone'>((resolve) => isGone.signal.addEventListener('abort', () => resolve('gone')))
  let failWith: (error: Error) => void = () => undefined
  const refused = new Promise<never>((_, reject) => {
    failWith = reject
  })
  const interrupted = Promise.race([stopped, folderGone, refused])
  // Whatever is awaited is raced with it; this prevents an unhandled rejection until then.
  interrupted.catch(() => undefined)
  const startChild = (name: string, command: string) => {
    const child = supervise([{ name, args: [command] }], environment, log, settings)
    void child.folderGone.then(() => isGone.abort())
    void child.refused.then(() => failWith(new HoldshortError('DEMO_FAILED', `the ${name} refused its settings`)))
    children.push(child)
  }
  startChild('api', 'serve')
  const ending = new AbortController()
  try {
    const { site_url } = addresses(settings)
    const checked = checkServed(site_url, keys, showcase.busy).then(() => 'served' as const)
    if ((await Promise.race([checked, interrupted])) !== 'served') return
    process.stdout.write(welcome(settings, keys, showcase, secondsSince(started)))
    if (!isKept)
      process.stderr.write(
        'First answers now; forecasts by trained models in about 2 minutes, typical values until then. In the background: 90 days of history, every source, then training …\n' +
          'The demo trains cheaply (one net, one fit, a short backtest): an installation trains longer and forecasts better.\n',
      )
    // Training must not begin before the history is complete, so that the pipeline starts after it.
    const completed = completeHistory(settings, seed).then(() => 'complete' as const)
    if ((await Promise.race([completed, interrupted])) !== 'complete') return
    startChild('pipeline', 'work')
    const whole = new Promise<'whole'>((resolve, reject) => {
      const onSlow = (missing: string) => {
        if (once) reject(new HoldshortError('DEMO_FAILED', missing))
        else process.stderr.write(`${missing}; still working on it.\n`)
      }
      waitUntilWhole(site_url, keys, ending.signal, onSlow).then(() => resolve('whole'), reject)
    })
    if ((await Promise.race([whole, interrupted])) !== 'whole') return
    process.stderr.write(
      `Whole after ${secondsSince(started)} s: every source was collected, and forecasts come from trained models.\n`,
    )
    if (!once) await interrupted
  } finally {
    ending.abort()
    await Promise.all(children.map((child) => child.stop(3_500)))
    if (isGone.signal.aborted) stopBecauseGone(settings.data_dir, log)
  }
}

const seedFlag = (text: string) => wholeNumberFlag('--seed', text, 0, 1_000_000_000)

/** `holdshort demo`: runs the whole service offline, on a simulated world. */
export function register(program: Command): void {
  addCommand(program, 'demo')
    .option('--once', 'exit 0 after the first snapshot was served and checked and the models were trained')
    .option('--keep', 'go on with the data of the last demo in the folder')
    .option('--port <port>', 'port to listen on; 0 picks a free one (HOLDSHORT_PORT)')
    .option(
      '--data-dir <folder>',
      'folder of the demo; what an earlier demo wrote there is replaced (default: ./data/demo)',
    )
    .option('--seed <number>', 'seed of the simulated world', seedFlag, 1)
    .action(async (flags: Flags) => {
      const { seed } = flags
      const settings = settingsFor({ dataDir: flags.dataDir ?? './data/demo', port: flags.port })
      await requireUsable(settings, { collects: true })
      const port = await requireFreePort(settings).catch((cause: Error) => {
        throw new UsageError(`--port: ${settings.port} cannot be used (${cause.message})`)
      })
      await holdRole(settings.data_dir, 'supervisor')
      if (!flags.keep) await clearEarlierDemo(settings.data_dir)
      const world = await startSimulatedWorld({ seed, random_faults: USUAL_RANDOM_FAULTS })
      try {
        await runDemo({ ...settings, port, simulated_world: world.url }, seed, flags)
      } finally {
        await world.close()
      }
      process.exit(0)
    })
}
