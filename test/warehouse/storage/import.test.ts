import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { HoldshortError } from '../../../config/errors.ts'
import { importCsv } from '../../../warehouse/storage/import.ts'
import { type RowFormat, writeImportRows } from '../../../warehouse/storage/import-rows.ts'
import type { ImportKind } from '../../../warehouse/storage/import-sql.ts'
import { withPresentIata } from '../../../warehouse/tables/present-iata.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { readCases, testValues } from '../../values.ts'
import { newWarehouse } from '../new-warehouse.ts'

const HEADER = 'airport,terminal,checkpoint,lane,observed_at,wait_minutes,wait_low,wait_high,status'

async function imported(lines: string[], kind: ImportKind = 'security', header = HEADER) {
  const folder = await temporaryFolder()
  const file = join(folder, 'history.csv.gz')
  await writeFile(file, gzipSync([header, ...lines].join('\n')))
  const warehouse = await newWarehouse(join(folder, 'data'))
  return { warehouse, file, report: await importCsv(warehouse, file, { kind }) }
}

testValues('warehouse/storage/import.json', {
  imported: async (kind: ImportKind, header: string | null, lines: string[]) => {
    const { warehouse, report } = await imported(lines, kind, header ?? HEADER)
    return {
      ...report,
      faults: report.bad.map(({ line, fault }) => `${line} ${fault.split(':')[0]}`),
      readings: await warehouse.query('SELECT * FROM readings ORDER BY iata, observed_at, checkpoint'),
      throughput: await warehouse.query('SELECT * FROM throughput'),
      daily_throughput: await warehouse.query('SELECT * FROM daily_throughput ORDER BY area'),
      notices: await warehouse.query('SELECT * FROM notices'),
    }
  },
})

test('joiners that a spelling needs stay in names; where they join nothing they hide, and the row is bad', async () => {
  const persian = 'ک\u200cگ\u200cک'
  const { warehouse, report } = await imported([
    `THR,${persian},ශ්\u200dරී,,2026-04-20T22:09:32Z,7,,,open`,
    'THR,a\u200cb,North,,2026-04-20T22:09:32Z,7,,,open',
    'THR,a\u0301\u200cک,North,,2026-04-20T22:09:32Z,7,,,open',
  ])
  const fault = 'terminal: has control or invisible characters'
  expect(report.bad).toMatchObject([
    { line: 3, fault },
    { line: 4, fault },
  ])
  expect(await warehouse.query('SELECT terminal, checkpoint FROM readings')).toEqual([
    { terminal: persian, checkpoint: 'ශ්\u200dරී' },
  ])
})

test('importing the same file again changes nothing', async () => {
  const { warehouse, file } = await imported(['JFK,1,Main,Standard,2026-04-20T22:00:00Z,7,,,open'])
  expect(await importCsv(warehouse, file, { kind: 'security' })).toMatchObject({ new_rows: 0, already_there: 1 })
  expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 1 }])
})

test('rows with another figure than the stored one are counted', async () => {
  const row = (minutes: number) => `JFK,1,Main,Standard,2026-04-20T22:00:00Z,${minutes},,,open`
  const { report, warehouse, file } = await imported([row(7), row(7)])
  expect(report).toMatchObject({ new_rows: 1, already_there: 1, differing_rows: 0 })
  await writeFile(file, gzipSync([HEADER, row(9)].join('\n')))
  expect(await importCsv(warehouse, file, { kind: 'security' })).toMatchObject({ new_rows: 0, differing_rows: 1 })
})

