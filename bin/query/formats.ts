import { countText } from '../../config/count-text.ts'
import { spreadsheetText, terminalJson, terminalLines, terminalText } from '../../config/untrusted-text.ts'
import type { TextColumn, TextResult } from '../../warehouse/storage/text-result.ts'

/** Writes a part of a result and waits while the output is slower. */
export type Write = (text: string) => Promise<void>

/** Rows of a chunk, as an array of cells each. */
function* rowsOf(chunk: (string | null)[][]): Generator<(string | null)[]> {
  const rows = chunk[0]?.length ?? 0
  for (let row = 0; row < rows; row += 1) yield chunk.map((column) => column[row] ?? null)
}

/** A format writes a result and returns nothing: it never holds more than some rows. */
interface Format {
  shape?: 'lines'
  print: (result: TextResult, write: Write) => Promise<void>
}

const SPECIAL_IN_CSV = /[",\r\n]/

function csvField(text: string | null, { kind }: TextColumn, isTerminal: boolean): string {
  if (text === null) return ''
  if (kind === 'plain') return text
  const safe = isTerminal ? terminalText(spreadsheetText(text)) : spreadsheetText(text)
  return SPECIAL_IN_CSV.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

async function printCsv({ columns, isLines, chunks }: TextResult, write: Write): Promise<void> {
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

async function printJson({ columns, chunks }: TextResult, write: Write): Promise<void> {
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

async function printJsonLines({ columns, chunks }: TextResult, write: Write): Promise<void> {
  for await (const chunk of chunks) {
    let text = ''
    for (const row of rowsOf(chunk)) text += `${jsonRow(row, columns)}\n`
    await write(text)
  }
}

/** The plan of EXPLAIN is a drawing of several lines. */
async function printPlan({ chunks }: TextResult, write: Write): Promise<void> {
  for await (const chunk of chunks) for (const [, plan] of rowsOf(chunk)) await write(`${terminalLines(plan ?? '')}\n`)
}

/** Columns of a table are as wide as the header and the first rows need; a later cell that is wider moves its line. */
async function printTable(result: TextResult, write: Write): Promise<void> {
  const { columns, chunks } = result
  if (columns[0]?.name === 'explain_key') return printPlan(result, write)
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
  await write(`${widths === null ? line(header) : ''}(${countText(rows, 'row')})\n`)
}

export const FORMAT_NAMES = ['table', 'csv', 'json', 'jsonl'] as const
export type FormatName = (typeof FORMAT_NAMES)[number]

export const FORMATS: Record<FormatName, Format> = {
  table: { print: printTable },
  csv: { print: printCsv, shape: 'lines' },
  json: { print: printJson },
  jsonl: { print: printJsonLines },
}
