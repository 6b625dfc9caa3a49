import type { Command } from 'commander'
import type { State } from '../../api/state/state.ts'
import { addresses } from '../../config/addresses.ts'
import { hostInUrl, type Settings } from '../../config/settings.ts'
import { folderHolder, holdRole, requireRestored } from '../../warehouse/storage/folder-use.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { environmentOf, settingsFor } from '../runtime/environment.ts'
import { addCommand } from '../runtime/help.ts'
import { openLog } from '../runtime/log.ts'
import { printLines } from '../runtime/output.ts'
import { EXIT_MISUSED, reportError } from '../runtime/report-error.ts'
import { requireFreePort } from '../runtime/require-free-port.ts'
import { requireUsable } from '../runtime/require-usable.ts'
import { showKey } from '../runtime/show-key.ts'
import { stopRequested } from '../runtime/stop.ts'
import { stopBecauseGone } from '../runtime/stop-when-gone.ts'
import { supervise } from '../runtime/supervise.ts'
import { waitUntil, waitUntilUp } from '../runtime/wait-until-up.ts'

/** `holdshort start`: runs the whole service on the live sources. */
export function register(program: Command): void {
  addCommand(program, 'start')
    .option('--port <port>', 'port to listen on (HOLDSHORT_PORT)')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .action(async (flags: { port?: string; dataDir?: string }) => {
      const settings = settingsFor(flags)
      await requireUsable(settings)
      await requireFreePort(settings)
      const log = openLog(settings, 'start')
      await checkSimulatedMark(settings)
      requireRestored(settings.data_dir)
      await holdRole(settings.data_dir, 'supervisor')
      const newState = settings.database_url === undefined ? await openIfNew(settings) : null
      const children = supervise(
        [
          { name: 'api', args: ['serve'] },
          { name: 'pipeline', args: ['work'] },
        ],
        environmentOf(settings),
        log,
        settings,
      )
      log.info({ address: addresses(settings).site_url, data_dir: settings.data_dir }, 'started; Ctrl-C stops it')
      const ending = new AbortController()
      // A pipeline that holds its role has accepted its settings and sources.
      const isAccepted = async () => (await folderHolder(settings.data_dir, 'pipeline')) !== null
      void waitUntilUp(localAddress(settings), MAX_START_MS, ending.signal)
        .then((isUp) => isUp && waitUntil(isAccepted, MAX_START_MS, ending.signal))
        .then((isRunning) => (isRunning ? greet(settings, newState) : newState?.close()))
        .catch((error) => reportError(error))
      const reason = await Promise.race([stopRequested(), children.folderGone, children.refused])
      ending.abort()
      await children.stop(4_000 + settings.drain_seconds * 1_000)
      if (reason === 'folder gone') stopBecauseGone(settings.data_dir, log)
      process.exit(reason === 'refused' ? EXIT_MISUSED : 0)
    })
}

/** How long the api may take to start before nobody waits for a greeting. */
const MAX_START_MS = 300_000

/** The address of the api on this machine: an installation behind a proxy has another one for its clients. */
function localAddress({ host, port }: Settings): string {
  const loopbacks: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  return `http://${hostInUrl(loopbacks[host] ?? host)}:${port}`
}

/** Information for the operator who has just started the service. */
function greeting(settings: Settings, key: string | null): string {
  const { site_url, base_url, mcp_url } = addresses(settings)
  return `
Holdshort is running. A new installation has typical values at first; sources answer within a minute or two.

  start page   ${site_url}/
  status       ${site_url}/status
  REST         ${base_url}      described at ${site_url}/openapi.json
  MCP          ${mcp_url}/mcp

${key === null ? '' : `Your key, of the Enterprise tier (shown only now):\n  ${key}\n`}\
  curl -s -H 'Authorization: Bearer ${key ?? 'KEY'}' '${base_url}/airports/JFK/wait-times'
Another one of any tier:
  npx holdshort keys issue --tier enterprise --data-dir '${settings.data_dir}'
Anybody gets a free one:
  curl -s -X POST '${site_url}/api/agent/register' -H 'Content-Type: application/json' -d '{}'
Is something wrong?
  npx holdshort doctor --data-dir '${settings.data_dir}'

Ctrl-C stops it.
`
}

/**
 * Opens the state: a damaged one would otherwise make the supervisor start the api again and again. Returns it while the installation is
 * new, with no accounts, and otherwise null.
 */
async function openIfNew(settings: Settings): Promise<State | null> {
  const { openState } = await import('../../api/state/open.ts')
  const state = await openState(settings)
  const present = state.db.selectFrom('accounts').select('id').where('deleted_at', 'is', null)
  const isNew = (await present.limit(1).executeTakeFirst()) === undefined
  if (isNew) return state
  await state.close()
  return null
}

/**
 * Prints the greeting; in a new installation with a key of its owner, which is issued only now: before, nobody would see it if the start
 * was cut off, and the next one would issue none. The state is the one that was open all the time: opened anew, it would be made anew where
 * the folder was moved in the meantime.
 */
async function greet(settings: Settings, newState: State | null): Promise<void> {
  if (newState === null) return printLines(greeting(settings, null))
  const { issueKey } = await import('../../accounts/keys/keys.ts')
  await using state = newState
  const issued = await issueKey(state, { tier: 'enterprise', name: 'owner' }, Date.now())
  await showKey(state, issued, greeting(settings, issued.key), true)
}
