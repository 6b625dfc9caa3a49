import type { Command } from 'commander'
import { isoUtc } from '../../config/domain.ts'
import { buildImmigrationPrior, writeImmigrationPrior } from '../../training/border/border-prior.ts'
import { buildPrior, writePrior } from '../../training/prior/prior.ts'
import { trainedKindsFlag } from '../runtime/flags.ts'
import { print } from '../runtime/output.ts'

async function immigrationPrior(folder: string, json: boolean | undefined): Promise<void> {
  const prior = buildImmigrationPrior(folder, isoUtc(Date.now()).slice(0, 10))
  await writeImmigrationPrior(prior)
  const errorText = ({ airports, samples, mae_minutes, coverage_80, within_5 }: typeof prior.own.backtest) =>
    `MAE ${mae_minutes.toFixed(2)} min, coverage ${coverage_80.toFixed(2)}, within 5 min ${within_5.toFixed(2)} (${airports} airports, ${samples} hours)`
  print(prior, json, () =>
    [
      `own tables of ${prior.own.queues.length} queues, first half → second half: ${errorText(prior.own.backtest)}; widened by ${prior.own.widened_by}`,
      `an airport left out: ${errorText(prior.unseen.leave_one_airport_out)}; widened by ${prior.unseen.widened_by}`,
      `the same by local hour: ${errorText(prior.unseen.by_hour)}`,
      `rule of short histories: ${errorText(prior.rule.backtest)}; widened by ${prior.rule.widened_by}`,
    ].join('\n'),
  )
}

/** `holdshort prior`: builds the worldwide prior that ships with the project from a folder of real history. */
export function priorCommand(program: Command): void {
  program
    .command('prior')
    .description('Build the worldwide prior (config/prior/typical.json) from a folder of historical security waits.')
    .argument('<folder>', 'folder with security-* sets of csv.gz files, such as ../shared/history')
    .option('--kind <kind>', 'security, or immigration: config/prior/immigration.json from cbp-awt-* sets', 'security')
    .option('--json', 'print the prior as JSON')
    .action(async (folder: string, flags: { kind: string; json?: boolean }) => {
      const [kind] = trainedKindsFlag(flags.kind)
      if (kind === 'immigration') return immigrationPrior(folder, flags.json)
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
