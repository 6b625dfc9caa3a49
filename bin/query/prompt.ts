import { fstatSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { UsageError } from '../../config/errors.ts'
import { AS_OF, CATALOGUES } from '../../warehouse/tables/catalogues.ts'
import { allTables } from '../../warehouse/tables/index.ts'
import { QUESTIONS } from '../../warehouse/tables/questions.ts'
import { reportError } from '../runtime/report-error.ts'
import { FORMAT_NAMES, type FormatName } from './formats.ts'
import { splitStatements } from './split-statements.ts'
import { type StatementOptions, startStatementProcess } from './statement.ts'

const STDIN = 0
const HISTORY_LINES = 1_000
const HISTORY_FILE = join(homedir(), '.holdshort_history')

const KEYWORDS =
  'SELECT FROM WHERE GROUP ORDER HAVING LIMIT JOIN LEFT USING WITH AND BETWEEN DESCRIBE DISTINCT INTERVAL QUALIFY avg( count( max( median( min( round('.split(
    ' ',
  )

/** Commands, each after a dot. */
const COMMANDS: readonly string[] = [...FORMAT_NAMES, 'tables', 'help', 'exit']

const HELP = `A statement ends with a semicolon. ${FORMAT_NAMES.map((name) => `.${name}`).join(' ')} choose how results are printed,
.tables lists tables, .exit or Ctrl-D ends. Tab completes names; Ctrl-C ends a statement.
`

/** Every word that the prompt completes: views, tables and their columns, keywords, commands. */
function words(): string[] {
  const described = [...QUESTIONS, ...allTables, ...CATALOGUES]
  const columns = described.flatMap(({ columns: ownColumns }) => Object.keys(ownColumns))
  const commands = COMMANDS.map((name) => `.${name}`)
  const names = described.map(({ name }) => name)
  return [...new Set([...names, ...AS_OF.map(({ name }) => `${name}(`), ...columns, ...KEYWORDS, ...commands])]
}

/** The words that complete the end of a line, whatever their case, and that end. */
export function completeWord(line: string): [string[], string] {
  const [begun = ''] = /[\w.]*$/.exec(line) ?? []
  if (begun === '') return [[], begun]
  return [words().filter((word) => word.toLowerCase().startsWith(begun.toLowerCase())), begun]
}

/** The lines of earlier sessions, newest first. */
async function readHistory(): Promise<string[]> {
  const text = await readFile(HISTORY_FILE, 'utf8').catch(() => '')
  return text.split('\n').filter(Boolean).slice(-HISTORY_LINES).reverse()
}

/**
 * Reads statements from the terminal (or from a file on stdin) and runs each in a process of its own, which is started while
 * the statement is typed. Between statements nothing holds the warehouse. Without a terminal, the first statement that fails
 * ends it. Returns the exit code: 0, or that of the statement that failed.
 * @throws UsageError for a folder on stdin, which Node.js reads as an empty file
 */
export async function runPrompt(options: StatementOptions, first: FormatName): Promise<number> {
  if (fstatSync(STDIN).isDirectory()) throw new UsageError('stdin: is a folder; give a file with statements')
  const isTerminal = process.stdin.isTTY === true
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: isTerminal,
    completer: completeWord,
    history: isTerminal ? await readHistory() : [],
    historySize: HISTORY_LINES,
  })
  let format = first
  let next = startStatementProcess(options)
  let running: typeof next | null = null
  let isCancelled = false
  let pending = ''
  lines.on('SIGINT', () => {
    isCancelled = true
    if (running) return running.end()
    if (lines.line === '' && pending === '') return lines.close()
    pending = ''
    lines.write(null, { ctrl: true, name: 'u' })
    ask(lines, pending)
  })
  const execute = async (sql: string): Promise<number> => {
    running = next
    isCancelled = false
    const began = performance.now()
    const code = await running.run({ sql, format }).catch((error) => {
      if (!isCancelled) return reportError(error)
      process.stderr.write('ended\n')
      return 1
    })
    running = null
    if (isTerminal) process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(2)} s\n`)
    next = startStatementProcess(options)
    return isTerminal ? 0 : code
  }
  let code = 0
  if (isTerminal) process.stderr.write(HELP)
  ask(lines, pending)
  for await (const line of lines) {
    const command = pending === '' ? /^\s*\.(\w+)\s*$/.exec(line)?.[1] : undefined
    if (command === 'exit') break
    if (isTerminal && line.trim() !== '') await appendFile(HISTORY_FILE, `${line}\n`, { mode: 0o600 }).catch(() => {})
    if (command !== undefined) format = obey(command, format)
    else pending = `${pending}${line}\n`
    const { statements, rest } = splitStatements(pending)
    if (rest === '' && statements.length > 0) code = await execute(pending)
    if (code !== 0) break
    if (rest === '') pending = ''
    ask(lines, pending)
  }
  if (code === 0 && pending !== '') code = await execute(pending)
  lines.close()
  next.end()
  return code
}

const ask = (lines: Interface, pending: string) => {
  if (process.stdin.isTTY !== true) return
  lines.setPrompt(pending === '' ? 'holdshort> ' : '      ...> ')
  lines.prompt()
}

/** Does what a command with a dot says, and returns the form of results from then on. @throws UsageError without a terminal, for an unknown command */
function obey(command: string, format: FormatName): FormatName {
  const chosen = FORMAT_NAMES.find((name) => name === command)
  if (chosen) return chosen
  if (process.stdin.isTTY !== true && !COMMANDS.includes(command))
    throw new UsageError(`.${command}: is not a command; allowed: ${COMMANDS.map((name) => `.${name}`).join(', ')}`)
  const tables = [...QUESTIONS, ...allTables, ...CATALOGUES].map(({ name, about }) => `${name.padEnd(20)} ${about}\n`)
  process.stderr.write(command === 'tables' ? tables.join('') : HELP)
  return format
}
