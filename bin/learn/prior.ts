import type { Command } from 'commander'
import { isoUtc } from '../../config/domain.ts'
import type { Prior } from '../../forecasting/prior/typical.ts'
import { buildImmigrationPrior, writeImmigrationPrior } from '../../training/border/border-prior.ts'
import { buildPrior, writePrior } from '../../training/prior/prior.ts'
import { trainedKindsFlag } from '../runtime/flags.ts'
import { print } from '../runtime/output.ts'

async function immigrationPrior(folder: string, flags: { json?: boolean; dryRun?: boolean }): Promise<void> {
  const prior = buildImmigrationPrior(folder, isoUtc(Date.now()).slice(0, 10))
  if (!flags.dryRun) await writeImmigrationPrior(prior)
  const errorText = ({ airports, samples, mae_minutes, coverage_80, within_5 }: typeof prior.own.backtest) =>
    `MAE ${mae_minutes.toFixed(2)} min, coverage ${coverage_80.toFixed(2)}, within 5 min ${within_5.toFixed(2)} (${airports} airports, ${samples} hours)`
  print(prior, flags.json, () =>
    [
      `own tables of ${prior.own.queues.length} queues, first half → second half: ${errorText(prior.own.backtest)}; widened by ${prior.own.widened_by}`,
      `an airport left out: ${errorText(prior.unseen.leave_one_airport_out)}; widened by ${prior.unseen.widened_by}`,
      `the same by local hour: ${errorText(prior.unseen.by_hour)}`,
      `rule of short histories: ${errorText(prior.rule.backtest)}; widened by ${prior.rule.widened_by}`,
    ].join('\n'),
  )
}

/** `npm run learn -- prior`: builds the worldwide prior that ships with the project from a folder of real history. */
export function priorCommand(program: Command): void {
  program
    .command('prior')
    .description(
      'Build the worldwide prior (forecasting/prior/typical.json), and how own readings adapt it, from a folder of historical security waits; prints the scores on airports left out.',
    )
    .argument('<folder>', 'folder with security-* sets of csv.gz files, such as ../shared/history')
    .option(
      '--kind <kind>',
      'security, or immigration: forecasting/prior/immigration.json from cbp-awt-* sets',
      'security',
    )
    .option('--dry-run', 'print the scores only; write nothing')
    .option('--json', 'print the prior as JSON')
    .action(async (folder: string, flags: { kind: string; json?: boolean; dryRun?: boolean }) => {
      const [kind] = trainedKindsFlag(flags.kind)
      if (kind === 'immigration') return immigrationPrior(folder, flags)
      const prior = buildPrior(folder, isoUtc(Date.now()).slice(0, 10))
      if (!flags.dryRun) await writePrior(prior)
      print(prior, flags.json, () => [...classLines(prior), ...ownDaysLines(prior)].join('\n'))
    })
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

function classLines({ classes }: Prior): string[] {
  return classes.map(({ size, airports, hours, leave_one_airport_out: out, extrapolated_from }) => {
    const measured = out
      ? `MAE ${out.mae_minutes.toFixed(2)} min, coverage ${percent(out.coverage_80)}, within 5 min ${percent(out.within_5)} (claimed ${percent(out.confidence)})`
      : 'no observed airport'
    return `${size}: ${airports.length} airports, ${hours} hours; airports left out: ${measured}${extrapolated_from ? `; extrapolated from ${extrapolated_from}` : ''}`
  })
}

function ownDaysLines({ own_readings: { measured } }: Prior): string[] {
  return [
    'Airports left out, after days of own readings (means over airports, the next 168 hours):',
    ...measured.map(
      (row) =>
        `${row.own_days} days (${row.own_hours.toFixed(0)} hours), ${row.airports} airports: MAE ${row.mae_minutes.toFixed(2)} min (prior alone ${row.prior_mae_minutes.toFixed(2)}), coverage ${percent(row.coverage_80)}, within 5 min ${percent(row.within_5)} (claimed ${percent(row.confidence)})`,
    ),
  ]
}
