import { type Command, Option } from 'commander'
import { stringify } from 'csv-stringify/sync'
import { UsageError } from '../../config/errors.ts'
import { spreadsheetText, terminalText } from '../../config/outside-text.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { allTables } from '../../warehouse/tables/index.ts'
import { settingsOfExisting } from '../runtime/environment.ts'
import { printJson, printLines, textTable } from '../runtime/output.ts'

function cell(value: unknown): string | number | null {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  return JSON.stringify(value)
}

/** What the engine says about a statement, without the part that points at a place in it: one line. */
const firstSentences = (message: string) => (message.split('\n\n')[0] ?? '').replaceAll('\n', ' ')

/** A text for a CSV file, which a spreadsheet may open, or for a terminal. */
const csvTextFor = (isTerminal: boolean) => (text: string) =>
  isTerminal ? terminalText(spreadsheetText(text)) : spreadsheetText(text)

interface Flags {
  format: 'table' | 'csv' | 'json'
  json?: boolean
  unsafe?: boolean
  dataDir?: string
}

/** `holdshort query`: runs SQL over views of all tables. */
export function queryCommand(program: Command): void {
  program
    .command('query')
    .description(
      `Run SQL (DuckDB) that reads the warehouse and nothing else. Views: ${allTables.map(({ name }) => name).join(', ')}; warehouse/TABLES.md explains their columns.`,
    )
    .argument('<sql>', 'e.g. "SELECT iata, avg(wait_minutes) FROM readings WHERE date = \'2026-11-21\' GROUP BY 1"')
    .addOption(new Option('--format <format>', 'output format').choices(['table', 'csv', 'json']).default('table'))
    .option('--json', 'same as --format json')
    .option('--unsafe', 'allow every statement and every file that this user may read or write')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .action(async (sql: string, flags: Flags) => {
      const warehouse = await openWarehouse(settingsOfExisting(flags).data_dir)
      try {
        if (!flags.unsafe) await warehouse.restrictToReading()
        const rows = await warehouse.query(sql).catch((cause: Error) => {
          throw cause instanceof UsageError ? cause : new UsageError(`sql: ${firstSentences(cause.message)}`)
        })
        const header = Object.keys(rows[0] ?? {})
        if (flags.json || flags.format === 'json') printJson(rows)
        else if (flags.format === 'csv')
          process.stdout.write(
            stringify(
              rows.map((row) => Object.values(row).map(cell)),
              { header: true, columns: header, cast: { string: csvTextFor(process.stdout.isTTY) } },
            ),
          )
        else
          printLines(
            `${textTable(
              header,
              rows.map((row) => Object.values(row).map(cell)),
            )}\n(${rows.length} rows)`,
          )
      } finally {
        await warehouse.close()
      }
    })
}
