import { once } from 'node:events'
import { open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import type { Command } from 'commander'
import { stringify } from 'csv-stringify/sync'
import { countText } from '../../config/count-text.ts'
import { UsageError } from '../../config/errors.ts'
import { mapKeys } from '../../config/map-keys.ts'
import { DAY_MS, HORIZON_HOURS, HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { SERVED_COLUMNS } from '../../forecasting/quantiles/calibration.ts'
import { backtest, blockStarts } from '../../training/backtest/backtest.ts'
import { type PriorOrigin, priorOrigins } from '../../training/backtest/prior-origins.ts'
import { renderReport } from '../../training/backtest/report.ts'
import { type SeriesBacktest, servedForecasts } from '../../training/backtest/results.ts'
import { summariseBacktest } from '../../training/backtest/summary.ts'
import { readSeries, withoutSoleTerminals } from '../../training/border/border-history.ts'
import { openFits } from '../../training/fits/fits.ts'
import { readHistory, readLaneHistory } from '../../training/history/hourly-series.ts'
import { nowcastKeys } from '../../training/nowcast/backtest-keys.ts'
import { readKeys } from '../../training/nowcast/keys.ts'
import type { HourOfWeek } from '../../training/prior/adapted-forecast.ts'
import { settingsOfKind, TRAINED_KINDS } from '../../training/settings/kinds.ts'
import { LAG_HOURS } from '../../warehouse/storage/import-sql.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfInstallation } from '../runtime/environment.ts'
import { airportsFlag, hoursFlag, instantFlag } from '../runtime/flags.ts'
import { addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print, progress } from '../runtime/output.ts'
import { openTasks } from '../runtime/tasks.ts'
import { SETTINGS_FLAG, trainedKindsFlag, trainingSettingsFlag } from '../runtime/training-flags.ts'

/** Truths of the last origins: the horizon, and the days that CBP takes to publish. */
const MAX_TRUTH_DAYS = 14

interface Flags extends DataFlags {
  kind?: string
  from: string
  to: string
  every?: string
  settings?: string
  out: string
  nowcast?: boolean
  keys?: string
  airport: string[]
}

/** Opens the file of the forecasts before the long work, so that a path that cannot be written fails at once. @throws UsageError */
async function openOut(path: string): Promise<Writable> {
  const file = await open(path, 'w').catch((cause: Error) => {
    throw new UsageError(`--out: ${path} cannot be written (${cause.message})`)
  })
  return file.createWriteStream()
}

/** A run and the direction of its border queues; only immigration has terminals and directions here. */
interface NamedRun {
  run: SeriesBacktest
  place: string
  /** Origins at which no model forecasts. */
  priors: PriorOrigin[]
}

/** Writes the forecasts that would have been served, of each place by time of issue, and returns the number of rows. */
async function writePredictions(out: Writable, placeColumns: string, runs: readonly NamedRun[]): Promise<number> {
  let rows = 0
  out.write(`${placeColumns},issued_at,valid_at,p10,p50,p90,p_within_5\n`)
  for (const { run, place, priors } of runs) {
    const lines: { issued_ms: number; line: string }[] = []
    const add = (issued_ms: number, { valid_ms, p10, p50, p90, p_within_5 }: HourOfWeek) => {
      const figures = [p10, p50, p90, p_within_5].map((figure) => (Number.isNaN(figure) ? '' : figure.toFixed(3)))
      lines.push({ issued_ms, line: `${place},${isoUtc(issued_ms)},${isoUtc(valid_ms)},${figures.join(',')}\n` })
    }
    const served = servedForecasts(run)
    for (const [row, valid_ms] of run.valid_ms.entries())
      if (run.scored[row] === 1)
        add(run.issued_ms[row]!, { valid_ms, ...mapKeys(SERVED_COLUMNS, (name) => served[name][row]!) })
    for (const { issued_ms, hours } of priors) for (const hour of hours) add(issued_ms, hour)
    if (priors.length > 0) lines.sort((a, b) => a.issued_ms - b.issued_ms)
    rows += lines.length
    if (!out.write(lines.map(({ line }) => line).join(''))) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return rows
}

/** Writes what would have been served for each key, in the order of the keys; a cell is empty if nothing is known. */
async function backtestNowcast(
  { nowcast, keys: file, out: path, from, to, ...flags }: Flags,
  from_ms: number,
): Promise<void> {
  if (!nowcast) throw new UsageError('--keys: needs --nowcast')
  if (file === undefined)
    throw new UsageError('--nowcast: needs --keys <file> with the columns airport,issued_at,valid_at')
  // A day alone includes its instants.
  const to_ms = instantFlag('--to', to) + (to.includes('T') ? 0 : DAY_MS - 1)
  const keys = readKeys(file, from_ms, to_ms).filter(
    ({ airport }) => flags.airport.length === 0 || flags.airport.includes(airport),
  )
  await using warehouse = await openCommandWarehouse(settingsOfInstallation(flags))
  const out = await openOut(path)
  const bar = progress('Forecasting')
  const served = await nowcastKeys(warehouse, keys, (done, total) => bar.update(done, total, 'airports'))
  const cell = (value: number | null) => value?.toFixed(3) ?? ''
  out.write('airport,issued_at,valid_at,p10,p50,p90,p_closed\n')
  for (const [k, { airport, issued_at, valid_at }] of keys.entries()) {
    const { p10, p50, p90, p_closed } = served[k]!
    const cells = [airport, issued_at, valid_at, cell(p10), cell(p50), cell(p90), cell(p_closed)]
    if (!out.write(`${cells.join(',')}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  bar.end(`${countText(keys.length, 'forecast')} → ${path}`)
  const known = served.filter(({ p50 }) => p50 !== null).length
  print(
    { rows: keys.length, with_minutes: known, from, to },
    flags.json,
    () => `${countText(keys.length, 'row')}, ${known} with minutes`,
  )
}

/** `holdshort backtest`: writes rolling-origin forecasts over a period to a file that anyone can score. */
export function register(program: Command): void {
  addDataCommand(program, 'backtest', 'print the metrics as JSON instead of a table')
    .requiredOption('--from <instant>', 'first origin')
    .requiredOption('--to <instant>', 'last origin')
    .option('--every <hours>', 'hours between origins (default: those of the settings, 6h)')
    .option(...SETTINGS_FLAG)
    .option('--kind <kind>', `the queue: ${TRAINED_KINDS.join(' or ')}`, 'security')
    .requiredOption(
      '--out <file>',
      'CSV: airport,issued_at,valid_at,p10,p50,p90,p_within_5 (immigration: airport,terminal,direction,…); with --nowcast p_closed in place of p_within_5',
    )
    .option('--nowcast', 'forecast the instants of --keys from the readings up to each issue instead of whole hours')
    .option('--keys <file>', 'with --nowcast: CSV with the columns airport,issued_at,valid_at (at most 6 hours ahead)')
    .option('--airport <iata>', 'only this airport; repeatable', airportsFlag, [])
    .action(async (flags: Flags) => {
      const from_ms = instantFlag('--from', flags.from)
      const to_ms = instantFlag('--to', flags.to)
      if (to_ms < from_ms) throw new UsageError('--to: must not be before --from')
      if (flags.nowcast || flags.keys !== undefined) {
        await backtestNowcast(flags, from_ms)
        return
      }
      const installation = settingsOfInstallation(flags)
      const kind = trainedKindsFlag(flags.kind)[0]!
      const settings = settingsOfKind(kind, trainingSettingsFlag(flags.settings, installation))
      if (flags.every !== undefined) settings.backtest.every_hours = hoursFlag(flags.every)
      await using warehouse = await openCommandWarehouse(installation)
      const isSecurity = kind === 'security'
      const span_ms = (settings.backtest.burn_in_days + settings.history.days) * DAY_MS
      const history = isSecurity
        ? await readHistory(warehouse, { kind })
        : withoutSoleTerminals(
            await readSeries(warehouse, {
              kind,
              from: isoUtc(from_ms - span_ms),
              cutoff: isoUtc(to_ms + MAX_TRUTH_DAYS * DAY_MS),
            }),
          )
      const isSelected = ({ iata, terminal }: HourlySeries) =>
        (terminal === '' || !isSecurity) && (flags.airport.length === 0 || flags.airport.includes(iata))
      const selected = history.filter(isSelected)
      if (selected.length === 0)
        throw new UsageError(
          'the warehouse has no hourly history of these airports; import some, then run `holdshort run rollup`',
        )
      const out = await openOut(flags.out)
      const bar = progress('Backtesting')
      const series = selected.map(prepareSeries)
      // As in training, the nets learn from all airports, their terminals and their lanes.
      const others = history.filter((series) => !isSelected(series))
      const laneHistory = isSecurity ? await readLaneHistory(warehouse, { kind }) : []
      const lanes = [...others, ...laneHistory].map(prepareSeries)
      const refits = blockStarts({ from_ms, to_ms, settings }).map((cutoff_ms) => ({
        cutoff_ms,
        seeds: settings.seeds,
      }))
      const tasks = await openTasks(installation)
      const input = { series, lanes, cutoff_ms: refits.at(-1)!.cutoff_ms, settings }
      const fits = await openFits(tasks, input, refits)
      const runs = await backtest(series, {
        from_ms,
        to_ms,
        fitAt: (cutoff_ms) => fits.ensemble({ cutoff_ms, seeds: settings.seeds }),
        settings,
        truth_cutoff_ms: to_ms + (HORIZON_HOURS + LAG_HOURS[kind]) * HOUR_MS,
        onProgress: (done, total) => bar.update(done, total, 'refits'),
      }).finally(tasks.close)
      const named = runs.map((run, k): NamedRun => {
        const { iata, terminal, direction = '' } = selected[k]!
        const place = stringify([isSecurity ? [iata] : [iata, terminal, direction]], { eof: false })
        const priors = isSecurity ? priorOrigins(series[k]!, run, { from_ms, to_ms, settings }) : []
        return { run, place, priors }
      })
      const rows = await writePredictions(out, isSecurity ? 'airport' : 'airport,terminal,direction', named)
      bar.end(`${countText(rows, 'forecast')} → ${flags.out}`)
      const measure = summariseBacktest(runs, kind)
      print(measure, flags.json, () => renderReport(measure))
    })
}
