import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { HOUR_MS, isoUtc } from '../../../config/domain.ts'
import { PROJECT_ROOT } from '../../../config/paths.ts'
import { parseCsv } from '../../../training/history/csv.ts'
import { readHistoryFolder } from '../../../training/history/history-files.ts'
import { buildPrior } from '../../../training/prior/prior.ts'
import { tempFolder } from '../../temp.ts'

const SHARED = join(PROJECT_ROOT, '..', 'shared', 'history')

/** A hand-written set in the shape of the historical ones. */
async function writeSet(folder: string, rows: string[]): Promise<string> {
  await mkdir(folder, { recursive: true })
  const header = 'airport,terminal,checkpoint,lane,observed_at,wait_minutes,wait_low,wait_high,status'
  await writeFile(join(folder, 'set.csv.gz'), gzipSync([header, ...rows, ''].join('\n')))
  return folder
}

test('csv fields may be quoted, empty, and hold commas', () => {
  expect(parseCsv('a,b,c\r\n"x, ""y""",,3\n')).toEqual([{ a: 'x, "y"', b: '', c: '3' }])
})

test('hours are means over open standard lanes; a range counts by its middle, and missing is not zero', async () => {
  const folder = await writeSet(join(await tempFolder(), 'security-made'), [
    'JFK,4,"Main, upper",Standard,2026-05-01T10:05:00Z,10,,,open',
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
  const whole = series[0]!
  expect([whole.timezone, whole.country, isoUtc(whole.hour_ms[0]!)]).toEqual([
    'America/New_York',
    'US',
    '2026-05-01T10:00:00Z',
  ])
  expect(whole.available_ms[0]! - whole.hour_ms[0]!).toBe(HOUR_MS)
})

test('a prior says which classes were observed, and judges each airport by the others', async () => {
  const root = await tempFolder()
  const rows = ['JFK', 'EWR', 'ATL'].flatMap((iata, k) =>
    Array.from({ length: 24 * 14 }, (_, hour) => {
      const observed = isoUtc(Date.parse('2026-05-04T00:00:00Z') + hour * HOUR_MS)
      return `${iata},,Main,Standard,${observed},${2 * k + (hour % 24 < 12 ? 4 : 10)},,,open`
    }),
  )
  await writeSet(join(root, 'security-made'), rows)
  const { classes, made_from } = buildPrior(root, '2026-11-21')
  expect(made_from).toEqual(['security-made'])
  const large = classes.find(({ size }) => size === 'large')!
  expect(large).toMatchObject({ airports: ['ATL', 'EWR', 'JFK'], hours: 3 * 24 * 14, extrapolated_from: null })
  expect(large.leave_one_airport_out).toMatchObject({ airports: 3, samples: 3 * 24 * 14, within_5: 1 })
  // 08:00 in New York is 12Z: waits of 10, 12 and 14 minutes at the three airports.
  expect(large.table[8]).toMatchObject({ p50: 12 })
  expect(classes.find(({ size }) => size === 'small')).toMatchObject({
    airports: [],
    extrapolated_from: 'large',
    leave_one_airport_out: null,
  })
})

test.skipIf(!existsSync(SHARED))('the real main set of the shared history reads as 24 airports with sane hours', () => {
  const series = readHistoryFolder(join(SHARED, 'security-us-2026'))
  expect(series.map(({ iata }) => iata)).not.toContain('OMA')
  expect(new Set(series.map(({ iata }) => iata)).size).toBe(24)
  for (const { mean } of series) {
    expect(Math.min(...mean)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...mean)).toBeLessThan(200)
  }
})