test('of rows of a file that contradict each other none is imported, and each is named', async () => {
  const row = (lane: string, ...rest: (number | string)[]) =>
    `JFK,1,Main,${lane},2026-04-20T22:00:00Z,${rest[0] ?? ''},,,${rest[1] ?? 'open'}`
  const { report, warehouse, file } = await imported([
    row('Standard', 7),
    row('Standard', 7),
    row('PreCheck', 2),
    row('Standard', 70),
    row('CLEAR', '', 'closed'),
    row('CLEAR', 4),
  ])
  const fault = 'contradicts another row: lines 2 and 5 have different figures for one queue and time'
  expect(report).toMatchObject({ new_rows: 1, already_there: 0, bad_rows: 5, contradicting_rows: 5 })
  expect(report.bad[0]).toEqual({ line: 2, fault })
  expect(await warehouse.query('SELECT lane FROM readings')).toEqual([{ lane: 'precheck' }])
  expect(
    await warehouse.query(
      "SELECT path, iata, severity FROM notices WHERE code = 'rows_contradict' AND path < 'line 4'",
    ),
  ).toEqual([
    { path: 'line 2', iata: 'JFK', severity: 'warning' },
    { path: 'line 3', iata: 'JFK', severity: 'warning' },
  ])
  // Throughput is by the hour: a quarter of one is no count of it, even where all are equal.
  const quarters = ['00', '15', '30'].map((minute) => `JFK,2026-04-20T22:${minute}:00Z,9`)
  await writeFile(file, gzipSync(['airport,observed_at,passengers', ...quarters].join('\n')))
  expect(await importCsv(warehouse, file, { kind: 'throughput' })).toMatchObject({ new_rows: 0, contradicting_rows: 3 })
  await writeFile(file, gzipSync('airport,observed_local,passengers\nUS-ALL,2026-04-20,1\nUS-ALL,2026-04-20,2\n'))
  expect(await importCsv(warehouse, file, { kind: 'daily_throughput' })).toMatchObject({ contradicting_rows: 2 })
})

test('a missing required column or a missing file gives a clear error', async () => {
  await expect(imported(['JFK,7'], 'security', 'airport,wait_minutes')).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
    message: expect.stringContaining('observed_at'),
  })
  await expect(imported(['JFK,7'], 'security', `airport,${'x'.repeat(100_000)}`)).rejects.toMatchObject({
    message: expect.stringMatching(/^.{1,600}…$/),
  })
  const warehouse = await newWarehouse()
  await expect(importCsv(warehouse, '/nowhere/x.csv', { kind: 'security' })).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
  })
})

test.skipIf(!existsSync('/dev/full'))('a full disk is no fault of the file', async () => {
  const file = join(await temporaryFolder(), 'waits.csv')
  await writeFile(file, `${HEADER}\nJFK,1,Main,Standard,2026-04-20T22:00:00Z,7,,,open`)
  const format: RowFormat = { delimiter: null, time: 'iso', columnMap: {}, required: [] }
  await expect(writeImportRows(file, '/dev/full', format)).rejects.toMatchObject({
    code: 'DISK_FULL',
    message: expect.stringMatching(/^\/dev has no space left: .*df -i/),
  })
})

test("a column map assigns the file's headers, and the operator's lag is used", async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'own.csv')
  await writeFile(file, 'code,when,minutes\nJFK,2026-04-20T22:00:00Z,7\n')
  const warehouse = await newWarehouse(join(folder, 'data'))
  const report = await importCsv(warehouse, file, {
    kind: 'security',
    source: 'import-own',
    columnMap: { airport: 'code', observed_at: 'when', wait_minutes: 'minutes' },
    lagHours: 2,
  })
  expect(report.new_rows).toBe(1)
  expect(await warehouse.query('SELECT source, available_at FROM readings')).toEqual([
    { source: 'import-own', available_at: '2026-04-21T00:00:00Z' },
  ])
})

