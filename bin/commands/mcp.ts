import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { airportDirectory } from '../../config/airports/directory.ts'
import { UsageError } from '../../config/errors.ts'
import { serviceAddress } from '../../config/setting-urls.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { settingsFor } from '../runtime/environment.ts'
import { addCommand } from '../runtime/help.ts'
import { openLog } from '../runtime/log.ts'

interface Flags {
  service?: string
  dataDir?: string
}

/** `holdshort mcp`: the MCP server on standard input and output, from a service or from the data folder of this machine. */
export function register(program: Command): void {
  addCommand(program, 'mcp')
    .option('--service <address>', 'address of a service; its key is read from HOLDSHORT_KEY')
    .option('--data-dir <folder>', 'data folder of an installation on this machine (HOLDSHORT_DATA_DIR)')
    .action((flags: Flags) => (flags.service === undefined ? fromDataFolder(flags) : fromService(flags.service)))
}

const streams = { input: process.stdin, output: process.stdout }

async function fromService(service: string): Promise<void> {
  const key = process.env['HOLDSHORT_KEY']?.trim() ?? ''
  const checked = serviceAddress.safeParse(service)
  if (!checked.success) throw new UsageError(`--service: ${checked.error.issues[0]!.message}`)
  const { origin } = new URL(service)
  if (key === '') throw new UsageError(`HOLDSHORT_KEY: is not set; put a key of the service there (${origin}/signup)`)
  const { bridgeMcp } = await import('../runtime/mcp-bridge.ts')
  await bridgeMcp({ ...streams, address: `${origin}/mcp`, key })
}

async function fromDataFolder(flags: Flags): Promise<void> {
  const settings = settingsFor(flags)
  const { snapshots } = dataPaths(settings.data_dir)
  if (!existsSync(snapshots))
    throw new UsageError(
      `data-dir: ${settings.data_dir} has nothing published. Start a service with \`npx holdshort demo\` or \`npx holdshort start\`, or name one: HOLDSHORT_KEY=… npx holdshort mcp --service https://…`,
    )
  await serveFolder(settings, snapshots)
}

/** Serves what is published in a data folder, and what is published while it is served. */
async function serveFolder(settings: Settings, snapshots: string): Promise<void> {
  const { MCP_CATALOGUE } = await import('../service/registry.ts')
  const { serveMcpOnStreams } = await import('../../api/mcp/stdio.ts')
  const { openStateBesideService } = await import('../runtime/state.ts')
  const { watchSnapshots } = await import('../../warehouse/publishing/snapshot/watch.ts')
  const { openCallClient } = await import('../runtime/call-client.ts')
  // Standard output belongs to the protocol.
  const logger = openLog(settings, 'mcp')
  const holder = await watchSnapshots(snapshots)
  const state = await openStateBesideService(settings)
  const pipelineClient = await openCallClient(settings)
  const directory = airportDirectory()
  await serveMcpOnStreams(MCP_CATALOGUE, { settings, state, holder, directory, pipelineClient, logger }, streams)
  holder.stop()
  await pipelineClient.close()
  await state.close()
}
