import { type Command, Option } from 'commander'
import { LiveKind, liveCall } from '../../jobs/calls/live.ts'
import { openCallClient } from '../runtime/call-client.ts'
import { settingsFor } from '../runtime/environment.ts'
import { airportFlag } from '../runtime/flags.ts'
import { addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print } from '../runtime/output.ts'

/** `holdshort live`: requests one live wait from a running installation, like the MCP tool. */
export function register(program: Command): void {
  addDataCommand(program, 'live', 'print the answer as JSON')
    .argument('<airport>', 'IATA code', (code) => airportFlag('airport', code))
    .addOption(new Option('--kind <kind>', 'which queue').choices(LiveKind.options).default('security'))
    .action(async (iata: string, flags: DataFlags & { kind: LiveKind }) => {
      const client = await openCallClient(settingsFor(flags))
      const answer = await client.call(liveCall, { iata, kind: flags.kind }).finally(client.close)
      print(answer, flags.json, () => answer.message)
      if (answer.wait === null) process.exitCode = 1
    })
}
