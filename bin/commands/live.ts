import { type Command, Option } from 'commander'
import { LiveKind, liveCall } from '../../jobs/calls/live.ts'
import { openCallClient } from '../runtime/call-client.ts'
import { settingsFor } from '../runtime/environment.ts'
import { airportFlag } from '../runtime/flags.ts'
import { helpOf } from '../runtime/help.ts'
import { print } from '../runtime/output.ts'

/** `holdshort live`: requests one live wait from a running installation, like the MCP tool. */
export function liveCommand(program: Command): void {
  program
    .command('live')
    .description(helpOf('live'))
    .argument('<airport>', 'IATA code', (code) => airportFlag('airport', code))
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
