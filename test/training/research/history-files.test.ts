import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT_ROOT } from '../../../config/paths.ts'
import { HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { readHistoryFolder, readLaneFolder } from '../../../training/research/history-files.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { writeHistorySet } from './history-set.ts'

const SHARED = join(PROJECT_ROOT, '..', 'shared', 'history')

test('hours are means over open standard lanes; a range counts by its middle, and missing is not zero', async () => {
  const folder = await writeHistorySet(join(await temporaryFolder(), 'security-made'), [
    'JFK,4,"Main, ""upper""",Standard,2026-05-01T10:05:00Z,10,,,open',
    'JFK,4,Main,General,2026-05-01T10:35:00Z,,10,30,open',
    'JFK,8,Main,,2026-05-01T10:45:00Z,3,,,open',
    'JFK,4,Main,TSA Pre✓,2026-05-01T10:05:00Z,99,,,open',
    'JFK,4,Main,Standard,2026-05-01T10:50:00Z,99,,,closed',
    'JFK,4,Main,Standard,2026-05-01T11:05:00Z,,,,unknown',
  ])
  const series = readHistoryFolder(folder)
  expect(series.map(({ terminal, mean, samples }) => [terminal, [...mean], [...samples]])).toEqual([
    ['', [11], [3]],
    ['4', [15], [2]],
    ['8', [3], [1]],
  ])
  const airport = series[0]!
  expect([airport.timezone, airport.country, isoUtc(airport.hour_ms[0]!)]).toEqual([
    'America/New_York',
    'US',
    '2026-05-01T10:00:00Z',
  ])
  expect(airport.available_ms[0]! - airport.hour_ms[0]!).toBe(HOUR_MS)
})

test('single lanes of any kind teach when they were observed often enough', async () => {
  const hours = Array.from({ length: 250 }, (_, k) => isoUtc(Date.parse('2026-05-01T00:05:00Z') + k * HOUR_MS))
  const folder = await writeHistorySet(join(await temporaryFolder(), 'security-made'), [
    ...hours.map((instant) => `JFK,4,Main,TSA Pre✓,${instant},5,,,open`),
    ...hours.slice(1).map((instant) => `JFK,4,Main,Standard,${instant},9,,,open`),
  ])
  const lanes = readLaneFolder(folder)
  expect(lanes.map(({ iata, mean }) => [iata, new Set(mean)])).toEqual([['JFK', new Set([5])]])
})

test.runIf(EXHAUSTIVE && existsSync(SHARED))(
  'the main set of the shared history holds 24 airports with plausible hours',
  () => {
    const series = readHistoryFolder(join(SHARED, 'security-us-2026'))
    expect(series.map(({ iata }) => iata)).not.toContain('OMA')
    expect(new Set(series.map(({ iata }) => iata)).size).toBe(24)
    for (const { mean } of series) {
      expect(Math.min(...mean)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...mean)).toBeLessThan(200)
    }
  },
)
