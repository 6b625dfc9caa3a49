import { resolve, sep } from 'node:path'
import type { Command } from 'commander'
import { UsageError } from '../../config/errors.ts'
import { isLicenceId, LICENCE_IDS, type LicenceId } from '../../config/licences.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { settingsOfKind } from '../../training/settings/kinds.ts'
import { type ExportReport, exportOpenData } from '../../warehouse/export/export.ts'
import { selectTables } from '../../warehouse/export/exported-tables.ts'
import type { TermsContext } from '../../warehouse/export/terms.ts'
import { readSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfInstallation } from '../runtime/environment.ts'
import {
  airportsFlag,
  hoursFlag,
  instantFlag,
  runSettingsFlag,
  SETTINGS_FLAG,
  trainedKindsFlag,
} from '../runtime/flags.ts'
import { makeBenchmark } from '../runtime/make-benchmark.ts'
import { print, progress, textTable } from '../runtime/output.ts'

interface Flags {
  table: string[]
  licence: Map<string, LicenceId>
  ownUse?: boolean
  benchmark?: boolean
  kind?: string
  from?: string
  to?: string
  every?: string
  airport: string[]
  settings?: string
  dataDir?: string
  json?: boolean
}

function licenceFlag(pair: string, all: Map<string, LicenceId>): Map<string, LicenceId> {
  const [source = '', licence = ''] = pair.split('=')
  if (source === '' || !isLicenceId(licence))
    throw new UsageError(`--licence: "${pair}" must be <source>=<licence>; the licences are ${LICENCE_IDS.join(', ')}`)
  return new Map([...all, [source, licence]])
}

/** `holdshort export`: writes the warehouse as open data. */
export function exportCommand(program: Command): void {
  program
    .command('export')
    .description(
      'Export tables as open data: Parquet files by month, a CSV an airport, README.md, manifest.json, datapackage.json and croissant.json. Only what changed is written again. Rows whose terms do not allow it are left out, and the manifest says so.',
    )
    .argument('[folder]', 'where to write (default: the folder of the installation that is served at /data)')
    .option('--table <name>', 'only this table; repeatable', (name: string, all: string[]) => [...all, name], [])
    .option(
      '--licence <source=licence>',
      'pass on the rows of a source whose terms the catalogue does not know, such as import=CC-BY-4.0; repeatable (HOLDSHORT_OPEN_DATA_GRANTS)',
      licenceFlag,
      new Map<string, LicenceId>(),
    )
    .option('--own-use', 'leave no row out; the export then says that it must not be passed on')
    .option(
      '--benchmark',
      'write a forecasting benchmark of the history instead: train and test spans, issue times, truth, the rules’ and our forecasts with their scores, and scorers that need nothing of this program',
    )
    .option('--kind <kind>', 'with --benchmark: the queue', 'security')
    .option('--from <instant>', 'with --benchmark: first issue (default: 28 days before the last)')
    .option('--to <instant>', 'with --benchmark: last issue (default: a week before the end of the history)')
    .option('--every <hours>', 'with --benchmark: hours between issues (default: 6h)')
    .option('--airport <iata>', 'with --benchmark: only this airport; repeatable', airportsFlag('--airport'), [])
    .option(...SETTINGS_FLAG)
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the result as JSON')
    .action(exportFolder)
}

/** Flags that only a benchmark takes. */
const BENCHMARK_FLAGS = ['from', 'to', 'every', 'settings'] as const

async function exportFolder(folder: string | undefined, flags: Flags): Promise<void> {
  if (flags.benchmark) return exportBenchmark(folder, flags)
  const misplaced = BENCHMARK_FLAGS.find((name) => flags[name] !== undefined)
  if (misplaced) throw new UsageError(`--${misplaced}: needs --benchmark`)
  const settings = settingsOfInstallation(flags)
  const target = targetOf(settings, folder, flags)
  const tables = selectTables(flags.table.length > 0 ? flags.table : tablesOf(settings, folder), '--table')
  const warehouse = await openCommandWarehouse(settings)
  try {
    const bar = progress('Exporting')
    const report = await exportOpenData({
      warehouse,
      folder: target,
      tables,
      terms: await termsFor(settings, flags),
      onProgress: (done, total, path) => bar.update(done, total, path),
    })
    bar.end()
    print(report, flags.json, () => reportText(report))
  } finally {
    await warehouse.close()
  }
}

