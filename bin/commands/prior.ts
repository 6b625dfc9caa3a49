import type { Command } from 'commander'
import { isoUtc } from '../../config/domain.ts'
import { buildPrior, writePrior } from '../../training/prior/prior.ts'
import { print } from '../runtime/output.ts'

/** `holdshort prior`: builds the worldwide prior that ships with the project from a folder of real history. */
export function priorCommand(program: Command): void {
  program
    .command('prior')
    .description('Build the worldwide prior (config/prior/typical.json) from a folder of historical security waits.')
    .argument('<folder>', 'folder with security-* sets of csv.gz files, such as ../shared/history')
    .option('--json', 'print the prior as JSON')
   .action(async (folder: string, flags: { json?: boolean }) => {
      const prior = buildPrior(folder, isoUtc(Date.now()).slice(0, 10))
      await writePrior(prior)
      print(prior, flags.json, () =>
        prior.classes
          .map(({ size, airports, hours, leave_one_airport_out: out, extrapolated_from }) => {
            const measured = out
              ? `MAE ${out.mae_minutes.toFixed(2)} min, coverage ${out.coverage_80.toFixed(2)}, within 5 min ${out.within_5.toFixed(2)}`
              : 'no observed airport'
            return `${size}: ${airports.length} airports, ${hours} hours; leave-one-out: ${measured}${extrapolated_from ? `; extrapolated from ${extrapolated_from}` : ''}`
          })
          .join('\n'),
      )
    })
}
