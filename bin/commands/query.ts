import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { spreadsheetText, terminalJson, terminalLines, terminalText } from '../../config/outside-text.ts'
import { dataPaths } from '../../config/settings.ts'
import { openAnalystSession } from '../../warehouse/storage/analyst-session.ts'
import type { TextColumn, TextResult } from '../../warehouse/storage/text-result.ts'
import { AS_OF, CATALOGUES } from '../../warehouse/tables/catalogues.ts'
import { allTables } from '../../warehouse/tables/index.ts'
import { settingsOfInstallation } from '../runtime/environment.ts'
import { numberFlag } from '../runtime/flags.ts'
import { tablesPlace } from '../runtime/shared-stores.ts'
import { CLI } from '../runtime/supervise.ts'

/** What the engine says about a statement, without the part that points at a place in it: one line. */
const firstSentences = (message: string) => (message.split('\n\n')[0] ?? '').replaceAll('\n', ' ')

/** Writes to stdout and waits while its reader is slower. When the reader ends (`| head`), the process ends quietly. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** Rows of a chunk, as an array of cells each. */
function* rowsOf(chunk: (string | null)[][]): Generator<(string | null)[]> {
  const rows = chunk[0]?.length ?? 0
  for (let row = 0; row < rows; row += 1) yield chunk.map((column) => column[row] ?? null)
}

/** A format writes a result and returns nothing: it never holds more than some rows. */
interface Format {
  shape?: 'lines'
  print: (result: TextResult) => Promise<void>
}

