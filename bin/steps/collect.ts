import type { Command } from 'commander'
import { HoldshortError } from '../../config/errors.ts'
import { sourceById } from '../../config/sources.ts'
import type { CollectOutcome } from '../../pipeline/collecting/collect-context.ts'
import { collectSources } from '../../pipeline/collecting/collect-source.ts'
import { openLog, settingsFor } from '../runtime/environment.ts'
import { helpOf } from '../runtime/help.ts'
import { sourcesOf } from '../runtime/installed-sources.ts'
import { print, progress, textTable } from '../runtime/output.ts'
import { openPipeline } from '../runtime/pipeline.ts'

function row({ source, iata, new_rows, parsed_rows, notices, error }: CollectOutcome) {
  return [
    source,
    iata ?? '',
    parsed_rows,
    new_rows,
    notices,
    error ? `${error.code}: ${error.message.slice(0, 80)}` : 'ok',
  ]
}

/** `holdshort run collect`: collects from some or all sources once, now. */
export function collectCommand(program: Command): void {
  program
    .command('collect')
    .description(helpOf('run collect'))
    .argument('[source...]', 'source ids; see `holdshort sources`')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the outcomes as JSON')
    .action(async (ids: string[], flags: { dataDir?: string; json?: boolean }) => {
      const settings = settingsFor(flags)
      const selected = ids.length > 0 ? ids.map(sourceById) : sourcesOf(settings).filter((source) => source.active)
      const inactive = selected.find((source) => !source.active)
      if (inactive)
        throw new HoldshortError('SOURCE_OFF', `source: ${inactive.id} is switched off: ${inactive.why_off}`)
      const pipeline = await openPipeline(settings, openLog(settings, 'collect'))
      const bar = progress('Collecting')
      const outcomes = await collectSources(selected, pipeline.collect, (done, total, id) =>
        bar.update(done, total, id),
      ).finally(pipeline.close)
      bar.end()
      const result = outcomes.map(({ error, ...rest }) => ({
        ...rest,
        error: error ? { code: error.code, message: error.message } : null,
      }))
      print(result, flags.json, () =>
        textTable(['source', 'airport', 'rows', 'new', 'notices', 'outcome'], outcomes.map(row)),
      )
      if (outcomes.length > 0 && outcomes.every(({ error }) => error)) process.exitCode = 1
    })
}
