import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { listArtifacts } from '../../../training/artifacts/artifact.ts'
import { predictAll } from '../../../training/predict.ts'
import { promote } from '../../../training/registry/promote.ts'
import {
  challengerOf,
  readRegistry,
  servingFolder,
  servingOrder,
  withPin,
  writeRegistry,
} from '../../../training/registry/registry.ts'
import { readTraining } from '../../../training/registry/trainings.ts'
import { trainingSettings } from '../../../training/settings/training-settings.ts'
import { trainAll } from '../../../training/train-all.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { fakeSeries, peaks, START } from '../fake-series.ts'
import { rollupRows } from '../rollup-rows.ts'

const DAYS = 29
const CUTOFF = START + DAYS * 24 * HOUR_MS
const JFK = { kind: 'security', subject: 'JFK' } as const

/** Fast settings; another seed gives other weights. */
const settingsOf = (seed: number) =>
  trainingSettings({
    seeds: [seed],
    fit: { origin_step_hours: 48, epochs: 1 },
    backtest: { hold_out_days: 3, every_hours: 24, refit_days: 365, burn_in_days: 3 },
  })

async function openRoom() {
  const data = await temporaryFolder()
  const modelsDir = join(data, 'models')
  const warehouse = await openWarehouse(data)
  await warehouse.land(rollups, rollupRows(fakeSeries(DAYS, peaks(1))))
  const train = (seed: number, more: { serves?: boolean; name?: string } = {}) =>
    trainAll(warehouse, Object.assign({ now: CUTOFF, modelsDir, settings: settingsOf(seed) }, more))
  const serving = async () =>
    basename((await servingFolder(modelsDir, await readRegistry(modelsDir), JFK, CUTOFF)) ?? '')
  return { modelsDir, warehouse, train, serving }
}

test.runIf(EXHAUSTIVE)(
  'trainings at one cutoff make versions of their own; what a pin holds stays, and says so',
  async () => {
    const { modelsDir, warehouse, train, serving } = await openRoom()
    const first = (await train(1)).rows[0]!.model
    const second = (await train(2)).rows[0]!.model
    expect(second).not.toBe(first)
    expect(second.slice(0, -8)).toBe(first.slice(0, -8))
    expect(await serving()).toBe(second.slice('model:'.length))
    // The same settings and data are the same version, and nothing is made twice.
    const again = await train(2)
    expect([again.rows[0]!.model, again.training.endsWith('.2')]).toEqual([second, false])
    expect(await listArtifacts(modelsDir, 'security', 'JFK')).toHaveLength(2)
    const registry = await readRegistry(modelsDir)
    const order = await servingOrder(modelsDir, registry, JFK, CUTOFF)
    expect(order.map((folder) => `model:${basename(folder)}`)).toEqual([second, first])
    const to = first.split('@')[1]!
    await writeRegistry(modelsDir, withPin(registry, { ...JFK, to, pinned_at: isoUtc(CUTOFF) }))
    const { pinned, rows } = await train(3)
    expect(pinned).toEqual([{ subject: 'JFK', version: rows[0]!.model.slice(6), pin: expect.objectContaining({ to }) }])
    expect(await serving()).toBe(first.slice('model:'.length))
    expect(
      await warehouse.query('SELECT count(*)::INT AS n FROM backtests WHERE model = $model', { model: rows[0]!.model }),
    ).toEqual([{ n: 0 }])
    await warehouse.close()
  },
)

test('an experiment keeps its models, serves nothing, and serves without training again once it is promoted', async () => {
  const { modelsDir, warehouse, train, serving } = await openRoom()
  const { rows } = await train(1, { serves: false, name: 'tried' })
  const version = rows[0]!.model.slice('model:'.length)
  expect(await serving()).toBe('')
  expect(challengerOf(await readRegistry(modelsDir), JFK)).toMatchObject({ version, run: 'tried' })
  const second = await train(2)
  expect(await serving()).toBe(second.rows[0]!.model.slice('model:'.length))
  await expect(train(3, { name: 'tried' })).rejects.toMatchObject({ code: 'USAGE' })
  const promoted_at = isoUtc(CUTOFF + HOUR_MS)
  const training = await readTraining(modelsDir, 'security', 'tried')
  await expect(
    promote(warehouse, { modelsDir, training, subject: 'LGA', promoted_at, by: 'ann' }),
  ).rejects.toMatchObject({
    code: 'USAGE',
  })
  expect(await promote(warehouse, { modelsDir, training, subject: null, promoted_at, by: 'ann' })).toEqual([
    { ...JFK, version, run: 'tried', at: promoted_at, by: 'ann' },
  ])
  expect(await serving()).toBe(version)
  await predictAll(warehouse, { now: CUTOFF + HOUR_MS, modelsDir })
  const [forecast] = await warehouse.query<{ model: string }>('SELECT DISTINCT model FROM forecasts')
  expect(forecast!.model.split(':')[1]).toBe(version)
  const landed = await warehouse.query('SELECT trained_at FROM backtests WHERE model = $model', {
    model: rows[0]!.model,
  })
  expect(landed).toHaveLength(1)
  expect((await readTraining(modelsDir, 'security', 'tried')).airports[0]!.held).toBeNull()
  await warehouse.close()
})
