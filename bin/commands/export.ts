import { resolve } from 'node:path'
import type { Command } from 'commander'
import { countText } from '../../config/count-text.ts'
import { UsageError } from '../../config/errors.ts'
import { faultOfGrants, grantsOf } from '../../config/licence-grants.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { type ExportReport, exportOpenData } from '../../warehouse/export/export.ts'
import { selectTables } from '../../warehouse/export/exported-tables.ts'
import type { TermsContext } from '../../warehouse/export/terms.ts'
import { readSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfInstallation } from '../runtime/environment.ts'
import { addDataCommand, type DataFlags } from '../runtime/help.ts'
import { megabytes, print, progress, textTable } from '../runtime/output.ts'
import { isWithin } from '../runtime/within.ts'

interface Flags extends DataFlags {
  out?: string
  table: string[]
  licence: string[]
  ownUse?: boolean
}

function licenceFlag(pair: string, pairs: readonly string[]): string[] {
  const fault = faultOfGrants([...pairs, pair])
  if (fault !== null) throw new UsageError(`--licence: ${fault}`)
  return [...pairs, pair]
}

/** `holdshort export`: writes the warehouse as open data. */
export function register(program: Command): void {
  addDataCommand(program, 'export')
    .argument('[folder]', 'where to write (default: the folder of the installation that is served at /data)')
    .option('--out <folder>', 'the same as the argument')
    .option('--table <name>', 'only this table; repeatable', (name: string, all: string[]) => [...all, name], [])
    .option(
      '--licence <source=licence>',
      'pass on the rows of a source whose terms the catalogue does not know, such as import=CC-BY-4.0; repeatable (HOLDSHORT_OPEN_DATA_GRANTS)',
      licenceFlag,
      [],
    )
    .option('--own-use', 'leave no row out; the export then says that it must not be passed on')
    .action(exportFolder)
}

async function exportFolder(argument: string | undefined, flags: Flags): Promise<void> {
  if (argument !== undefined && flags.out !== undefined && resolve(argument) !== resolve(flags.out))
    throw new UsageError('--out: names another folder than the argument; name one')
  const folder = argument ?? flags.out
  const settings = settingsOfInstallation(flags)
  const target = targetOf(settings, folder, flags)
  const tables = selectTables(flags.table.length > 0 ? flags.table : tablesOf(settings, folder), '--table')
  await using warehouse = await openCommandWarehouse(settings)
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
}

const termsFor = async (settings: Settings, { licence, ownUse }: Flags): Promise<TermsContext> => ({
  simulated: (await readSimulatedMark(settings.data_dir)) ?? false,
  own_licence: settings.open_data_licence,
  grants: new Map([...settings.open_data_grants, ...grantsOf(licence)]),
  own_use: ownUse ?? false,
})

const tablesOf = ({ open_data }: Settings, folder: string | undefined) =>
  folder === undefined && open_data[0] !== 'off' ? open_data : ['all']

/** The folder to export into. What is served, and the data of the installation, hold nothing that may not be passed on. */
function targetOf({ data_dir }: Settings, folder: string | undefined, { ownUse }: Flags): string {
  const served = dataPaths(data_dir).open_data
  const target = folder === undefined ? served : resolve(folder)
  if (ownUse && isWithin(target, served))
    throw new UsageError('--own-use: needs a folder of its own, because what lies in the default one is served')
  if (target !== served && isWithin(target, data_dir))
    throw new UsageError(`folder: ${target} lies in the data folder ${data_dir}; name another folder`)
  return target
}

function reportText(report: ExportReport): string {
  const { folder, files, rows, bytes, tables, simulated, may_be_passed_on, written_files, deleted_files, left_out } =
    report
  const lines = [
    `${countText(rows, 'row')} of ${countText(tables, 'table')} in ${countText(files, 'file')}, ${megabytes(bytes)}${simulated ? ', SIMULATED' : ''} → ${folder}`,
    `${countText(written_files, 'file')} written, ${deleted_files} deleted; the others did not change`,
  ]
  if (!may_be_passed_on) lines.push('NOT to be passed on: it holds rows whose terms are unknown')
  if (left_out.length === 0) return lines.join('\n')
  const excludedRows = left_out.map((exclusion) => [
    exclusion.table,
    exclusion.source,
    exclusion.rows,
    exclusion.reason,
  ])
  return [
    ...lines,
    '',
    'Left out for their terms (--licence <source>=<licence> names a licence that you have; --own-use leaves nothing out):',
    textTable(['table', 'source', 'rows', 'why'], excludedRows),
  ].join('\n')
}
