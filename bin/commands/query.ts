import { type Command, Option } from 'commander'
import { AS_OF, CATALOGUES } from '../../warehouse/tables/catalogues.ts'
import { allTables } from '../../warehouse/tables/index.ts'
import { QUESTIONS } from '../../warehouse/tables/questions.ts'
import { FORMAT_NAMES, type FormatName } from '../query/formats.ts'
import { endWithParent, IN_CHILD, STATEMENT_BY_MESSAGE } from '../query/statement.ts'
import { settingsOfInstallation } from '../runtime/environment.ts'
import { numberFlag } from '../runtime/flags.ts'
import { helpOf } from '../runtime/help.ts'

interface Flags {
  format: FormatName
  unsafe?: boolean
  seconds: number
  dataDir?: string
}

/** `holdshort query`: runs SQL over views of all tables. */
export function register(program: Command): void {
  const views = [...QUESTIONS, ...allTables, ...CATALOGUES].map(({ name }) => name)
  program
    .command('query')
    .description(
      `${helpOf('query')} Views: ${views.join(', ')}; warehouse/TABLES.md explains their columns. What was known at an instant: ${AS_OF.map(({ name }) => name).join(', ')}, as in FROM rollups_as_of('2026-11-20T14:00:00Z').`,
    )
    .argument('[sql]', 'e.g. "SELECT city, avg(mean) FROM security_hours GROUP BY 1"; without it, a prompt')
    .addOption(new Option('--format <format>', 'output format').choices(FORMAT_NAMES).default('table'))
    .option(
      '--unsafe',
      "allow every statement and every file that this user may read or write, e.g. COPY (SELECT …) TO 'waits.parquet'",
    )
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .addOption(
      new Option('--seconds <seconds>', 'how long the query may take')
        .default(600)
        .argParser((text) => numberFlag('--seconds', text, 1, 86_400)),
    )
    .action(async (sql: string | undefined, flags: Flags) => {
      const settings = settingsOfInstallation(flags)
      const parent = process.env[IN_CHILD]
      if (parent !== undefined) endWithParent(Number(parent))
      if (sql !== undefined || process.env[STATEMENT_BY_MESSAGE] !== undefined)
        return (await import('../query/run-statement.ts')).runStatement(settings, flags, sql)
      const options = { data_dir: settings.data_dir, unsafe: flags.unsafe ?? false, seconds: flags.seconds }
      process.exitCode = await (await import('../query/prompt.ts')).runPrompt(options, flags.format)
    })
}
