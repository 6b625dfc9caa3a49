import { type Command, Option } from 'commander'
import { spreadOf } from '../../answers/statements/spread.ts'
import { liveWaitText } from '../../answers/texts/live-wait-text.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import { type LiveAnswer, LiveKind, liveCall } from '../../jobs/calls/live.ts'
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
      print(answer, flags.json, () => textOf(answer))
      if (answer.wait === null) process.exitCode = 1
    })
}

/** The answer in the words of the MCP tool, and the result of each source. */
function textOf(answer: LiveAnswer): string {
  const { airport, wait, attempts, asked_at } = answer
  const { timezone } = airportDirectory().byIata.get(airport)!
  const shown = {
    ...answer,
    timezone,
    terminal: null,
    spread: wait && spreadOf(wait, timezone, Date.parse(asked_at)),
    // This command shows the source's statement, whatever closes the airport.
    airport_closure: null,
    no_flights: noFlightsText(airport) ?? undefined,
  }
  return [liveWaitText(shown, shown), ...attempts.map(attemptText)].join('\n')
}

const attemptText = ({ source, code, message, milliseconds }: LiveAnswer['attempts'][number]) =>
  `${source}: ${code ?? 'answered'} after ${milliseconds} ms${message === '' ? '' : `; ${message}`}`
