import type { Command } from 'commander'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { rollUpSources } from '../../warehouse/storage/source-hours.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfExisting } from '../runtime/environment.ts'
import { helpOf } from '../runtime/help.ts'
import { print, progress } from '../runtime/output.ts'

/** `holdshort run rollup`: computes the hourly rollups of every day that has newer readings or runs. */
export function rollupCommand(program: Command): void {
  program
    .command('rollup')
    .description(helpOf('run rollup'))
    .option('--all', 'every day, including days that are up to date')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the result as JSON')
    .action(async (flags: { all?: boolean; dataDir?: string; json?: boolean }) => {
      const warehouse = await openCommandWarehouse(settingsOfExisting(flags))
      try {
        const bar = progress('Rolling up')
        const all = flags.all ?? false
        await rollUpSources(warehouse, Date.now(), { all })
        const days = await rollUp(warehouse, { all, onProgress: (done, total) => bar.update(done, total, 'days') })
        bar.end()
        print({ days }, flags.json, () => `${days} days rolled up`)
      } finally {
        await warehouse.close()
      }
    })
}
