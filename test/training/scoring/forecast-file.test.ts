import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readForecastFile } from '../../../training/scoring/forecast-file.ts'
import { scoreForecasts } from '../../../training/scoring/score-forecasts.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const ISSUED = '2026-06-01T00:00:00Z'
const VALID = '2026-06-01T02:00:00Z'

async function csv(rows: unknown[][], header = 'airport,issued_at,valid_at,p10,p50,p90') {
  const path = join(await temporaryFolder(), 'predictions.csv')
  await writeFile(path, `${[header, ...rows.map((row) => row.join(','))].join('\r\n')}\r\n`)
  return path
}

function faultsOf(path: string): string[] {
  try {
    readForecastFile(path)
    return []
  } catch (error) {
    return (error as Error).message.split('; ')
  }
}

it('names every fault of a CSV by its line', async () => {
  const path = await csv([
    ['JFK', ISSUED, VALID, 3, 2, 9],
    ['QQQ', ISSUED, VALID, 1, 2, 3],
    ['JFK', '2026-06-01 00:00', VALID, 1, 2, 3],
    ['JFK', ISSUED, '2026-06-01T00:30:00Z', 1, 2, 3],
    ['JFK', '2026-06-02T00:00:00Z', '2026-06-01T00:00:00Z', 1, 2, 3],
    ['JFK', ISSUED, VALID, 1, 'two', 3],
    ['JFK', ISSUED, VALID, -1, 2, 3],
    ['JFK', ISSUED, '2026-06-01T02:00:00+00:00', 1, 2, 3],
    ['JFK', ISSUED, '2026-06-01T04:00:00+02:00', 1, 2, 3],
    ['JFK', ISSUED],
    ['JFK', '2126-06-01T00:00:00Z', '2126-06-01T02:00:00Z', 1, 2, 3],
    ['kjfk', ISSUED, VALID, 1, 2, 3],
    ['JFK', '2026-02-31T00:00:00Z', VALID, 1, 2, 3],
    ['LAX', ISSUED, VALID, 1, 2, 1e300],
    ['LAX', ISSUED, '2027-06-03T00:00:00Z', 1, 2, 3],
  ])
  expect(() => readForecastFile(path)).toThrow(
    [
      `${path} is no file of forecasts: line 2: p10, p50, p90: are not in order`,
      'line 3: airport: "QQQ" is not the code of an airport, such as JFK',
      'line 4: issued_at: "2026-06-01 00:00" is not an instant with a zone, such as 2026-11-21T00:00:00Z',
      'line 5: valid_at: is not the start of a UTC hour',
      'line 6: valid_at: lies before issued_at',
      'line 7: p50: "two" is not a number',
      'line 8: p10: a wait is not negative',
      'line 10: a second forecast of the same airport, issued_at and valid_at',
      'line 11: 2 cells, but the header has 6',
      'line 12: issued_at: lies in the future',
      'line 13: a second forecast of the same airport, issued_at and valid_at',
      'line 14: issued_at: "2026-02-31T00:00:00Z" is not an instant with a zone, such as 2026-11-21T00:00:00Z',
      'line 15: p90: 1e+300 is not between 0 and 600',
      'line 16: valid_at: is more than a year after issued_at',
    ].join('; '),
  )
  await expect(async () => readForecastFile(await csv([], 'airport,issued_at,p50'))).rejects.toThrow(
    'columns missing: valid_at, p10, p90',
  )
  await expect(async () =>
    readForecastFile(await csv([], 'airport,issued_at,valid_at,p10,p50,p50,p90')),
  ).rejects.toThrow('columns that occur twice: p50')
})

it('counts the faults beyond 20, cuts a long cell, and counts lines of the file, also blank ones', async () => {
  const long = ['x'.repeat(100_000), ISSUED, VALID, 1, 2, 3]
  const path = await csv([[''], long, ...Array.from({ length: 29 }, () => ['QQQ', ISSUED, VALID, 1, 2, 3])])
  const [first, ...rest] = faultsOf(path)
  expect(first).toMatch(/line 3: airport: "x+…$/)
  expect(first!.length).toBeLessThan(500)
  expect(rest).toHaveLength(20)
  expect(rest.at(-2)).toMatch(/^line 22: /)
  expect(rest.at(-1)).toBe('… and 10 more')
})

it('scores by airport, by hours ahead, and all airports alike', async () => {
  const path = await csv([
    ['LAX', ISSUED, '2026-06-01T01:00:00Z', 10, 20, 30],
    ['JFK', ISSUED, '2026-06-01T01:00:00Z', 0, 10, 20],
    ['JFK', ISSUED, '2026-06-03T00:00:00Z', 0, 10, 20],
  ])
  const waits = [20, 10, 40]
  const rows = readForecastFile(path).map((forecast, k) => ({ forecast, observed: waits[k]! }))
  const { overall, airports, horizons } = scoreForecasts(rows)
  expect(airports.map(({ airport, samples, mae_minutes }) => [airport, samples, mae_minutes])).toEqual([
    ['JFK', 2, 15],
    ['LAX', 1, 0],
  ])
  // LAX (1 of 1) counts like JFK (1 of 2).
  expect(overall).toMatchObject({ samples: 3, mae_minutes: 7.5, coverage_80: 0.75, within_5: 0.75 })
  const ahead = (hours: number) => horizons.find(({ from_hours, to_hours }) => hours >= from_hours && hours < to_hours)
  expect(ahead(1)).toMatchObject({ samples: 2, mae_minutes: 0 })
  expect(ahead(48)).toMatchObject({ samples: 1, mae_minutes: 30 })
})
