import { basename } from 'node:path'
import { Command } from 'commander'
import { UsageError } from '../../config/errors.ts'
import { utcDayOf } from '../../config/vocabulary.ts'
import type { Prior } from '../../forecasting/prior/typical.ts'
import { buildImmigrationPrior, writeImmigrationPrior } from '../../training/research/border-prior.ts'
import { type MeasureOptions, measureHistory, renderMeasure } from '../../training/research/measure-history.ts'
import { measureNowcast, readNowcastHistory, renderNowcastFigures } from '../../training/research/measure-nowcast.ts'
import { buildNowcast, writeNowcast } from '../../training/research/nowcast-coefficients.ts'
import { buildPrior, writePrior } from '../../training/research/prior.ts'
import { readForecastFile } from '../../training/scoring/forecast-file.ts'
import { runCommandLine, withSafeOutput } from '../program.ts'
import { anySettings } from '../runtime/environment.ts'
import { instantFlag } from '../runtime/flags.ts'
import { print, progress } from '../runtime/output.ts'
import { SETTINGS_FLAG, trainedKindsFlag, trainingSettingsFlag } from '../runtime/training-flags.ts'

interface Flags {
  from?: string
  to?: string
  settings?: string
  nowcast?: boolean
  beside: string[]
  json?: boolean
}

/** `npm run learn -- measure`: backtests real history directly from its files. The accuracy figures in the docs come from this command. */
function measureCommand(program: Command): void {
  program
    .command('measure')
    .description(
      'Backtest a folder of historical security or immigration waits without a warehouse, and compare what would be served with the rules. The columns of the files say which it is.',
    )
    .argument('<folder>', 'folder of csv.gz files, such as ../shared/history/security-us-2026')
    .option('--from <instant>', 'first origin (default: 28 days before the last origin)')
    .option('--to <instant>', 'last origin (default: one week before the end of the history)')
    .option(...SETTINGS_FLAG)
    .option(
      '--beside <file>',
      'CSV of forecasts of another program (airport, issued_at, valid_at, p10, p50, p90), compared on the hours that all have; repeatable',
      (file: string, files: string[]) => [...files, file],
      [],
    )
    .option('--nowcast', 'score the next six hours against simple rules, on the later part of each set of the folder')
    .option('--json', 'print the metrics as JSON')
    .action(async (folder: string, flags: Flags) => {
      const settings = trainingSettingsFlag(flags.settings, anySettings({}))
      const bar = progress('Backtesting')
      if (flags.nowcast) {
        if (flags.from !== undefined || flags.to !== undefined)
          throw new UsageError('--nowcast: takes neither --from nor --to; the last two fifths of each set are scored')
        const figures = measureNowcast(readNowcastHistory(folder), (done, total) => bar.update(done, total, 'airports'))
        bar.end()
        print(figures, flags.json, () => renderNowcastFigures(figures))
        return
      }
      const options: MeasureOptions = { settings, onProgress: (done, total) => bar.update(done, total, 'refits') }
      options.beside = flags.beside.map((file) => ({
        name: basename(file).replace(/\.csv(\.gz)?$/, ''),
        forecasts: readForecastFile(file),
      }))
      if (flags.from !== undefined) options.from_ms = instantFlag('--from', flags.from)
      if (flags.to !== undefined) options.to_ms = instantFlag('--to', flags.to)
      const measure = await measureHistory(folder, options)
      bar.end()
      print(measure, flags.json, () => renderMeasure(measure))
    })
}

async function immigrationPrior(folder: string, flags: { json?: boolean; dryRun?: boolean }): Promise<void> {
  const prior = buildImmigrationPrior(folder, utcDayOf(Date.now()))
  if (!flags.dryRun) await writeImmigrationPrior(prior)
  const errorText = ({ airports, samples, mae_minutes, coverage_80, within_5 }: typeof prior.own.backtest) =>
    `MAE ${mae_minutes.toFixed(2)} min, coverage ${coverage_80.toFixed(2)}, within 5 min ${within_5.toFixed(2)} (${airports} airports, ${samples} hours)`
  print(prior, flags.json, () => [
    `own tables of ${prior.own.queues.length} queues, first half → second half: ${errorText(prior.own.backtest)}; widened by ${prior.own.widened_by}`,
    `an airport left out: ${errorText(prior.unseen.leave_one_airport_out)}; widened by ${prior.unseen.widened_by}`,
    `the same by local hour: ${errorText(prior.unseen.by_hour)}`,
    `rule of short histories: ${errorText(prior.rule.backtest)}; widened by ${prior.rule.widened_by}`,
  ])
}

/** `npm run learn -- prior`: builds the worldwide prior that ships with the project from a folder of real history. */
function priorCommand(program: Command): void {
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
      const prior = buildPrior(folder, utcDayOf(Date.now()))
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

/** `npm run learn -- nowcast`: learns from real history how the newest readings change the next six hours. */
function nowcastCommand(program: Command): void {
  program
    .command('nowcast')
    .description(
      'Learn how the newest readings change the next six hours (forecasting/nowcast/coefficients.json), from a folder of historical security waits. `npm run learn -- measure --nowcast` prints how good it is.',
    )
    .argument('<folder>', 'folder with security-* sets of csv.gz files, such as ../shared/history')
    .option('--dry-run', 'write nothing')
    .option('--json', 'print what was learned as JSON')
    .action(async (folder: string, flags: { dryRun?: boolean; json?: boolean }) => {
      const bar = progress('Learning')
      const learned = buildNowcast(readNowcastHistory(folder), utcDayOf(Date.now()), (done, total) =>
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

/** Learns the shipped parts from a folder of historical waits (`npm run learn -- <what> <folder>`); no part of the package. */
await runCommandLine(process.argv.slice(2), () => {
  const program = withSafeOutput(new Command('npm run learn --')).description(
    'Learn from historical waits what the project ships, and measure how good the forecasts are.',
  )
  for (const add of [measureCommand, priorCommand, nowcastCommand]) add(program)
  return program
})
