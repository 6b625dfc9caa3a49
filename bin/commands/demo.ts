import { createServer } from 'node:net'
import type { Command } from 'commander'
import { issueKey } from '../../api/accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { addresses, type Settings } from '../../config/settings.ts'
import { USUAL_RANDOM_FAULTS } from '../../pipeline/simulator/faults.ts'
import { startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { clearDataFolder, holdDataFolder, holdRole } from '../../warehouse/storage/folder-use.ts'
import { checkSimulatedMark, readSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { checkServed, type Keys } from '../demo/check-served.ts'
import { prepareDemo } from '../demo/prepare.ts'
import { environmentOf, openLog, settingsFor } from '../runtime/environment.ts'
import { stopRequested, supervise } from '../runtime/supervise.ts'

interface Flags {
  once?: boolean
  port?: string
  dataDir?: string
  seed: string
}

/** Checks that a port is free and returns it; 0 picks any free port. @throws UsageError */
function freePort(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (cause) =>
      reject(new UsageError(`--port: ${port} cannot be used (${(cause as Error).message})`)),
    )
    server.listen(port, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port))
    })
  })
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
  const alone = await holdDataFolder(dataDir)
  try {
    if (simulated !== true) return
    const left = await clearDataFolder(dataDir)
    if (left.length > 0)
      process.stderr.write(`${dataDir} has files that are not the demo's; they stay: ${left.slice(0, 5).join(', ')}\n`)
  } finally {
    await alone.release()
  }
}

async function issueKeys(settings: Settings): Promise<Keys> {
  const state = await openState(settings)
  try {
    const issue = async (tier: 'free' | 'pro' | 'enterprise') =>
      (await issueKey(state, { tier, name: `demo ${tier}` }, Date.now())).key
    return { free: await issue('free'), pro: await issue('pro'), enterprise: await issue('enterprise') }
  } finally {
    await state.close()
  }
}

function welcome(settings: Settings, keys: Keys, seconds: number): string {
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

${curl(keys.pro, '/airports/JFK/wait-times')}
${curl(keys.enterprise, '/airports/SEA/predictions?days=7')}
${curl(keys.free, '/airports/EWR/delays')}
`
}

/** Runs the demo once the simulated world is up: prepares the data, serves it, checks the answers, and runs until stopped. */
async function runDemo(settings: Settings, seed: number, once: boolean): Promise<void> {
  const started = Date.now()
  const log = openLog({ log_level: process.env['HOLDSHORT_LOG_LEVEL'] ? settings.log_level : 'warn' }, 'demo')
  await checkSimulatedMark(settings)
  const stopped = stopRequested().then((reason) => ({ reason }))
  if ('reason' in (await Promise.race([prepareDemo(settings, seed, log), stopped]))) process.exit(130)

  const keys = await issueKeys(settings)
  const environment = environmentOf(settings, {
    HOLDSHORT_SIMULATED_WORLD: settings.simulated_world ?? '',
    HOLDSHORT_LOG_LEVEL: log.level,
  })
  const commands = [
    { name: 'api', args: ['serve'] },
    { name: 'pipeline', args: ['work'] },
  ]
  const children = supervise(commands, environment, log)
  try {
    const checked = checkServed(addresses(settings).site_url, keys).then(() => 'served' as const)
    if ((await Promise.race([checked, stopped])) !== 'served') return
    process.stdout.write(welcome(settings, keys, Math.round((Date.now() - started) / 1_000)))
    if (!once) await stopped
  } finally {
    await children.stop(3_500)
  }
}

/** `holdshort demo`: runs the whole service offline, on a simulated world. */
export function demoCommand(program: Command): void {
  program
    .command('demo')
    .description(
      'Run the whole service offline on a simulated world: back-fill, collect, train, publish, serve. Ctrl-C stops it.',
    )
    .option('--once', 'exit 0 after the first snapshot has been served and checked')
    .option('--port <port>', 'port to listen on; 0 picks a free one (HOLDSHORT_PORT)')
    .option(
      '--data-dir <folder>',
      'folder of the demo; what an earlier demo wrote there is replaced (default: ./data/demo)',
    )
    .option('--seed <number>', 'seed of the simulated world', '1')
    .action(async (flags: Flags) => {
      const seed = Number(flags.seed)
      if (!Number.isSafeInteger(seed)) throw new UsageError(`--seed: "${flags.seed}" must be an integer`)
      const settings = settingsFor({
        dataDir: flags.dataDir ?? './data/demo',
        ...(flags.port === undefined ? {} : { port: flags.port }),
      })
      const port = await freePort(settings.port, settings.host)
      await holdRole(settings.data_dir, 'supervisor')
      await clearEarlierDemo(settings.data_dir)
      const world = await startSimulatedWorld({ seed, random_faults: USUAL_RANDOM_FAULTS })
      try {
        await runDemo({ ...settings, port, simulated_world: world.url }, seed, flags.once ?? false)
      } finally {
        await world.close()
      }
      process.exit(0)
    })
}
