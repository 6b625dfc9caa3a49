import type { Command } from 'commander'
import { UsageError } from '../../config/errors.ts'
import { measureHistory } from '../../training/backtest/measure.ts'
import { renderReport } from '../../training/backtest/report.ts'
import { measureNowcast, readNowcastHistory } from '../../training/nowcast/measure.ts'
import { renderNowcastFigures } from '../../training/nowcast/report.ts'
import { anySettings } from '../runtime/environment.ts'
import { instantFlag, runSettingsFlag, SETTINGS_FLAG } from '../runtime/flags.ts'
import { print, progress } from '../runtime/output.ts'

interface Flags {
  from?: string
  to?: string
  settings?: string
  nowcast?: boolean
  json?: boolean
}

/** `npm run learn -- measure`: backtests real history directly from its files. The accuracy figures in the docs come from this command. */
export function measureCommand(program: Command): void {
  program
    .command('measure')
    .description(
      'Backtest a folder of historical security or immigration waits without a warehouse, and compare what would be served with the rules. The columns of the files say which it is.',
    )
    .argument('<folder>', 'folder of csv.gz files, such as ../shared/history/security-us-2026')
    .option('--from <instant>', 'first origin (default: 28 days before the last origin)')
    .option('--to <instant>', 'last origin (default: one week before the end of the history)')
    .option(...SETTINGS_FLAG)
    .option('--nowcast', 'score the next six hours against simple rules, on the later part of each set of the folder')
    .option('--json', 'print the metrics as JSON')
    .action(async (folder: string, flags: Flags) => {
      const settings = runSettingsFlag(flags.settings, anySettings({}))
      const bar = progress('Backtesting')
      if (flags.nowcast) {
        if (flags.from !== undefined || flags.to !== undefined)
          throw new UsageError('--nowcast: takes neither --from nor --to; the last two fifths of each set are scored')
        const figures = measureNowcast(readNowcastHistory(folder), (done, total) => bar.update(done, total, 'airports'))
        bar.end()
        print(figures, flags.json, () => renderNowcastFigures(figures))
        return
      }
      const { measure } = await measureHistory(folder, {
        settings,
        ...(flags.from === undefined ? {} : { from_ms: instantFlag('--from', flags.from) }),
        ...(flags.to === undefined ? {} : { to_ms: instantFlag('--to', flags.to) }),
        onProgress: (done, total) => bar.update(done, total, 'refits'),
      })
      bar.end()
      print(measure, flags.json, () => renderReport(measure))
    })
}
