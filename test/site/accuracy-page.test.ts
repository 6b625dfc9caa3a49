import { expect, test } from 'vitest'
import { ForecastFigures } from '../../answers/accuracy/figures.ts'
import { verdictText } from '../../site/accuracy/figures-text.ts'
import { ACCURACY } from '../api/accuracy-content.ts'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { shareHarness } from '../api/harness.ts'
import { NO_ACCURACY } from '../warehouse/snapshot-content.ts'
import { textOf } from './text-of.ts'

const harness = shareHarness()
const { call, controls } = harness

async function pageOf(accuracy = ACCURACY, path = '/accuracy') {
  const { app } = harness
  controls.snapshot = snapshotAt(NOW, { accuracy })
  return app.inject({ method: 'GET', url: path })
}
test('the page tells the record with verdicts, misses with their known causes, exclusions and the command', async () => {
  const response = await pageOf()
  expect(response.statusCode).toBe(200)
  const text = textOf(response.body)
  expect(text).toContain('has kept its record since 1 Nov 2026')
  expect(text).toContain('better')
  expect(text).toContain('worse')
  expect(text).toContain('lately worse than tested, so the simple rule is used')
  expect(text).toContain('level shift: 90 % of the other hours of the day missed to the same side')
  expect(text).toContain('One hour ahead we are off by 4.0 min; 79 % fell inside the range.')
  expect(text).toContain('not scored')
  expect(text).toMatch(/Beside rules from elsewhere .* 1 h live 4\.00 6\.00 5\.00 320 /)
  expect(text).toContain('npx holdshort run record')
  expect(response.body).not.toContain('<b>thunderstorms')
  expect((await pageOf(ACCURACY, '/accuracy?days=8')).statusCode).toBe(400)
})

test('without a record the page says since when it records and shows the backtest', async () => {
  const text = textOf((await pageOf({ ...ACCURACY, recorded_since: null, records: [], misses: [] })).body)
  expect(text).toContain('Nothing scored yet')
  expect(text).toContain('the figures of 2 airports are of past hours that the forecasts had not seen')
  expect(text).toContain('2.80 min')
  const empty = textOf((await pageOf(NO_ACCURACY)).body)
  expect(empty).toContain('No model has been trained yet.')
  expect(empty.match(/Nothing scored yet/g)).toHaveLength(1)
  expect(empty).toContain('What is scored')
  controls.snapshot = null
  expect((await harness.app.inject({ method: 'GET', url: '/accuracy' })).body).toContain('No figures yet')
})

test('under 300 hours the page says when live figures follow, and shows those of past hours alone', async () => {
  const records = ACCURACY.records.map((record) => ({
    ...record,
    buckets: record.buckets.map((bucket) => ({ ...bucket, samples: 20, compared: 20 })),
  }))
  const short = { ...ACCURACY, records }
  const html = (await pageOf(short)).body
  const text = textOf(html)
  expect(text).toMatch(
    /So far \d+ hours of airports were observed .* follow from 300, at this pace in about \d+ (hours|days)\./,
  )
  expect(text).toContain('would have been off by')
  expect(text).not.toContain('we are off by')
  expect(text).toContain('Too few hours have come true yet.')
  expect(html).not.toContain('class="live-row"')
  controls.snapshot = snapshotAt(NOW, { accuracy: short })
  expect(textOf((await harness.app.inject('/')).body)).not.toContain('The whole record')
})

test('no table of the page has live figures beside those of past hours', async () => {
  for (const [table] of (await pageOf()).body.matchAll(/<table[\s\S]*?<\/table>/g))
    expect([table.includes('live-row'), table.includes('backtest-row')]).not.toEqual([true, true])
})

test('the page, the home page and the API have one figure, and a short record is too short to judge', async () => {
  const { app } = harness
  controls.snapshot = snapshotAt(NOW, { accuracy: ACCURACY })
  const { horizons } = (await call('free', '/api/v1/accuracy?days=30')).json()
  expect(horizons[0].figures).toMatchObject({ mae_minutes: 4, samples: 400 })
  const sentence = 'One hour ahead we are off by 4.0 min; 79 % fell inside the range.'
  expect(textOf((await app.inject('/accuracy')).body)).toContain(sentence)
  expect(textOf((await app.inject('/')).body)).toContain(sentence)
  const record = (compared: number, verdict: 'better' | 'undecided') =>
    verdictText({ compared, skill_mae: { skill: 0.1, low: 0.05, high: 0.2, verdict } }).text
  expect([record(299, 'better'), record(300, 'better'), record(300, 'undecided')]).toEqual([
    'too few to judge',
    'better',
    'no better',
  ])
})

test('every part of the record is a file with what its columns mean, and says when the world is simulated', async () => {
  const { app } = harness
  controls.snapshot = snapshotAt(NOW, { accuracy: ACCURACY, simulated: true })
  const get = (url: string) => app.inject({ method: 'GET', url })
  for (const name of ['scorecard', 'reliability', 'coverage', 'airports', 'misses']) {
    const { columns, rows, ...metadata } = (await get(`/accuracy/${name}.json?days=7`)).json()
    expect(metadata, name).toMatchObject({ days: 7, simulated: true, recorded_since: '2026-11-01T00:00:00Z' })
    expect(metadata.licence, name).not.toBe('')
    const csv = (await get(`/accuracy/${name}.csv?days=7`)).body.trim().split('\r\n')
    expect(csv[0], name).toBe(
      [...Object.keys(columns), 'days', 'unit', 'sources', 'made_at', 'simulated', 'page'].join(','),
    )
    expect(csv, name).toHaveLength(rows.length + 1)
    for (const row of rows) expect(Object.keys(row), name).toEqual(Object.keys(columns))
    const svg = await get(`/accuracy/${name}.svg`)
    if (['airports', 'misses'].includes(name)) expect(svg.statusCode).toBe(404)
    else expect(svg.body, name).toMatch(/^<svg[^>]*>[\s\S]*SIMULATED world/)
  }
  const { columns, rows } = (await get('/accuracy/scorecard.json')).json()
  for (const name of ['samples', 'coverage_80', 'trend_mae_minutes'] as const)
    expect(columns[name]).toBe(ForecastFigures.shape[name].description)
  expect(rows[0]).toMatchObject({
    record: 'live',
    samples: 400,
    mae_minutes: 4,
    skill: 0.1,
    skill_low: 0.04,
    verdict: 'better',
  })
  const reliability = (await get('/accuracy/reliability.json')).json()
  expect(reliability.rows[0]).toMatchObject({ record: 'live', samples: 200 })
  expect((await get('/accuracy/scorecard.csv?days=8')).statusCode).toBe(400)
  controls.snapshot = snapshotAt(NOW, { accuracy: NO_ACCURACY })
  expect((await harness.app.inject('/accuracy/misses.json')).json()).toMatchObject({ rows: [], recorded_since: null })
  expect((await harness.app.inject('/accuracy/reliability.svg')).statusCode).toBe(200)
})
