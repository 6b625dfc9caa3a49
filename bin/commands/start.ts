import type { Command } from 'commander'
import { addresses, hostInUrl, type Settings } from '../../config/settings.ts'
import { holdRole, requireRestored } from '../../warehouse/storage/folder-use.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { environmentOf, openLog, settingsFor } from '../runtime/environment.ts'
import { printLines } from '../runtime/output.ts'
import { requireFreePort } from '../runtime/require-free-port.ts'
import { stopRequested } from '../runtime/stop.ts'
import { stopBecauseGone } from '../runtime/stop-when-gone.ts'
import { supervise } from '../runtime/supervise.ts'
import { waitUntilUp } from '../runtime/wait-until-up.ts'

/** `holdshort start`: runs the whole service on the live sources. */
export function startCommand(program: Command): void {
  program
    .command('start')
    .description(
      'Run the whole service on the live sources: the api and the pipeline, each in its own process, restarted if it dies.',
    )
    .option('--port <port>', 'port to listen on (HOLDSHORT_PORT)')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .action(async (flags: { port?: string; dataDir?: string }) => {
      const settings = settingsFor(flags)
      await requireFreePort(settings)
      const log = openLog(settings, 'start')
      await checkSimulatedMark(settings)
      requireRestored(settings.data_dir)
      await holdRole(settings.data_dir, 'supervisor')
      if (settings.database_url === undefined) await requireSoundState(settings)
      const children = supervise(
        [
          { name: 'api', args: ['serve'] },
          { name: 'pipeline', args: ['work'] },
        ],
        environmentOf(settings),
        log,
      )
      log.info({ address: addresses(settings).site_url, data_dir: settings.data_dir }, 'started; Ctrl-C stops it')
      const ending = new AbortController()
      void waitUntilUp(localAddress(settings), MAX_START_MS, ending.signal).then((isUp) => {
        if (isUp) printLines(greeting(settings))
      })
      const reason = await Promise.race([stopRequested(), children.folderGone])
      ending.abort()
      await children.stop(4_000 + settings.drain_seconds * 1_000)
      if (reason === 'folder gone') stopBecauseGone(settings.data_dir, log)
      process.exit(0)
    })
}

/** How long the api may take to start before nobody waits for a greeting. */
const MAX_START_MS = 300_000

/** The address of the api on this machine: an installation behind a proxy has another one for its clients. */
function localAddress({ host, port }: Settings): string {
  const loopbacks: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  return `http://${hostInUrl(loopbacks[host] ?? host)}:${port}`
}

/** What somebody who has just started the service wants to know. */
function greeting(settings: Settings): string {
  const { site_url, base_url, mcp_url } = addresses(settings)
  return `
Holdshort is running. A new installation has typical values at first; sources answer within a minute or two.

  start page   ${site_url}/
  status       ${site_url}/status
  REST         ${base_url}      described at ${site_url}/openapi.json
  MCP          ${mcp_url}/mcp

A free key, and what it can ask:
  curl -s -X POST '${site_url}/api/agent/register' -H 'Content-Type: application/json' -d '{}'
  curl -s -H 'Authorization: Bearer KEY' '${base_url}/airports/JFK/delays'
A key of a paid tier:
  npx holdshort keys issue --tier enterprise --data-dir '${settings.data_dir}'
Is something wrong?
  npx holdshort doctor --data-dir '${settings.data_dir}'

Ctrl-C stops it.
`
}

/** Opens the state once: a damaged one would otherwise make the supervisor start the api again and again. */
async function requireSoundState(settings: Settings): Promise<void> {
  const { openState } = await import('../../api/state/open.ts')
  const state = await openState(settings)
  await state.close()
}
