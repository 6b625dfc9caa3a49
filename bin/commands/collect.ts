import type { Command } from 'commander'
import { HoldshortError } from '../../config/errors.ts'
import { allSources, sourceById } from '../../config/sources.ts'
import { type CollectOutcome, collectSource } from '../../pipeline/collect.ts'
import { openLog, print, settingsFor, textTable } from '../environment.ts'
import { openPipeline } from '../pipeline.ts'
import { progress } from '../progress.ts'

const AT_ONCE = 4

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

/** `holdshort collect`: one run of some or all sources, now. */
export function collectCommand(program: Command): void {
  program
    .command('collect')
    .description('Collect the named sources once, or all active ones. Exit code 1 when none of them gave an answer.')
    .argument('[source...]', 'ids; see `holdshort sources`')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the outcomes as JSON')
    .action(async (ids: string[], flags: { dataDir?: string; json?: boolean }) => {
      const wanted = ids.length > 0 ? ids.map(sourceById) : allSources().filter((source) => source.active)
      const off = wanted.find((source) => !source.active)
      if (off) throw new HoldshortError('SOURCE_OFF', `source: ${off.id} is switched off: ${off.why_off}`)
      const settings = settingsFor(flags)
      const pipeline = await openPipeline(settings, openLog(settings, 'collect'))
      const outcomes: CollectOutcome[] = []
      try {
        const bar = progress('Collecting')
        const queue = [...wanted]
        const next = async (): Promise<void> => {
          for (let source = queue.shift(); source; source = queue.shift()) {
            outcomes.push(...(await collectSource(source, pipeline.collect)))
            bar.update(wanted.length - queue.length, wanted.length, source.id)
          }
        }
        await Promise.all(Array.from({ length: AT_ONCE }, next))
        bar.end()
      } finally {
        await pipeline.close()
      }
      const plain = outcomes.map(({ error, ...rest }) => ({
        ...rest,
        error: error ? { code: error.code, message: error.message } : null,
      }))
      print(plain, flags.json, () =>
        textTable(['source', 'airport', 'rows', 'new', 'notices', 'outcome'], outcomes.map(row)),
      )
      if (outcomes.length > 0 && outcomes.every(({ error }) => error)) process.exitCode = 1
    })
}
