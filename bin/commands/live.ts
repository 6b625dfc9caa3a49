import { type Command, Option } from 'commander'
import { LiveKind, liveCall } from '../../jobs/calls/live.ts'
import { openCallClient } from '../runtime/call-client.ts'
import { print, settingsFor } from '../runtime/environment.ts'
import { airportFlag } from '../runtime/flags.ts'

/** `holdshort live`: asks a running installation for one wait, as the MCP tool does. */
export function liveCommand(program: Command): void {
  program
    .command('live')
    .description(
      'Ask the sources of an airport now, through the running installation of this data folder (or Redis). Exit code 1 when no wait came.',
    )
    .argument('<airport>', 'IATA code', (code) => airportFlag('airport', code.toUpperCase()))
    .addOption(new Option('--kind <kind>', 'which queue').choices(LiveKind.options).default('security'))
    .option('--json', 'print the answer as JSON')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .action(async (iata: string, flags: { kind: LiveKind; json?: boolean; dataDir?: string }) => {
      const client = await openCallClient(settingsFor(flags))
      const answer = await client.call(liveCall, { iata, kind: flags.kind }).finally(client.close)
      print(answer, flags.json, () => answer.message)
      if (answer.wait === null) process.exitCode = 1
    })
}
