import type { Command } from 'commander'
import { isoUtc } from '../../config/domain.ts'
import { buildNowcast, writeNowcast } from '../../training/nowcast/build.ts'
import { readNowcastHistory } from '../../training/nowcast/measure.ts'
import { print, progress } from '../runtime/output.ts'

/** `npm run learn -- nowcast`: learns from real history how the newest readings change the next six hours. */
export function nowcastCommand(program: Command): void {
  program
    .command('nowcast')
    .description(
      'Learn how the newest readings change the next six hours (forecasting/nowcast/learned.json), from a folder of historical security waits. `npm run learn -- measure --nowcast` prints how good it is.',
    )
    .argument('<folder>', 'folder with security-* sets of csv.gz files, such as ../shared/history')
    .option('--dry-run', 'write nothing')
    .option('--json', 'print what was learned as JSON')
    .action(async (folder: string, flags: { dryRun?: boolean; json?: boolean }) => {
      const bar = progress('Learning')
      const learned = buildNowcast(readNowcastHistory(folder), isoUtc(Date.now()).slice(0, 10), (done, total) =>
        bar.update(done, total, 'airports'),
      )
      bar.end()
      if (!flags.dryRun) await writeNowcast(learned)
      print(
        learned,
        flags.json,
        () => `Learned from ${learned.samples} pairs of an issue and a later instant of ${learned.airports} airports.`,
      )
    })
}
