import { type Command, Option } from 'commander'
import { UsageError } from '../../config/errors.ts'
import { type ImportReport, importCsv } from '../../warehouse/storage/import.ts'
import { IMPORT_COLUMNS, IMPORT_KINDS, type ImportColumn, type ImportKind } from '../../warehouse/storage/import-sql.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsFor } from '../runtime/environment.ts'
import { numberFlag } from '../runtime/flags.ts'
import { print } from '../runtime/output.ts'

interface Flags {
  kind: ImportKind
  source: string
  map: string[]
  lagHours?: number
  dataDir?: string
  json?: boolean
}

function columnMap(pairs: string[]): Partial<Record<ImportColumn, string>> {
  const names = Object.keys(IMPORT_COLUMNS)
  return Object.fromEntries(
    pairs.map((pair) => {
      const [ours, theirs] = pair.split('=')
      if (!ours || !theirs || !names.includes(ours))
        throw new UsageError(`--map: "${pair}" must be <column>=<header>; the columns are ${names.join(', ')}`)
      return [ours, theirs]
    }),
  )
}

/** A year. */
const MAX_LAG_HOURS = 8_784

const lagFlag = (text: string) => numberFlag('--lag-hours', text, 0, MAX_LAG_HOURS)

function report({ file, rows, new_rows, already_there, bad_rows, bad, codes_read_as }: ImportReport): string {
  const codes = codes_read_as.map(
    ({ code, iata, rows: ofCode, notice }) =>
      `  airport ${code}: read as ${iata} (${ofCode} rows)${notice ? `: ${notice}` : ''}`,
  )
  const lines = [...codes, ...bad.map(({ line, fault }) => `  line ${line}: ${fault}`)]
  if (bad_rows > bad.length) lines.push(`  … and ${bad_rows - bad.length} more`)
  return [`${file}: ${rows} rows, ${new_rows} new, ${already_there} already present, ${bad_rows} bad`, ...lines].join(
    '\n',
  )
}

/** `holdshort import`: imports history from CSV files. */
export function importCommand(program: Command): void {
  program
    .command('import')
    .description(
      'Import CSV files (also .gz) of waits or throughput. Importing a file again changes nothing. Bad rows are reported by line.',
    )
    .argument('<file...>', `CSV with the columns ${Object.keys(IMPORT_COLUMNS).join(', ')}`)
    .addOption(new Option('--kind <kind>', 'what the rows contain').choices(IMPORT_KINDS).makeOptionMandatory())
    .option('--source <name>', 'value of the column `source`; must begin with "import"', 'import')
    .option(
      '--map <column=header>',
      'the header of a column that is named differently in the file; repeatable',
      (pair: string, all: string[]) => [...all, pair],
      [],
    )
    .option(
      '--lag-hours <hours>',
      'hours until these figures became known (default: 72 for immigration and throughput, 24 after the day for daily_throughput, otherwise 0)',
      lagFlag,
    )
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the report as JSON')
    .action(async (files: string[], flags: Flags) => {
      if (!flags.source.startsWith('import')) throw new UsageError('--source: must begin with "import"')
      const settings = settingsFor(flags)
      await checkSimulatedMark(settings)
      const warehouse = await openCommandWarehouse(settings)
      try {
        const reports: ImportReport[] = []
        for (const file of files) {
          const lag = flags.lagHours === undefined ? {} : { lagHours: flags.lagHours }
          reports.push(
            await importCsv(warehouse, file, {
              kind: flags.kind,
              source: flags.source,
              columnMap: columnMap(flags.map),
              ...lag,
            }),
          )
        }
        // Many rows at once bypass the log of the file, which then grows until a checkpoint.
        await warehouse.maintain('CHECKPOINT')
        print(reports, flags.json, () => reports.map(report).join('\n'))
      } finally {
        await warehouse.close()
      }
    })
}
