import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { rollups } from '../../warehouse/tables/rollups.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { fakeSeries } from '../training/fake-series.ts'
import { rollupRows } from '../training/rollup-rows.ts'
import { json, run } from './commands.ts'

test('import takes forecasts of a named forecaster once, and says which are too late for the contest', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'forecasts.csv')
  const hour = Math.ceil(Date.now() / 3_600_000) * 3_600_000
  const line = (valid_ms: number) => `JFK,${isoUtc(valid_ms - 7_200_000)},${isoUtc(valid_ms)},3,5,9`
  await writeFile(
    file,
    `airport,issued_at,valid_at,p10,p50,p90\n${line(hour + 3_600_000)}\n${line(hour - 86_400_000)}\n`,
  )
  const args = [file, '--forecaster', 'seasonal', '--data-dir', join(folder, 'data')]
  const report = { file, forecaster: 'seasonal', rows: 2, differing_rows: 0, of_past_hours: 1 }
  expect(await json('import', ...args, '--json')).toEqual([{ ...report, new_rows: 2 }])
  expect(await json('import', ...args, '--json')).toEqual([{ ...report, new_rows: 0 }])
  const listed = await json<{ imported: unknown }>('models', 'list', '--data-dir', join(folder, 'data'), '--json')
  expect(listed.imported).toEqual([{ forecaster: 'seasonal', iata: 'JFK', open_forecasts: 1 }])
  for (const [name, refusal] of [
    ['No name', 'must be a short name'],
    ['baseline', 'baseline is one of our own'],
  ] as const) {
    const named = await run('import', file, '--forecaster', name)
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining(refusal)])
  }
  const neither = await run('import', file)
  expect([neither.code, neither.stderr]).toEqual([2, expect.stringContaining('--forecaster')])
})

test.runIf(EXHAUSTIVE)(
  'a forecaster in Python alone makes forecasts from the training table, which import takes',
  async () => {
    const folder = await temporaryFolder()
    const data = join(folder, 'data')
    const series = fakeSeries(30, (hour, weekday) => hour + weekday)
    const warehouse = await openWarehouse(data)
    await warehouse.land(rollups, rollupRows(series))
    await warehouse.close()
    const [parquet, table, forecasts] = ['t.parquet', 't.csv', 'f.csv'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await json('features', '--out', parquet, '--data-dir', data, '--json')
    const reader = await (await DuckDBInstance.create(':memory:')).connect()
    await reader.run(`COPY (FROM '${parquet}') TO '${table}'`)
    const issued = isoUtc(series.available_ms.at(-1)!)
    const script = projectFile('training', 'examples', 'seasonal.py')
    const { stdout } = await promisify(execFile)('python3', [script, table, issued], { maxBuffer: 10_000_000 })
    await writeFile(forecasts, stdout)
    const [first, , noon] = stdout.split('\n').slice(1)
    expect(first).toMatch(new RegExp(`^JFK,${issued},${issued},`))
    expect(noon).toBeDefined()
    // Midnight UTC of Tuesday, 2026-03-31, is 20:00 of Monday in New York.
    const [p10, p50, p90] = first!.split(',').slice(3).map(Number) as [number, number, number]
    expect(Math.abs(p50 - 21)).toBeLessThanOrEqual(3)
    expect(p10).toBeLessThanOrEqual(p50)
    expect(p90).toBeGreaterThanOrEqual(p50)
    const [report] = await json<{ rows: number }[]>(
      'import',
      forecasts,
      '--forecaster',
      'seasonal',
      '--data-dir',
      data,
      '--json',
    )
    expect(report!.rows).toBe(168)
  },
)
