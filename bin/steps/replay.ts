import type { Command } from 'commander'
import { sourceById } from '../../config/sources.ts'
import { replay } from '../../pipeline/collecting/replay.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfExisting } from '../runtime/environment.ts'
import { dayFlag } from '../runtime/flags.ts'
import { helpOf } from '../runtime/help.ts'
import { print, progress } from '../runtime/output.ts'

/** `holdshort run replay`: parses stored captures again, so that a repaired parser repairs history. */
export function replayCommand(program: Command): void {
  program
    .command('replay')
    .description(helpOf('run replay'))
    .argument('[source]', 'only this source')
    .option('--from <day>', 'first UTC day, YYYY-MM-DD')
    .option('--to <day>', 'last UTC day, YYYY-MM-DD')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the report as JSON')
    .action(
      async (source: string | undefined, flags: { from?: string; to?: string; dataDir?: string; json?: boolean }) => {
        if (source !== undefined) sourceById(source)
        const from = flags.from === undefined ? {} : { from: dayFlag('--from', flags.from) }
        const to = flags.to === undefined ? {} : { to: dayFlag('--to', flags.to) }
        const warehouse = await openCommandWarehouse(settingsOfExisting(flags))
        try {
          const bar = progress('Replaying captures')
          const filter = { ...(source ? { source } : {}), ...from, ...to }
          const report = await replay(warehouse, filter, (done, total) => bar.update(done, total))
          bar.end()
          print(report, flags.json, () =>
            [
              `${report.captures} captures parsed again, ${report.rows} rows, ${report.failed.length} failed`,
              ...report.failed.map(({ capture, code, message }) => `  ${capture}: ${code} ${message}`),
            ].join('\n'),
          )
        } finally {
          await warehouse.close()
        }
      },
    )
}
