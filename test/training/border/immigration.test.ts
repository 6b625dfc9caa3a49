import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'
import type { HourlySeries } from '../../../forecasting/features/hourly-series.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import { listArtifacts, loadArtifact, saveArtifact, trainedSubjects } from '../../../training/artifacts/artifact.ts'
import { backtest } from '../../../training/backtest/backtest.ts'
import { soleTerminal, withoutSoleTerminals } from '../../../training/border/border-history.ts'
import { hoursWithin } from '../../../training/history/hourly-series.ts'
import { predictAirport } from '../../../training/predict.ts'
import { ownTable } from '../../../training/research/border-prior.ts'
import { readHistorySet } from '../../../training/research/history-files.ts'
import { trainingSettings } from '../../../training/settings/training-settings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { fakeSeries, keptHours, peaks, START } from '../fake-series.ts'

const CBP = 'airport,terminal,checkpoint,lane,observed_at,wait_minutes,max_wait_minutes,passengers,flights,booths'

async function folderOf(files: Record<string, string[]>): Promise<string> {
  const folder = join(await temporaryFolder(), 'set')
  await mkdir(folder, { recursive: true })
  for (const [name, lines] of Object.entries(files)) await writeFile(join(folder, name), gzipSync(lines.join('\n')))
  return folder
}

test('the columns of CBP make a set of immigration, known three days later, without hours in which nobody arrived', async () => {
  const folder = await folderOf({
    'cbp.csv.gz': [
      CBP,
      'MIA,South,CBP primary,all,2024-05-01T10:00:00Z,12,40,300,2,9',
      'MIA,North,CBP primary,all,2024-05-01T10:00:00Z,20,40,300,2,9',
      'MIA,North,CBP primary,all,2024-05-01T11:00:00Z,0,0,0,1,9',
    ],
  })
  const { kind, series } = readHistorySet(folder)
  expect(kind).toBe('immigration')
  expect(series.map(({ terminal, mean }) => [terminal, [...mean]])).toEqual([
    ['', [16]],
    ['North', [20]],
    ['South', [12]],
  ])
  expect(series[0]!.available_ms[0]! - series[0]!.hour_ms[0]!).toBe(72 * HOUR_MS)
})

test('a folder without waits is refused with what is wrong', async () => {
  const throughput = ['airport,terminal,checkpoint,lane,observed_at,passengers', 'ATL,,Main,all,2024-05-01T10:00:00Z,3']
  const security = ['airport,terminal,lane,observed_at,wait_minutes', 'ATL,,Standard,2024-05-01T10:00:00Z,3']
  const faults: [Record<string, string[]>, RegExp][] = [
    [{}, /no csv.gz file/],
    [{ 'a.csv.gz': throughput }, /no column wait_minutes/],
    [{ 'a.csv.gz': security, 'b.csv.gz': [CBP] }, /security and immigration/],
  ]
  for (const [files, message] of faults) {
    const folder = await folderOf(files)
    expect(() => readHistorySet(folder)).toThrow(
      expect.objectContaining({ code: 'IMPORT_INVALID', message: expect.stringMatching(message) }),
    )
  }
  expect(() => readHistorySet('/nowhere')).toThrow(/no folder that can be read/)
})

const DAYS = 45
const CUTOFF = START + DAYS * DAY_MS

/** A queue that is used between 6:00 and 20:59, and becomes known three days late. */
function passportQueue(over: Partial<HourlySeries> = {}): HourlySeries {
  const all = fakeSeries(DAYS, peaks(1))
  const { hour } = prepareSeries(all).clock
  const used = keptHours(all, (row) => hour[row]! >= 6 && hour[row]! <= 20)
  return { ...used, available_ms: used.hour_ms.map((start) => start + 72 * HOUR_MS), ...over }
}

test('a direction has an artifact of its own; hours in which nobody arrives are not forecast, and a late row changes nothing', async () => {
  const { card, net } = await loadArtifact(projectFile('test', 'training', 'fixtures', 'model-v4'))
  const version = 'model:ZRH/entry@2026-04-15T00Z'
  const direction = { kind: 'immigration', iata: 'ZRH', direction: 'entry', version } as const
  const artifact = { card: { ...card, ...direction }, net }
  const models = await temporaryFolder()
  const folder = await saveArtifact(models, artifact)
  expect(await trainedSubjects(models, 'immigration')).toEqual(['ZRH/entry'])
  expect(await listArtifacts(models, 'immigration', 'ZRH/entry')).toEqual([folder])
  const queue = passportQueue({ iata: 'ZRH', direction: 'entry' })
  const rows = predictAirport(artifact, [queue], CUTOFF)
  expect(rows).toHaveLength(7 * 15)
  for (const row of rows)
    expect(row).toMatchObject({ direction: 'entry', terminal: '', model: expect.stringContaining('ZRH/entry@') })
  expect(Math.min(...rows.map(({ samples }) => samples!))).toBeGreaterThanOrEqual(24)
  // What the last three days hold was not known yet.
  const poisoned = { ...queue, mean: queue.mean.map((wait, row) => (queue.available_ms[row]! > CUTOFF ? 500 : wait)) }
  expect(predictAirport(artifact, [poisoned], CUTOFF)).toEqual(rows)
})

test('the only terminal of an airport is not learned twice, and has the forecast of the airport', async () => {
  const airport = passportQueue()
  const terminal = passportQueue({ terminal: 'Main' })
  expect(soleTerminal([airport, terminal])).toBe('Main')
  expect(withoutSoleTerminals([airport, terminal])).toEqual([airport])
  const half = hoursWithin(terminal, START, START + 20 * DAY_MS)
  expect(soleTerminal([airport, half])).toBeNull()
  const { card, net } = await loadArtifact(projectFile('test', 'training', 'fixtures', 'model-v4'))
  const rows = predictAirport({ card: { ...card, kind: 'immigration' }, net }, [airport, terminal], CUTOFF)
  const ofTerminal = rows.filter((row) => row.terminal === 'Main')
  expect(ofTerminal).toHaveLength(7 * 15)
  expect(ofTerminal.map(({ p50 }) => p50)).toEqual(rows.filter((row) => row.terminal === '').map(({ p50 }) => p50))
})

test('a typical table has the hours in which passengers arrived, ordered', () => {
  const table = ownTable(prepareSeries(passportQueue()))
  expect(table).toHaveLength(168)
  for (const [cell, quantiles] of table.entries()) {
    const hour = cell % 24
    expect(quantiles === null, `cell ${cell}`).toBe(hour < 6 || hour > 20)
    if (quantiles) expect(quantiles).toEqual(quantiles.toSorted((a, b) => a - b))
  }
})

test('intervals follow what has come true though every truth is known three days late', async () => {
  // From the 24th day on the waits are twice as long, so that far more than a tenth of them lie above p90.
  const calm = passportQueue()
  const queue = {
    ...calm,
    mean: calm.mean.map((wait, row) => (calm.hour_ms[row]! > START + 24 * DAY_MS ? 2 * wait : wait)),
  }
  const [run] = await backtest([prepareSeries(queue)], {
    from_ms: START + 24 * DAY_MS,
    // The waits of three days have become known; a week later the ranges cover them, and fewer misses are no longer aimed at.
    to_ms: START + 30 * DAY_MS,
    settings: trainingSettings({
      seeds: [1],
      net: { hidden_units: [1] },
      fit: { epochs: 1, origin_step_hours: 48 },
      backtest: { every_hours: 24, refit_days: 365, burn_in_days: 8 },
    }),
  })
  const week = run!.calibrations.model.buckets.at(-1)!
  expect(week.high_miss).toBeLessThan(0.09)
})
