import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { countText } from '../../config/count-text.ts'
import type { Settings } from '../../config/settings.ts'
import { allSources, type Source } from '../../config/sources.ts'
import { checkSources, type SourceCheck } from '../../pipeline/collecting/check-sources.ts'
import { emptyMemory } from '../../pipeline/collecting/collect-context.ts'
import { sourceHealth } from '../../warehouse/publishing/gather/source-health.ts'
import { readRecordedStates } from '../../warehouse/publishing/health/recorded-states.ts'
import type { SourceHealth } from '../../warehouse/publishing/read/source-health.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsFor } from '../runtime/environment.ts'
import { addCommand, addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print, progress, textTable } from '../runtime/output.ts'
import { openTransport } from '../runtime/transport.ts'
import { addParse } from '../sources/parse.ts'
import { addScaffold } from '../sources/scaffold.ts'

const cadence = (seconds: number) =>
  seconds % 3_600 === 0 ? `${seconds / 3_600} h` : `${Math.round(seconds / 60)} min`
const codes = (airports: string[]) =>
  airports.length > 6 ? `${airports.slice(0, 5).join(' ')} +${airports.length - 5}` : airports.join(' ')

function securityAirports(sources: readonly Source[]): number {
  const live = sources.filter((source) => source.active && source.kind === 'security' && source.timeliness === 'live')
  return new Set(live.flatMap((source) => source.airports)).size
}

function table(sources: readonly Source[], health: SourceHealth[]): string {
  const rows = sources.map((source) => {
    const state = health.find((candidate) => candidate.source === source.id)
    const failed = state?.state === 'failing' || state?.state === 'open_circuit'
    const fault = (failed ? state?.last_error_message : null) ?? state?.reason ?? ''
    return [
      source.id,
      source.kind,
      codes(source.airports),
      cadence(source.cadence_seconds),
      state?.state ?? 'not_asked',
      state?.newest_observed_at ?? null,
      fault.slice(0, 60),
    ]
  })
  const total = `${countText(securityAirports(sources), 'airport')} with an active live security source`
  return `${textTable(['source', 'kind', 'airports', 'every', 'state', 'last good reading', 'last error or reason'], rows)}\n${total}`
}

const checkTable = (checks: SourceCheck[]) =>
  textTable(
    ['source', 'result', 'rows', 'notices', 'ms', 'message'],
    checks.map((check) => [
      check.source,
      check.ok ? 'ok' : (check.code ?? 'failed'),
      check.rows,
      check.notices,
      check.milliseconds,
      check.message.slice(0, 90),
    ]),
  )

/** The state of each source in a data folder; none where there is no folder yet, which listing the sources must not create. */
async function recordedHealth(settings: Settings): Promise<SourceHealth[]> {
  if (!existsSync(settings.data_dir)) return []
  await using warehouse = await openCommandWarehouse(settings)
  const now = Date.now()
  return await sourceHealth(warehouse, now, await readRecordedStates(warehouse, now))
}

async function list(flags: DataFlags): Promise<void> {
  const health = await recordedHealth(settingsFor(flags))
  const entries = allSources().map((source) => ({
    ...source,
    health: health.find(({ source: id }) => id === source.id) ?? null,
  }))
  print(entries, flags.json, () => table(allSources(), health))
}

/**
 * `holdshort sources [list|check|parse|new]`: lists the catalogue with the state of each source; `check` fetches each source once, `parse`
 * reads a saved payload, `new` begins an entry.
 */
export function register(program: Command): void {
  const sources = addDataCommand(program, 'sources').action(list)
  addDataCommand(sources, 'sources list').action((_ownFlags: DataFlags, command: Command) =>
    list(command.optsWithGlobals<DataFlags>()),
  )
  addCommand(sources, 'sources check')
    .argument('[source...]', 'only these sources; may include sources that are switched off')
    .option('--json', 'print the result as JSON')
    .action(async (ids: string[], _ownFlags: DataFlags, command: Command) => {
      const flags = command.optsWithGlobals<DataFlags>()
      const settings = settingsFor(flags)
      const transport = openTransport(settings)
      try {
        const bar = progress('Checking sources')
        const checks = await checkSources(
          ids,
          { transport, now: Date.now, memory: emptyMemory(), operator_keys: settings },
          (done, total, id) => bar.update(done, total, id),
        )
        bar.end()
        print(checks, flags.json, () => checkTable(checks))
        if (checks.some((check) => !check.ok)) process.exitCode = 1
      } finally {
        await transport.close()
      }
    })
  addParse(sources)
  addScaffold(sources)
}
