import type { Command } from 'commander'
import { publish } from '../../warehouse/serving/publish.ts'
import { worldOf } from '../../warehouse/storage/simulated-mark.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { print, settingsFor } from '../runtime/environment.ts'

/** `holdshort publish`: a serving snapshot of the warehouse as it is. */
export function publishCommand(program: Command): void {
  program
    .command('publish')
    .description('Publish a serving snapshot of the warehouse as it is; a running server takes it up at once.')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the result as JSON')
    .action(async (flags: { dataDir?: string; json?: boolean }) => {
      const settings = settingsFor(flags)
      const warehouse = await openWarehouse(settings.data_dir)
      try {
        const simulated = (await worldOf(settings.data_dir)) ?? false
        const snapshot = await publish(warehouse, { now: Date.now(), simulated })
        print({ snapshot }, flags.json, () => `published ${snapshot}`)
      } finally {
        await warehouse.close()
      }
    })
}
