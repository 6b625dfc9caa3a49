import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CsvReader, type CsvRow } from '../../../warehouse/storage/csv-reader.ts'
import { type ImportOptions, importCsv } from '../../../warehouse/storage/import.ts'
import { reported } from '../../reported.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { readCases } from '../../values.ts'
import { newWarehouse } from '../new-warehouse.ts'

const HEADER = 'airport,checkpoint,observed_at,wait_minutes,notes'
const AT = '2026-04-20T22:00:00Z'

async function imported(content: string | Buffer, options: Partial<ImportOptions> = {}) {
  const folder = await temporaryFolder()
  const file = join(folder, 'history.csv')
  await writeFile(file, content)
  const warehouse = await newWarehouse(join(folder, 'data'))
  const report = await importCsv(warehouse, file, { kind: 'security', ...options })
  const landed = await warehouse.query<{ checkpoint: string; observed_at: string; wait_minutes: number }>(
    'SELECT checkpoint, observed_at, wait_minutes FROM readings ORDER BY checkpoint',
  )
  const scratch = await readdir(join(folder, 'data', 'scratch', String(process.pid)))
  expect(scratch.filter((name) => name.startsWith('import'))).toEqual([])
  return { report, landed, waits: landed.map(({ wait_minutes }) => wait_minutes) }
}

/** The rows of a text that comes in pieces of some length. */
function rowsOf(text: string, length = text.length): CsvRow[] {
  const reader = new CsvReader(null)
  const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  )
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}

const { read: READ } = readCases<{ read: [text: string, rows: (number | string)[][]][] }>(
  'warehouse/storage/import-forms.json',
)

test.each(READ)('reads %j, in pieces of any length', (text, rows) => {
  for (const length of [text.length, 1, 2, 3, 5])
    expect(rowsOf(text, length).map(({ line, fields }) => [line, ...fields])).toEqual(rows)
})

test('a quote that is not closed is named by its line', () => {
  expect(() => rowsOf('a,b\n1,2\n3,"4\n5,6')).toThrow('a quote in the row of line 3 is not closed')
})

test('reads the reported file with line breaks in quotes', async () => {
  const { report, waits } = await imported(reported('notes-with-line-breaks.csv'))
  expect([report.rows, report.new_rows, waits]).toEqual([2, 2, [10, 12]])
})

test('blank lines and line breaks in quotes leave the lines of bad rows right', async () => {
  const lines = [HEADER, '', `ATL,A,${AT},7,"two\nlines"`, '', '   ', `QQQ,B,${AT},7,`, ',,,,', `ATL,C,${AT},soon,x`]
  const { report, waits } = await imported(lines.join('\r\n'))
  expect([report.rows, report.new_rows, waits]).toEqual([3, 1, [7]])
  expect(report.bad.map(({ line, fault }) => [line, fault.split(':')[0]])).toEqual([
    [7, 'airport'],
    [9, 'wait_minutes'],
  ])
})

test('a row with more values than the header is a bad row; one with fewer has none there', async () => {
  const { report, waits } = await imported(`${HEADER}\nATL,A,${AT},7,5,6\nATL,B,${AT},8\nATL,C,${AT},9,,,\n`)
  expect(waits).toEqual([8, 9])
  expect(report.bad).toEqual([{ line: 2, fault: expect.stringContaining('the row has 6 values and the header 5') }])
})

test.each([
  ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16 LE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 BE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
])('reads %s', async (_name, encode) => {
  const { landed } = await imported(encode(`${HEADER}\nATL,Café – Süd,${AT},7,x\n`))
  expect(landed).toMatchObject([{ checkpoint: 'Café – Süd', wait_minutes: 7 }])
})

test('epoch times are read as the format says, and are bad rows otherwise', async () => {
  const file = (times: string[]) => [HEADER, ...times.map((time, index) => `ATL,${index},${time},7,`)].join('\n')
  const times = ['1776722400', ' 1776722400.5 ', '1776722400000', AT, '']
  const seconds = await imported(file(times), { time: 'epoch-seconds' })
  expect(seconds.landed.map(({ observed_at }) => observed_at)).toEqual([AT, '2026-04-20T22:00:00.500Z'])
  expect(seconds.report.bad).toEqual([
    { line: 4, fault: expect.stringMatching(/^observed_at: /) },
    { line: 5, fault: `observed_at: "${AT}" is not a number, as --time-format epoch-seconds says` },
    { line: 6, fault: expect.stringContaining('is not a number') },
  ])
  const milliseconds = await imported(file(['1776722400000', '1776722400']), { time: 'epoch-milliseconds' })
  expect(milliseconds.landed.map(({ observed_at }) => observed_at)).toEqual([AT])
  expect(milliseconds.report.bad).toEqual([{ line: 3, fault: expect.stringContaining('is before 1980') }])
  const unstated = await imported(file(['1776722400', '1776722400000']))
  expect(unstated.report.bad.map(({ fault }) => fault.includes('use --time-format'))).toEqual([true, true])
})

test('";" between values and a decimal comma are found, and the report says so', async () => {
  const { report, waits } = await imported(`${HEADER.replaceAll(',', ';')}\nATL;A;${AT};7,5;x\nATL;B;${AT};8;x\n`)
  expect([report.delimiter, report.decimal, waits]).toEqual([';', 'comma', [7.5, 8]])
  const plain = await imported(`${HEADER}\nATL,A,${AT},7.5,x\n`)
  expect([plain.report.delimiter, plain.report.decimal, plain.waits]).toEqual([',', 'point', [7.5]])
})

test('where a point and a comma occur, neither is guessed; a setting decides', async () => {
  const content = `${HEADER.replaceAll(',', ';')}\nATL;A;${AT};7,5;x\nATL;B;${AT};8.5;x\n`
  expect((await imported(content)).waits).toEqual([8.5])
  const stated = await imported(content, { decimal: 'comma' })
  expect([stated.waits, stated.report.bad_rows]).toEqual([[7.5], 1])
  const quoted = `${HEADER}\nATL,A,${AT},"7,5",x\n`
  expect((await imported(quoted)).report.bad_rows).toBe(1)
  expect((await imported(quoted, { decimal: 'comma' })).waits).toEqual([7.5])
  const bars = `${HEADER.replaceAll(',', '|')}\nATL|A|${AT}|7|x\n`
  expect((await imported(bars, { delimiter: '|' })).waits).toEqual([7])
})