async function exportBenchmark(folder: string | undefined, flags: Flags): Promise<void> {
  if (folder === undefined) throw new UsageError('--benchmark: needs a folder')
  if (flags.table.length > 0) throw new UsageError('--table: does not go with --benchmark')
  const installation = settingsOfInstallation(flags)
  const target = targetOf(installation, folder, flags)
  const kind = trainedKindsFlag(flags.kind ?? 'security')[0]!
  const settings = settingsOfKind(kind, runSettingsFlag(flags.settings, installation))
  if (flags.every !== undefined) settings.backtest.every_hours = hoursFlag(flags.every)
  const warehouse = await openCommandWarehouse(installation)
  try {
    const { task, references } = await makeBenchmark(warehouse, target, {
      kind,
      from_ms: flags.from === undefined ? undefined : instantFlag('--from', flags.from),
      to_ms: flags.to === undefined ? undefined : instantFlag('--to', flags.to),
      airports: flags.airport,
      settings,
      terms: await termsFor(installation, flags),
    })
    const { train, test, may_be_passed_on, simulated, airports } = task
    const rows = Object.entries(references).map(([name, { overall }]) => [
      name,
      overall?.samples ?? 0,
      overall?.mae_minutes.toFixed(3) ?? null,
      overall?.pinball_minutes.toFixed(4) ?? null,
    ])
    const about = {
      folder: target,
      kind,
      simulated,
      may_be_passed_on,
      train,
      test,
      airports: airports.length,
      references,
    }
    print(about, flags.json, () =>
      [
        `${airports.length} airports, issues from ${test.first_issue} to ${test.last_issue}${simulated ? ', SIMULATED' : ''} → ${target}`,
        ...(may_be_passed_on
          ? []
          : ['NOT to be passed on: the terms of some of its waits are unknown (see README.md, --licence)']),
        textTable(['forecasts', 'hours', 'MAE', 'pinball'], rows),
      ].join('\n'),
    )
  } finally {
    await warehouse.close()
  }
}

const termsFor = async (settings: Settings, { licence, ownUse }: Flags): Promise<TermsContext> => ({
  simulated: (await readSimulatedMark(settings.data_dir)) ?? false,
  own_licence: settings.open_data_licence,
  grants: new Map([...settings.open_data_grants, ...licence]),
  own_use: ownUse ?? false,
})

/** The tables of the setting where the served folder is exported, otherwise all. */
const tablesOf = ({ open_data }: Settings, folder: string | undefined) =>
  folder === undefined && open_data[0] !== 'off' ? open_data : ['all']

/** The folder to export into. What is served, and the data of the installation, hold nothing that may not be passed on. */
function targetOf({ data_dir }: Settings, folder: string | undefined, { ownUse }: Flags): string {
  const served = dataPaths(data_dir).open_data
  const target = folder === undefined ? served : resolve(folder)
  if (ownUse && (target === served || target.startsWith(served + sep)))
    throw new UsageError('--own-use: needs a folder of its own, because what lies in the default one is served')
  if (target !== served && (target === data_dir || target.startsWith(data_dir + sep)))
    throw new UsageError(`folder: ${target} lies in the data folder ${data_dir}; name another folder`)
  return target
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

function reportText(report: ExportReport): string {
  const { folder, files, rows, bytes, tables, simulated, may_be_passed_on, written_files, deleted_files, left_out } =
    report
  const lines = [
    `${rows} rows of ${tables} tables in ${files} files, ${megabytes(bytes)}${simulated ? ', SIMULATED' : ''} → ${folder}`,
    `${written_files} files written, ${deleted_files} deleted; the others did not change`,
  ]
  if (!may_be_passed_on) lines.push('NOT to be passed on: it holds rows whose terms are unknown')
  if (left_out.length === 0) return lines.join('\n')
  const rowsLeftOut = left_out.map((each) => [each.table, each.source, each.rows, each.reason])
  return [
    ...lines,
    '',
    'Left out for their terms (--licence <source>=<licence> names a licence that you have; --own-use leaves nothing out):',
    textTable(['table', 'source', 'rows', 'why'], rowsLeftOut),
  ].join('\n')
}
