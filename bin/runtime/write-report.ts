import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { UsageError } from '../../config/errors.ts'
import type { PreparedSeries } from '../../forecasting/features/profile.ts'
import { measureAblations } from '../../training/backtest/ablations.ts'
import type { SeriesBacktest } from '../../training/backtest/backtest.ts'
import { measureOpening } from '../../training/opening/measure-opening.ts'
import type { OpenSeries } from '../../training/opening/open-series.ts'
import { reportFigures } from '../../training/report/figures.ts'
import { renderPage } from '../../training/report/page.ts'
import type { RunSettings } from '../../training/settings/run-settings.ts'
import { progress } from './output.ts'
import { VERSION } from './version.ts'

export interface ReportFlags {
  report?: string
  ablations?: boolean
}

export const REPORT_FLAG = ['--report <file>', 'also write a report as one HTML page'] as const
export const ABLATIONS_FLAG = [
  '--ablations',
  'with --report: also fit without each group of inputs (about ten more fits)',
] as const

/** Opens the file that a flag names, before the long work, so that a path that cannot be written fails at once. @throws UsageError */
export async function openOutput(flag: string, path: string, mode: 'a' | 'w'): Promise<FileHandle> {
  return open(path, mode).catch((cause: Error) => {
    throw new UsageError(`${flag}: ${path} cannot be written (${cause.message})`)
  })
}

/** Fails before the long work when the file cannot be written, or is not asked for as it must be. @throws UsageError */
export async function checkReportFlags({ report, ablations }: ReportFlags): Promise<void> {
  if (ablations && report === undefined) throw new UsageError('--ablations: needs --report <file>')
  if (report === undefined) return
  await (await openOutput('--report', report, 'a')).close()
}

interface ReportedBacktest {
  title: string
  source: string
  runs: readonly SeriesBacktest[]
  series: readonly PreparedSeries[]
  /** Series that the nets also learned from. */
  lanes: readonly PreparedSeries[]
  /** Whether the queues were open; null where closed hours are not scored. */
  readOpen: (() => OpenSeries[] | Promise<OpenSeries[]>) | null
  from_ms: number
  to_ms: number
  settings: RunSettings
  /** `performance.now()` when the work began. */
  started: number
}

const AIRPORT_LEVEL = ({ terminal }: { terminal: string }) => terminal === ''

/** Writes the report of a backtest, if it is asked for. */
export async function writeReport({ report, ablations }: ReportFlags, run: ReportedBacktest): Promise<void> {
  if (report === undefined) return
  const { user, system } = process.cpuUsage()
  const costs = {
    wall_seconds: (performance.now() - run.started) / 1_000,
    cpu_seconds: (user + system) / 1e6,
    peak_memory_mb: process.resourceUsage().maxRSS / 1_024,
  }
  const airports = run.series.filter(AIRPORT_LEVEL)
  const bar = ablations ? progress('Leaving out groups of inputs') : null
  const { from_ms, to_ms, settings, lanes } = run
  const measured = bar
    ? await measureAblations(airports, {
        from_ms,
        to_ms,
        settings,
        lanes,
        onProgress: (done, total) => bar.update(done, total),
      })
    : []
  bar?.end()
  const { title, source } = run
  const open = run.readOpen ? (await run.readOpen()).filter(AIRPORT_LEVEL) : null
  const page = renderPage(reportFigures(run.runs, airports), {
    title,
    source,
    from_ms,
    to_ms,
    settings,
    costs,
    command: commandLine(),
    version: VERSION,
    ablations: measured,
    opening: open && measureOpening(open, { from_ms, to_ms }),
  })
  await writeFile(report, page)
}

/** The command as it was typed, without the path of the program. */
function commandLine(): string {
  const words = process.argv
    .slice(2)
    .map((word) => (/^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
  return ['npx holdshort', ...words].join(' ')
}
