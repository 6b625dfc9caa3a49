import { expect, test } from 'vitest'
import { backtests } from '../../../warehouse/tables/forecasts.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { backtest } from '../test-rows.ts'

test('what was made of the rows of a table is kept until they or the key change, and a failure is not kept', async () => {
  const warehouse = await newWarehouse()
  let reads = 0
  const models = (key = '') =>
    warehouse.remembered('models', [backtests], key, async () => {
      reads += 1
      return (await warehouse.query<{ model: string }>('SELECT model FROM backtests ORDER BY model')).length
    })
  expect([await models(), await models(), reads]).toEqual([0, 0, 1])
  await warehouse.land(backtests, [backtest({})])
  expect([await models(), await models(), reads]).toEqual([1, 1, 2])
  expect([await models(), await models('another'), reads]).toEqual([1, 1, 3])
  const fails = () => warehouse.remembered('fails', [rollups], '', () => Promise.reject(new Error('no')))
  await expect(fails()).rejects.toThrow('no')
  expect(await warehouse.remembered('fails', [rollups], '', async () => 'yes')).toBe('yes')
})
