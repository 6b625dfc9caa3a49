import { resolve } from 'node:path'
import type { Command } from 'commander'
import { countText } from '../../config/count-text.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { DAY_MS, isoUtc } from '../../config/vocabulary.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { readSeries } from '../../training/border/border-history.ts'
import { newestAvailable } from '../../training/history/hourly-series.ts'
import { trainingTable } from '../../training/history/training-table.ts'
import { settingsOfKind, TRAINED_KINDS } from '../../training/settings/kinds.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { readSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfInstallation } from '../runtime/environment.ts'
import { airportsFlag, instantFlag, requireWritableFolder } from '../runtime/flags.ts'
import { addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print, progress } from '../runtime/output.ts'
import { SETTINGS_FLAG, trainedKindsFlag, trainingSettingsFlag } from '../runtime/training-flags.ts'

interface Flags extends DataFlags {
  airport: string[]
  kind?: string
  from?: string
  to?: string
  settings?: string
  out: string
}

/** `holdshort features`: writes the training table of airports as Parquet. */
export function register(program: Command): void {
  addDataCommand(program, 'features')
    .option('--airport <iata>', 'only this airport; repeatable (default: all)', airportsFlag, [])
    .option('--kind <kind>', `queues: ${TRAINED_KINDS.join(' or ')} (default: security)`)
    .option('--from <instant>', 'forecasts issued from then on (default: all)')
    .option('--to <instant>', 'only what was known then (default: when the newest hour became known)')
    .option(...SETTINGS_FLAG)
    .requiredOption('--out <file>', 'Parquet file to write')
    .action(features)
}

async function features(flags: Flags): Promise<void> {
  const [kind] = flags.kind === undefined ? (['security'] as const) : trainedKindsFlag(flags.kind)
  const settings = settingsOfInstallation(flags)
  const out = resolve(flags.out)
  requireWritableFolder('--out', out)
  const run = settingsOfKind(kind!, trainingSettingsFlag(flags.settings, settings))
  await using warehouse = await openCommandWarehouse(settings)
  await rollUp(warehouse)
  const to_ms =
    flags.to === undefined
      ? ((await newestAvailable(warehouse, kind!, Date.now())) ?? Date.now())
      : instantFlag('--to', flags.to)
  const from_ms = flags.from === undefined ? Number.NEGATIVE_INFINITY : instantFlag('--from', flags.from)
  if (from_ms >= to_ms) throw new UsageError(`--from: must be before ${isoUtc(to_ms)}`)
  const history_from = isoUtc(to_ms - run.history.days * DAY_MS)
  const all = await readSeries(warehouse, { kind: kind!, cutoff: isoUtc(to_ms), from: history_from })
  const selected = all.filter(({ iata }) => flags.airport.length === 0 || flags.airport.includes(iata))
  const bar = progress('Features')
  const simulated = (await readSimulatedMark(settings.data_dir)) ?? false
  const request = { from_ms, to_ms, step_hours: run.fit.origin_step_hours, simulated }
  function* tables() {
    for (const [index, series] of selected.entries()) {
      bar.update(index, selected.length)
      const table = trainingTable(prepareSeries(series), request)
      if (table) yield table
    }
  }
  const rows = await warehouse.writeParquet(tables(), out)
  bar.end(countText(rows, 'row'))
  if (rows === 0)
    throw new HoldshortError(
      'NOT_ENOUGH_HISTORY',
      'no row was written: a forecast needs ten days of hours before it, and an observed hour after it',
    )
  print(
    { file: out, rows, series: selected.length, to: isoUtc(to_ms), simulated },
    flags.json,
    () => `${out}: ${countText(rows, 'row')}`,
  )
}
