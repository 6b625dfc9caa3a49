import type { Command } from 'commander'
import { updateRecord } from '../../training/record/update-record.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfExisting } from '../runtime/environment.ts'
import { helpOf } from '../runtime/help.ts'
import { print, progress } from '../runtime/output.ts'

/** `holdshort run record`: scores all forecasts whose hours came true, as the pipeline does every hour. */
export function recordCommand(program: Command): void {
  program
    .command('record')
    .description(helpOf('run record'))
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the result as JSON')
    .action(async (flags: { dataDir?: string; json?: boolean }) => {
      const warehouse = await openCommandWarehouse(settingsOfExisting(flags))
      try {
        const bar = progress('Scoring')
        const { days, changes } = await updateRecord(warehouse, {
          now: Date.now(),
          maxDays: Number.POSITIVE_INFINITY,
          onProgress: (done, total) => bar.update(done, total, 'days'),
        })
        bar.end()
        const drift = changes.map(({ iata, state, reason }) => ({ airport: iata, state, reason }))
        print({ days, drift }, flags.json, () =>
          [`${days} days scored`, ...drift.map(({ airport, reason }) => `${airport}: ${reason}`)].join('\n'),
        )
      } finally {
        await warehouse.close()
      }
    })
}
