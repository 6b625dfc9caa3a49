import type { Command } from 'commander'
import { isoUtc } from '../../config/domain.ts'
import type { LearnedAdjustment } from '../../forecasting/assimilation/learned.ts'
import { buildAssimilation, writeAssimilation } from '../../training/assimilation/build.ts'
import { print, progress } from '../runtime/output.ts'

/** `npm run learn -- assimilation`: learns from real history how the newest reading adjusts the forecast of the next hours. */
export function assimilationCommand(program: Command): void {
  program
    .command('assimilation')
    .description(
      'Learn how the newest reading adjusts the forecast of the next hours (forecasting/assimilation/learned.json), from a folder of historical security waits.',
    )
    .argument('<folder>', 'folder with security-* sets of csv.gz files, such as ../shared/history')
    .option('--dry-run', 'print the scores only, write nothing')
    .option('--json', 'print what was learned as JSON')
    .action(async (folder: string, flags: { dryRun?: boolean; json?: boolean }) => {
      const bar = progress('Learning')
      const learned = await buildAssimilation(folder, isoUtc(Date.now()).slice(0, 10), (done, total) =>
        bar.update(done, total, 'steps'),
      )
      bar.end()
      if (!flags.dryRun) await writeAssimilation(learned)
      print(learned, flags.json, () =>
        [
          ...tableOf('Worldwide prior', learned.typical),
          ...tableOf('Forecasts from own history', learned.predicted),
        ].join('\n'),
      )
    })
}

/** The scores before and after the adjustment as a Markdown table. */
function tableOf(
  name: string,
  { airports, samples, backtest, readings_outside_next_hour: outside }: LearnedAdjustment,
) {
  const percent = (fraction: number) => `${(100 * fraction).toFixed(1)} %`
  return [
    `${name}: learned from ${samples} pairs of ${airports} airports. Readings outside the next hour's interval: ${percent(outside.issued)}, adjusted ${percent(outside.adjusted)}.`,
    '',
    '| hours ahead | airports | samples | MAE issued | adjusted | pinball issued | adjusted | coverage issued | adjusted | within 5 min | confidence |',
    '|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
    ...backtest.map((at) => {
      const cells = [
        at.lead_hours,
        at.airports,
        at.samples,
        at.issued.mae_minutes.toFixed(2),
        at.adjusted.mae_minutes.toFixed(2),
        at.issued.pinball_minutes.toFixed(3),
        at.adjusted.pinball_minutes.toFixed(3),
        percent(at.issued.coverage_80),
        percent(at.adjusted.coverage_80),
        percent(at.adjusted.within_5),
        percent(at.adjusted.confidence),
      ]
      return `| ${cells.join(' | ')} |`
    }),
    '',
  ]
}