const SPECIAL_IN_CSV = /[",\r\n]/

function csvField(text: string | null, { kind }: TextColumn, isTerminal: boolean): string {
  if (text === null) return ''
  if (kind === 'plain') return text
  const safe = isTerminal ? terminalText(spreadsheetText(text)) : spreadsheetText(text)
  return SPECIAL_IN_CSV.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

async function printCsv({ columns, isLines, chunks }: TextResult): Promise<void> {
  const isTerminal = process.stdout.isTTY
  const field = (cell: string | null, index: number) => csvField(cell, columns[index]!, isTerminal)
  const names = columns.map(({ name }) => csvField(name, { name, kind: 'text' }, isTerminal))
  await write(`${names.join(',')}\n`)
  const readyOr = ([line, cells]: (string | null)[]) =>
    line ?? (JSON.parse(cells!) as (string | null)[]).map(field).join(',')
  for await (const chunk of chunks) {
    let text = ''
    for (const row of rowsOf(chunk)) text += `${isLines ? readyOr(row) : row.map(field).join(',')}\n`
    await write(text)
  }
}

/** A number that JSON has a word for; NaN and infinities have none. */
const JSON_PLAIN = /^(true|false|-?\d+(\.\d+)?(e[+-]?\d+)?)$/

function jsonCell(text: string | null, { kind }: TextColumn): string {
  if (text === null) return 'null'
  if (kind === 'plain') return JSON_PLAIN.test(text) ? text : 'null'
  return terminalJson(kind === 'json' ? text : JSON.stringify(text))
}

function jsonRow(row: (string | null)[], columns: readonly TextColumn[]): string {
  const fields = columns.map(
    (column, index) => `${terminalJson(JSON.stringify(column.name))}: ${jsonCell(row[index] ?? null, column)}`,
  )
  return `{ ${fields.join(', ')} }`
}

async function printJson({ columns, chunks }: TextResult): Promise<void> {
  let before = '[\n  '
  for await (const chunk of chunks) {
    let text = ''
    for (const row of rowsOf(chunk)) {
      text += before + jsonRow(row, columns)
      before = ',\n  '
    }
    await write(text)
  }
  await write(before === '[\n  ' ? '[]\n' : '\n]\n')
}

async function printJsonLines({ columns, chunks }: TextResult): Promise<void> {
  for await (const chunk of chunks) {
    let text = ''
    for (const row of rowsOf(chunk)) text += `${jsonRow(row, columns)}\n`
    await write(text)
  }
}

/** Columns of a table are as wide as the header and the first rows need; a later cell that is wider moves its line. */
async function printTable({ columns, chunks }: TextResult): Promise<void> {
  const cell = (text: string | null) => (text === null ? '–' : terminalText(text))
  let widths: number[] | null = null
  let rows = 0
  const line = (cells: readonly string[]) =>
    `${cells
      .map((text, index) => text.padEnd(widths?.[index] ?? 0))
      .join('  ')
      .trimEnd()}\n`
  const header = columns.map(({ name }) => terminalText(name))
  for await (const chunk of chunks) {
    const cells = chunk.map((column) => column.map(cell))
    const isFirst = widths === null
    widths ??= cells.map((column, index) =>
      column.reduce((width, text) => Math.max(width, text.length), header[index]!.length),
    )
    let text = isFirst ? line(header) : ''
    for (const row of rowsOf(cells)) {
      text += line(row as string[])
      rows += 1
    }
    await write(text)
  }
  await write(`${widths === null ? line(header) : ''}(${rows} rows)\n`)
}

const FORMATS: Record<Flags['format'], Format> = {
  table: { print: printTable },
  csv: { print: printCsv, shape: 'lines' },
  json: { print: printJson },
  jsonl: { print: printJsonLines },
}

interface Flags {
  format: 'table' | 'csv' | 'json' | 'jsonl'
  unsafe?: boolean
  seconds: number
  dataDir?: string
}

/** `holdshort query`: runs SQL over views of all tables. */
export function queryCommand(program: Command): void {
  const views = [...allTables, ...CATALOGUES].map(({ name }) => name)
  program
    .command('query')
    .description(
      `Run SQL (DuckDB) that reads the warehouse and nothing else. Views: ${views.join(', ')}; warehouse/TABLES.md explains their columns. What was known at an instant: ${AS_OF.map(({ name }) => name).join(', ')}, as in FROM rollups_as_of('2026-11-20T14:00:00Z'). A result of any size is printed as it comes. Instants are UTC and end in Z; a local time (the column local_time, or local_time(observed_at, 'America/New_York')) has no Z. AT TIME ZONE 'America/New_York' follows DuckDB's own time zone rules, which are older than ours: use it with 'UTC' only. In CSV a missing value is empty, and a text that a spreadsheet would run begins with an apostrophe; json is one array, jsonl an object a line.`,
    )
    .argument('<sql>', 'e.g. "SELECT iata, avg(wait_minutes) FROM readings WHERE date = \'2026-11-21\' GROUP BY 1"')
    .addOption(new Option('--format <format>', 'output format').choices(Object.keys(FORMATS)).default('table'))
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
    .action(async (sql: string, flags: Flags) => {
      const settings = settingsOfInstallation(flags)
      const { data_dir } = settings
      if (process.env[IN_CHILD] === undefined) return runInChild(sql, data_dir, flags)
      endWithParent(Number(process.env[IN_CHILD]))
      const place = await tablesPlace(settings)
      const options = { unsafe: flags.unsafe ?? false }
      const session = await openAnalystSession(
        data_dir,
        place === undefined ? options : Object.assign(options, { place }),
      )
      try {
        const { print, shape } = FORMATS[flags.format]
        await print(await session.stream(sql, shape))
      } catch (cause) {
        if (cause instanceof HoldshortError) throw cause
        throw new UsageError(`sql: ${firstSentences(terminalLines((cause as Error).message))}`)
      } finally {
        await session.close()
      }
    })
}

/** The variable that tells the process that runs the SQL the id of the one that started it. */
const IN_CHILD = 'QUERY_PROCESS_OF_HOLDSHORT'

/** Kilobytes that the process may have of its own, engine and all. A function can take memory that the engine does not count. */
const MAX_DATA_KB = 3_500_000

/** Passes on what a child writes, and makes it wait while the reader is slower. */
async function passOn(from: AsyncIterable<Buffer> | null, to: NodeJS.WriteStream): Promise<void> {
  if (from === null) return
  const decoder = new TextDecoder()
  for await (const chunk of from) if (!to.write(decoder.decode(chunk, { stream: true }))) await once(to, 'drain')
}

/**
 * Runs this command in a process with limits, whose end, however bad, is not that of this one: a statement can make the engine
 * abort, take any memory, or never end.
 */
async function runInChild(sql: string, dataDir: string, { format, unsafe, seconds }: Flags): Promise<void> {
  const words = ['query', '--data-dir', dataDir, '--format', format]
  if (unsafe) words.push('--unsafe')
  words.push('--', sql)
  const limited = ['-c', `ulimit -d ${MAX_DATA_KB} 2>/dev/null; exec "$0" "$@"`, process.execPath, CLI]
  const child = spawn('/bin/sh', [...limited, ...words], {
    // On a terminal the child must see that it is one.
    stdio: ['ignore', process.stdout.isTTY ? 'inherit' : 'pipe', 'pipe'],
    env: Object.assign({}, process.env, { [IN_CHILD]: String(process.pid) }),
  })
  // Also when the reader of the result ends first (`| head`): the child is ended, and what it spilled goes with it.
  process.once('exit', () => {
    child.kill('SIGKILL')
    rmSync(join(dataPaths(dataDir).scratch, String(child.pid)), { recursive: true, force: true })
  })
  let isTimedOut = false
  const timer = setTimeout(() => {
    isTimedOut = true
    child.kill('SIGKILL')
  }, seconds * 1_000)
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const [[code, signal]] = await Promise.all([
    ended,
    passOn(child.stdout, process.stdout),
    passOn(child.stderr, process.stderr),
  ])
  clearTimeout(timer)
  if (isTimedOut) throw new UsageError(`sql: the query was ended after ${seconds} seconds; --seconds allows more time`)
  if (signal !== null)
    throw new UsageError(
      `sql: the engine ended while it ran the query (${signal}); maybe it needs more memory than a query may have`,
    )
  process.exitCode = code ?? 0
}

/** Nobody waits for a query whose command was ended, and it holds the warehouse. */
const WATCH_MS = 500

function endWithParent(parent: number): void {
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, WATCH_MS).unref()
}
