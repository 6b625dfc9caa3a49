import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { isoUtc } from '../../config/vocabulary.ts'
import { examplesOf } from '../../forecasting/features/examples.ts'
import { FEATURES } from '../../forecasting/features/inputs.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { rollups } from '../../warehouse/tables/rollups.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { fakeSeries, peaks } from '../training/fake-series.ts'
import { rollupRows } from '../training/rollup-rows.ts'
import { json, run } from './commands.ts'

test('features writes the rows that training makes, value by value, and says when there is none', async () => {
  const folder = await temporaryFolder()
  const series = fakeSeries(16, peaks(1))
  const warehouse = await openWarehouse(folder)
  await warehouse.land(rollups, rollupRows(series))
  await warehouse.close()
  const out = join(await temporaryFolder(), 'features.parquet')
  const cutoff = series.available_ms.at(-1)!
  const args = ['--airport', 'jfk', '--out', out, '--data-dir', folder]
  const from = isoUtc(cutoff - 4 * 86_400_000)
  const result = await json<{ rows: number; simulated: boolean }>('features', '--from', from, ...args, '--json')
  const all = examplesOf(prepareSeries(series), cutoff)
  const first = all.issued_ms.findIndex((issued) => issued >= Date.parse(from))
  expect(result).toMatchObject({ rows: all.truth.length - first, simulated: false })
  const reader = await (await DuckDBInstance.create(':memory:')).connect()
  const columns = FEATURES.map((name) => `x_${name}::DOUBLE`).join(', ')
  const read = await reader.runAndReadAll(
    `SELECT epoch_ms(issued_at)::DOUBLE, epoch_ms(valid_at)::DOUBLE, wait_minutes, rule_p50, ${columns} FROM '${out}' ORDER BY 1, 2`,
  )
  const rows = read.getRowsJS() as number[][]
  expect(rows).toHaveLength(result.rows)
  for (const [k, row] of rows.entries()) {
    const position = first + k
    const x = Array.from(all.inputs.x.subarray(position * FEATURES.length, (position + 1) * FEATURES.length))
    expect(row).toEqual([
      all.issued_ms[position],
      all.valid_ms[position],
      all.truth[position],
      all.inputs.p50[position],
      ...x,
    ])
  }
  const none = await run('features', '--to', isoUtc(series.hour_ms[30]!), ...args)
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('NOT_ENOUGH_HISTORY')])
})
