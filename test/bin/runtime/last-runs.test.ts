import { expect, test } from 'vitest'
import { lastRuns } from '../../../bin/runtime/pipeline.ts'
import { backtests } from '../../../warehouse/tables/forecasts.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'
import { backtest } from '../../warehouse/test-rows.ts'

const NOW = Date.parse('2026-11-20T05:00:00Z')

test('the record of a prior is no training: a training is due until a model was fitted', async () => {
  const warehouse = await newWarehouse()
  const adapted = { model: 'adapted:JFK@2026-11-20', trained_at: '2026-11-20T00:00:00Z', served: 'prior' } as const
  await warehouse.land(backtests, [backtest(adapted)])
  expect((await lastRuns(warehouse, NOW))('train')).toBeUndefined()
  await warehouse.land(backtests, [backtest({ trained_at: '2026-11-20T04:00:00Z' })])
  expect((await lastRuns(warehouse, NOW))('train')).toBe(3_600)
})
