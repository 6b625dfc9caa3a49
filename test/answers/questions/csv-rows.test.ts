import { expect, test } from 'vitest'
import { getHistorical } from '../../../answers/questions/get-historical.ts'
import { getPredictions } from '../../../answers/questions/get-predictions.ts'
import { DIRECTORY } from '../../api/airport-directory.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../../api/example-snapshot.ts'
import { forecastFrom, historyOf } from '../../api/fake-snapshot.ts'

type Row = Record<string, unknown>

const FIGURES = ['time', 'wait_minutes', 'low', 'high', 'mean', 'p50', 'p90', 'max', 'samples']
const figuresOf = (row: Row) => FIGURES.map((name) => row[name])

test.each([getPredictions, getHistorical])(
  'the CSV of $name has the figures of its hours and of their terminals',
  (query) => {
    const hours = [2, 1].map((ago) => THIS_HOUR - ago * 3_600_000)
    const snapshot = snapshotAt(NOW, {
      forecasts: [forecastFrom('JFK', THIS_HOUR), { ...forecastFrom('JFK', THIS_HOUR - 3_600_000, 'T4') }],
      history: [historyOf('JFK', hours, () => 90), historyOf('JFK', hours, () => 50, 'T4')],
    })
    const context = { snapshot, directory: DIRECTORY, tier: 'enterprise' as const, now: NOW }
    const answer = query.run({ iata: 'JFK', days: 1 }, context) as { hours: (Row & { terminals?: Row[] })[] }
    const expected = answer.hours.flatMap(({ terminals = [], ...hour }) => [
      hour,
      ...terminals.map((terminal): Row => ({ time: hour['time'], ...terminal })),
    ])
    expect(expected.length).toBeGreaterThan(3)
    const { rows } = query.rest!.csv as unknown as { rows: (answer: object) => Row[] }
    expect(rows(answer).map(figuresOf)).toEqual(expected.map(figuresOf))
  },
)
