import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { DAY_MS, HORIZON_HOURS, HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import { examplesOf } from '../../forecasting/features/examples.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { FEATURES } from '../../forecasting/features/inputs.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { listArtifacts, loadArtifact, pruneArtifacts, saveArtifact } from '../../training/artifacts/artifact.ts'
import { createNet, disposeNet, meanOfNets, predictNet, readWeights } from '../../training/models/quantile-net.ts'
import { predictAirport, predictAll } from '../../training/predict.ts'
import { readRegistry, withPin, writeRegistry } from '../../training/registry/registry.ts'
import { listTrainings } from '../../training/registry/trainings.ts'
import { trainingSettings } from '../../training/settings/training-settings.ts'
import { historyShortfall, trainSeries } from '../../training/train.ts'
import { trainAll } from '../../training/train-all.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { backtests } from '../../warehouse/tables/forecasts.ts'
import { rollups } from '../../warehouse/tables/rollups.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { fakeSeries, peaks, START } from './fake-series.ts'
import { rollupRows } from './rollup-rows.ts'

const DAYS = 36
const ONE_SEED = trainingSettings({
  seeds: [1],
  fit: { origin_step_hours: 24 },
  backtest: { hold_out_days: 5, every_hours: 12, refit_days: 365, burn_in_days: 6 },
})
/** For tests that look at how a model is made and kept, not at what it forecasts. */
const QUICK = {
  fit: { origin_step_hours: 48, epochs: 1 },
  backtest: { hold_out_days: 3, every_hours: 24, refit_days: 365, burn_in_days: 3 },
}
const CUTOFF = START + DAYS * DAY_MS
const FIXTURE = projectFile('test', 'training', 'fixtures', 'model-v4')
const airport = fakeSeries(DAYS, peaks(1))
const terminal = fakeSeries(DAYS, peaks(2), { terminal: '4' })
const train = (series: HourlySeries[], settings = ONE_SEED) =>
  trainSeries(series, { kind: 'security', cutoff_ms: CUTOFF, trained_ms: CUTOFF + 5, settings })

/** One training for all tests that only look at its result: it takes seconds. The third series has a short history. */
let shared: ReturnType<typeof train> | null = null
const trainOnce = () => {
  shared ??= train([airport, terminal, fakeSeries(10, peaks(3), { iata: 'LGA' })])
  return shared
}

test('an airport with a short history is reported as untrained and the others are trained', async () => {
  const { trained, untrained } = await trainOnce()
  expect(trained.map(({ row }) => row.iata)).toEqual(['JFK'])
  expect(untrained).toEqual([{ iata: 'LGA', code: 'NOT_ENOUGH_HISTORY', reason: expect.stringContaining('240 hours') }])
  expect(historyShortfall(airport, START + 20 * DAY_MS)).toMatch(/21 days/)
  expect(historyShortfall(undefined, CUTOFF)).toMatch(/^0 hours/)
})

test('nothing is fitted for an airport without history', async () => {
  const fit = vi.fn()
  const options = { kind: 'security', cutoff_ms: CUTOFF, trained_ms: CUTOFF, settings: ONE_SEED } as const
  const { trained, untrained } = await trainSeries([airport], { ...options, airports: ['LHR'], onProgress: fit })
  expect({ trained, untrained }).toEqual({
    trained: [],
    untrained: [{ iata: 'LHR', code: 'NOT_ENOUGH_HISTORY', reason: expect.stringMatching(/^0 hours/) }],
  })
  expect(fit).not.toHaveBeenCalled()
})

test('the backtest row holds the scores of all forecasters, and predictions name the one that serves', async () => {
  const [trained] = (await trainOnce()).trained
  const { row, artifact } = trained!
  expect(row).toMatchObject({ model: artifact.card.version, cutoff: '2026-04-06T00:00:00Z' })
  expect(row.served).toBe('model')
  // In a few weeks a net learns less than the rule knows without one.
  expect(artifact.card.net_share).toBeCloseTo((0.9 * 6) / 20, 1)
  expect(row.served_pinball_minutes).toBeLessThan(row.baseline_pinball_minutes)
  expect(artifact.card.calibration.map((calibration) => calibration.terminal)).toEqual(['', '4'])
  expect(artifact.card.version).toMatch(/^model:JFK@2026-04-06T00Z-[0-9a-f]{8}$/)
  expect(predictAirport(artifact, [airport], CUTOFF)[0]!.model).toBe(artifact.card.version)
  backtests.row.parse(row)
})

test('the nets of airports that are trained together differ in the biases of their first layer alone', async () => {
  const other = fakeSeries(DAYS, peaks(3), { iata: 'LGA' })
  const { trained } = await train([airport, other], trainingSettings({ seeds: [1], ...QUICK }))
  const [first, second] = trained.map(({ artifact }) => readWeights(artifact.net))
  const differing = first!.flatMap((array, k) =>
    array.every((value, index) => value === second![k]![index]) ? [] : [k],
  )
  expect(differing).toEqual([1])
  for (const { artifact } of trained) disposeNet(artifact.net)
})

test('a constant wait is forecast as it is, with an interval of a minute or two', async () => {
  const [flat] = (await train([fakeSeries(DAYS, () => 7)])).trained
  for (const { p10, p50, p90, p_within_5 } of predictAirport(flat!.artifact, [fakeSeries(DAYS, () => 7)], CUTOFF)) {
    expect(p50).toBeCloseTo(7, 1)
    expect(p_within_5).toBeGreaterThan(0.95)
    expect(p90 - p10).toBeLessThanOrEqual(2)
  }
})

test('a loaded artifact predicts the same numbers as before saving, and old versions are pruned', async () => {
  const models = await temporaryFolder()
  const { artifact } = (await trainOnce()).trained[0]!
  const folder = await saveArtifact(models, artifact)
  const loaded = await loadArtifact(folder)
  const issued = CUTOFF + 30 * 60_000
  const series = [airport, terminal]
  expect(predictAirport(loaded, series, issued)).toEqual(predictAirport(artifact, series, issued))
  expect(loaded.card).toMatchObject(artifact.card)
  const weights = join(folder, 'weights.bin')
  const bytes = await readFile(weights)
  bytes[100] = (bytes[100] ?? 0) ^ 1
  await writeFile(weights, bytes)
  await expect(loadArtifact(folder)).rejects.toMatchObject({
    code: 'MODEL_INVALID',
    message: expect.stringContaining('weights.bin is not the file that was saved'),
  })
  const later = { ...artifact, card: { ...artifact.card, version: 'model:JFK@2026-04-07T00Z' } }
  const newest = await saveArtifact(models, later)
  expect(await listArtifacts(models, 'security', 'JFK')).toEqual([folder, newest])
  await pruneArtifacts(models, 'security', 'JFK', new Set([newest]))
  expect(await listArtifacts(models, 'security', 'JFK')).toEqual([newest])
})

test('the same history and settings give the same bytes, whenever and in whichever order they are trained', async () => {
  const settings = trainingSettings({ seeds: [4, 5], ...QUICK })
  const bytes = []
  const cutoff_ms = START + 29 * DAY_MS
  for (const [k, trained_ms] of [cutoff_ms, cutoff_ms + 90 * DAY_MS].entries()) {
    const { trained } = await trainSeries([airport], { kind: 'security', cutoff_ms, trained_ms, settings })
    const folder = await saveArtifact(join(await temporaryFolder(), String(k)), trained[0]!.artifact)
    bytes.push(
      await Promise.all(['card.json', 'model.json', 'weights.bin'].map((name) => readFile(join(folder, name)))),
    )
  }
  expect(bytes[1]).toEqual(bytes[0])
  expect(JSON.parse(String(bytes[0]![0])).settings).toEqual(settings)
})

test.runIf(EXHAUSTIVE)('a group of inputs that is left out does not change the forecasts of the net', async () => {
  const settings = trainingSettings({
    seeds: [1],
    leave_out: ['holidays'],
    fit: { epochs: 1 },
    backtest: { hold_out_days: 3 },
  })
  const [trained] = (
    await trainSeries([airport], { kind: 'security', cutoff_ms: CUTOFF, trained_ms: CUTOFF, settings })
  ).trained
  const folder = await saveArtifact(await temporaryFolder(), trained!.artifact)
  const { net, card } = await loadArtifact(folder)
  expect(card.features.filter(({ used }) => used === false).map(({ name }) => name)).toEqual([
    'holiday',
    'holiday_eve',
    'holiday_morrow',
    'holiday_near',
  ])
  const rows = examplesOf(prepareSeries(airport), CUTOFF, 72).inputs
  const moved = {
    ...rows,
    x: rows.x.map((value, k) => (k % FEATURES.length === FEATURES.indexOf('holiday') ? 9 : value)),
  }
  expect(predictNet(net, moved)).toEqual(predictNet(net, rows))
})

test('a saved model loads and predicts the same numbers', async () => {
  const expected = JSON.parse(await readFile(join(FIXTURE, 'expected.json'), 'utf8'))
  const rows = predictAirport(await loadArtifact(FIXTURE), [airport], CUTOFF)
  expect(rows).toHaveLength(HORIZON_HOURS)
  for (const [k, { p10, p50, p90, p_within_5 }] of rows.slice(0, 48).entries())
    for (const [column, value] of [p10, p50, p90, p_within_5].entries())
      expect(value).toBeCloseTo(expected[k][column], 3)
})

test('loading a broken artifact throws MODEL_INVALID with its folder and the reason', async () => {
  const folder = join(await temporaryFolder(), 'broken')
  await cp(FIXTURE, folder, { recursive: true })
  const card = JSON.parse(await readFile(join(folder, 'card.json'), 'utf8'))
  await writeFile(join(folder, 'card.json'), JSON.stringify({ ...card, features: card.features.toReversed() }))
  await expect(loadArtifact(folder)).rejects.toMatchObject({
    code: 'MODEL_INVALID',
    message: expect.stringContaining('broken'),
  })
  await writeFile(join(folder, 'card.json'), JSON.stringify({ ...card, format: 3 }))
  await expect(loadArtifact(folder)).rejects.toThrow('format 3 in place of 4); train again')
  await expect(loadArtifact(join(folder, 'absent'))).rejects.toMatchObject({ code: 'MODEL_INVALID' })
})

test('training and prediction read and write the warehouse: seven days of forecasts of airport and terminal', async () => {
  const data = await temporaryFolder()
  const modelsDir = join(data, 'models')
  const warehouse = await openWarehouse(data)
  await warehouse.land(rollups, [airport, terminal].flatMap(rollupRows))
  const settings = trainingSettings({ seeds: [1], ...QUICK })
  const { rows, untrained } = await trainAll(warehouse, { now: CUTOFF, modelsDir, settings })
  expect([rows.length, untrained]).toEqual([1, []])
  expect(await warehouse.query('SELECT iata, served FROM backtests')).toEqual([
    { iata: 'JFK', served: rows[0]!.served },
  ])
  const now = CUTOFF + 0.5 * HOUR_MS
  expect(await predictAll(warehouse, { now, modelsDir })).toBe(2 * HORIZON_HOURS)
  expect(await predictAll(warehouse, { now, modelsDir })).toBe(0)
  const forecastRows = await warehouse.query<{
    terminal: string
    valid_at: string
    p10: number
    p50: number
    p90: number
  }>('SELECT terminal, valid_at, p10, p50, p90 FROM forecasts ORDER BY terminal, valid_at')
  expect(forecastRows.map((row) => row.terminal)).toEqual([...Array(168).fill(''), ...Array(168).fill('4')])
  expect(forecastRows[0]!.valid_at).toBe('2026-04-06T00:00:00Z')
  for (const { p10, p50, p90 } of forecastRows) {
    expect(p10).toBeGreaterThanOrEqual(0)
    expect(p50).toBeGreaterThanOrEqual(p10)
    expect(p90).toBeGreaterThanOrEqual(p50)
    expect(p90).toBeLessThan(600)
  }
  const opposed =
    'SELECT DISTINCT terminal FROM forecasts WHERE persistence_p50 >= 0 AND trend_p50 >= 0 ORDER BY terminal'
  expect(await warehouse.query(opposed)).toEqual([{ terminal: '' }, { terminal: '4' }])
  const [tried] = await warehouse.query('SELECT sum(opposed) = sum(samples) AS all FROM backtest_scores')
  expect(tried).toEqual({ all: true })
  const pin = { kind: 'security' as const, subject: 'JFK', to: 'baseline' as const, pinned_at: isoUtc(now) }
  await writeRegistry(modelsDir, withPin(await readRegistry(modelsDir), pin))
  expect(await predictAll(warehouse, { now: now + HOUR_MS, modelsDir })).toBe(2 * HORIZON_HOURS)
  expect(await warehouse.query('SELECT DISTINCT model FROM forecasts ORDER BY issued_at DESC LIMIT 1')).toEqual([
    { model: rows[0]!.model.replace('model:', 'baseline:') },
  ])
  expect(
    (await listTrainings(modelsDir, 'security')).map(({ airports }) => airports.map(({ subject }) => subject)),
  ).toEqual([['JFK']])
  const broken: string[] = []
  await writeFile(join((await listArtifacts(modelsDir, 'security', 'JFK'))[0]!, 'card.json'), '{}')
  expect(
    await predictAll(warehouse, { now: now + 2 * HOUR_MS, modelsDir, onFailure: (iata) => broken.push(iata) }),
  ).toBe(336)
  expect(broken).toEqual(['JFK'])
  // The prior, drawn to the airport by its readings, takes the place of a model that cannot be loaded.
  const [{ model }] = (await warehouse.query('SELECT model FROM forecasts ORDER BY issued_at DESC LIMIT 1')) as [
    { model: string },
  ]
  expect(model).toBe('adapted:JFK@2026-04-06')
  await warehouse.close()
}, 120_000)

test('while a model drifts the rule is published in its place, with its own calibration, and both medians are stored', async () => {
  const { trained } = await trainOnce()
  const { artifact } = trained[0]!
  const card = {
    ...artifact.card,
    calibration: artifact.card.calibration.map((entry) => ({ ...entry, served: 'model' as const })),
  }
  const issue = (fallsBack: boolean) => predictAirport({ ...artifact, card }, [airport], CUTOFF, fallsBack)
  const [usual, fallback] = [issue(false), issue(true)]
  expect(new Set(usual.map(({ model }) => model))).toEqual(new Set([card.version]))
  expect(new Set(fallback.map(({ model }) => model))).toEqual(new Set([card.version.replace('model:', 'rule:')]))
  for (const [k, row] of fallback.entries()) {
    expect(row.p50).toBeCloseTo(row.rule_p50!, 2)
    expect(usual[k]!.p50).toBeCloseTo(usual[k]!.model_p50!, 2)
    expect(row.rule_p50).toBe(usual[k]!.rule_p50)
    expect(row.baseline_p10!).toBeLessThanOrEqual(row.baseline_p90!)
  }
})

test('an artifact of several nets is loaded as it was saved', async () => {
  const { artifact } = (await trainOnce()).trained[0]!
  const { normalisation } = artifact.net
  const net = meanOfNets([1, 2, 3].map((seed) => createNet(normalisation, seed)))
  const loaded = await loadArtifact(await saveArtifact(await temporaryFolder(), { card: artifact.card, net }))
  expect(predictAirport(loaded, [airport], CUTOFF)).toEqual(
    predictAirport({ card: artifact.card, net }, [airport], CUTOFF),
  )
  disposeNet(loaded.net)
  disposeNet(net)
})