test('a file that is cut off, in another encoding or with an open quote is refused in words, and nothing is landed', async () => {
  const folder = await temporaryFolder()
  const text = `${HEADER}\n${'ATL,,Main,Standard,2026-04-20T22:09:32Z,7,,,open\n'.repeat(1_000)}`
  const whole = gzipSync(Array.from({ length: 20 }, (_, i) => text.replace('Main', `Main ${i}`)).join(''))
  const open = `${HEADER}\nATL,,"Main,Standard,2026-04-20T22:09:32Z,7,,,open\n${'ATL,,A,Standard,2026-04-20T22:09:32Z,7,,,open\n'.repeat(3)}`
  const files: [string, Buffer, string][] = [
    ['cut.csv.gz', whole.subarray(0, whole.length / 2), 'is cut off'],
    ['plain.csv.gz', Buffer.from(text), 'is no gzip file'],
    ['latin1.csv', Buffer.from(text.replace('Main', 'Café'), 'latin1'), 'is not UTF-8'],
    ['utf16.csv', Buffer.from(text.replace('Main', 'Café'), 'utf16le'), 'is not UTF-8'],
    ['odd.csv', Buffer.from(`\ufeff${text}`, 'utf16le').subarray(0, 1_001), 'is not UTF-8'],
    ['empty.csv', Buffer.from('\n\n'), 'has no rows'],
    ['quote.csv', Buffer.from(open), 'cannot be read'],
  ]
  const warehouse = await newWarehouse(join(folder, 'data'))
  for (const [name, content, reason] of files) {
    const file = join(folder, name)
    await writeFile(file, content)
    const refused = await importCsv(warehouse, file, { kind: 'security' }).then(
      () => null,
      (error: HoldshortError) => error,
    )
    expect([name, refused?.code]).toEqual([name, 'IMPORT_INVALID'])
    expect(refused?.message).toContain(`${file} ${reason}`)
    expect(refused?.message).not.toContain('\n')
  }
  expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 0 }])
})

test('an instant has the offset of a place: what the engine would take for another instant is a bad row that says why', async () => {
  const noPlace = ['+99:99', '-99:00', '+15:00', '+14:30', '-13:00', '-12:30', '+05:75', '+0560', '+05:30:15', '-00:99']
  const wrong = [...noPlace, '', ' ', ' (BC)']
  const right = ['Z', '+00', '+14:00', '-12:00', '+0545', '-03:30', '+12:45', ' America/New_York', '+01:00:00']
  const rows = [...wrong, ...right].map((offset, i) => `ATL,,C${i},,2026-04-20T22:09:32.175${offset},7,,,open`)
  const { report } = await imported([...rows, 'ATL,,D,,2026-04-20,7,,,open', 'ATL,,E,,infinity,7,,,open'])
  expect(report).toMatchObject({ new_rows: right.length, bad_rows: wrong.length + 2 })
  expect(report.bad.map(({ line }) => line)).toEqual([...wrong.map((_, i) => i + 2), 24, 25])
  expect(report.bad[0]).toEqual({
    line: 2,
    fault: 'observed_at: "2026-04-20T22:09:32.175+99:99" has the offset +99:99, which is not between -12:00 and +14:00',
  })
  expect(report.bad[10]?.fault).toMatch(/^observed_at: "2026-04-20T22:09:32.175" has no offset: write Z/)
})

test('instants of ISO 8601 and local times with a zone are read; a local time that occurs twice, or never, is a bad row', async () => {
  const { times } = readCases<{ times: [time: string, read: string | { matches: string }][] }>(
    'warehouse/storage/import-times.json',
  )
  const { warehouse, report } = await imported(
    times.map(([time], index) => `ATL,,C${String(index).padStart(2, '0')},,"${time}",7,,,open`),
  )
  const landed = await warehouse.query<{ checkpoint: string; observed_at: string }>(
    'SELECT checkpoint, observed_at FROM readings',
  )
  const instants = new Map(landed.map(({ checkpoint, observed_at }) => [Number(checkpoint.slice(1)), observed_at]))
  const faults = new Map(report.bad.map(({ line, fault }) => [line - 2, fault]))
  for (const [index, [time, expected]] of times.entries()) {
    const found = instants.get(index) ?? faults.get(index)
    if (typeof expected === 'string') expect([time, found]).toEqual([time, expected])
    else expect([time, found]).toEqual([time, expect.stringMatching(expected.matches)])
  }
})

test('rows that were stored under a former code are read under the present one', async () => {
  const { warehouse } = await imported(['ATL,,North,standard,2026-04-20T22:09:32Z,7,,,open'])
  const rows = await warehouse.query(
    `SELECT iata FROM ${withPresentIata("(SELECT unnest(['PBI', 'DJT', 'TXL', 'JFK']) AS iata)")}`,
  )
  expect(rows.map(({ iata }) => iata)).toEqual(['DJT', 'DJT', 'TXL', 'JFK'])
})
