import type { Command } from 'commander'
import { publish } from '../../warehouse/publishing/publish.ts'
import { readSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { leadHere, openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfExisting } from '../runtime/environment.ts'
import { helpOf } from '../runtime/help.ts'
import { print } from '../runtime/output.ts'

/** `holdshort run publish`: publishes a snapshot of the warehouse in its current state. */
export function publishCommand(program: Command): void {
  program
    .command('publish')
    .description(helpOf('run publish'))
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the result as JSON')
    .action(async (flags: { dataDir?: string; json?: boolean }) => {
      const settings = settingsOfExisting(flags)
      const lead = await leadHere(settings)
      const warehouse = await openCommandWarehouse(settings)
      try {
        const simulated = (await readSimulatedMark(settings.data_dir)) ?? false
        const { beforeCurrent } = lead
        const options = Object.assign({ now: Date.now(), simulated }, beforeCurrent && { beforeCurrent })
        const snapshot = await publish(warehouse, options)
        print({ snapshot }, flags.json, () => `published ${snapshot}`)
      } finally {
        await warehouse.close()
        await lead.end()
      }
    })
}
