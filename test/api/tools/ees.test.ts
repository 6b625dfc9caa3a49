import { describe, expect, it } from 'vitest'
import type { EesForecast } from '../../../answers/questions/get-ees-forecast.ts'
import type { BorderWaits } from '../../../answers/questions/get-ees-wait-times.ts'
import { getEesForecastTool } from '../../../api/tools/get-ees-forecast.ts'
import { getEesWaitTimesTool } from '../../../api/tools/get-ees-wait-times.ts'
import { type CheckpointWait, type QueueWait, UNKNOWN_STATUS } from '../../../config/answer-schemas.ts'
import { DAY_MS, freshnessOf, HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import type { BorderForecast } from '../../../warehouse/publishing/read/border-forecasts.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../example-snapshot.ts'
import { NOTHING } from '../fake-snapshot.ts'
import { runTool, toolText } from './run-tool.ts'

function lane(checkpoint: string, wait_minutes: number | null, over: Partial<CheckpointWait> = {}): CheckpointWait {
  const age_seconds = 120
  return {
    checkpoint,
    lane: 'all',
    wait_minutes,
    range: null,
    open: true,
    ...UNKNOWN_STATUS,
    status: 'open',
    unavailable_reason: null,
    basis: 'measured',
    source: 'zrh-passport',
    observed_at: isoUtc(NOW - age_seconds * 1_000),
    age_seconds,
    freshness: freshnessOf(age_seconds),
    ...over,
  }
}

function border(...checkpoints: CheckpointWait[]): QueueWait {
  const [{ basis, observed_at, age_seconds, source, freshness }] = checkpoints as [CheckpointWait]
  const provenance = { basis, observed_at, age_seconds, source, freshness, unavailable_reason: null }
  const figure = { ...UNKNOWN_STATUS, ...provenance }
  const terminal = { terminal: '', wait_minutes: 9, ...figure, checkpoints }
  return { average_wait_minutes: 9, ...figure, terminals: [terminal] }
}

const board = (input: object, queues: Record<string, QueueWait> = {}) =>
  runTool<BorderWaits>(getEesWaitTimesTool, input, 'free', snapshotAt(NOW, { queues }))
const rowOf = (code: string, queue: QueueWait) => board({ iata: code }, { [`${code} immigration`]: queue }).airports[0]!

describe('get_ees_wait_times', () => {
  it('separates entry and exit by the names of the queues, each as the average of its open lanes', () => {
    const older = { age_seconds: 700, observed_at: isoUtc(NOW - 700_000), freshness: 'recent' as const }
    const row = rowOf(
      'ZRH',
      border(
        lane('Arrival D', 10),
        lane('Arrival E', 21, older),
        lane('Departure E', 4),
        lane('Arrival F', 50, { open: false }),
        lane('Arrival G', null),
        lane('Arrival H', 60, { lane: 'crew' }),
      ),
    )
    expect(row).toMatchObject({
      entry: { wait_minutes: 16, basis: 'measured', observed_at: older.observed_at, freshness: 'recent' },
      exit: { wait_minutes: 4, source: 'zrh-passport', freshness: 'live' },
      unknown_direction: null,
      unavailable_reason: null,
      member: true,
      publisher_known: true,
    })
  })

  it('a queue whose name states no direction is of unknown direction, never guessed', () => {
    const row = rowOf('MAD', border(lane('', 35, { basis: 'reported', source: 'crowd' })))
    expect(row).toMatchObject({ entry: null, exit: null, unknown_direction: { wait_minutes: 35, basis: 'reported' } })
    expect(row.unavailable_reason).toBe('The source does not tell entry from exit.')
  })

  it('closed queues are closed, not unknown, and have no wait', () => {
    const queues = { 'ZRH immigration': border(lane('Arrival D', null, { open: false }), lane('Departure E', 4)) }
    const row = board({ iata: 'ZRH' }, queues).airports[0]!
    expect(row).toMatchObject({ entry: null, entry_status: 'closed', exit: { wait_minutes: 4 }, exit_status: 'open' })
    expect(row.unavailable_reason).toBe('All entry queues are closed (2 min ago), so they have no wait.')
    const text = toolText(getEesWaitTimesTool, { iata: 'ZRH' }, 'free', snapshotAt(NOW, { queues }))
    expect(text).toContain(
      'about 4 min leaving the area, measured 2 min ago by the airport. All entry queues are closed',
    )
  })

  it('with one direction only, the other is not known', () => {
    const row = rowOf(
      'ZRH',
      border(lane('Arrival E', 12), lane('Arrival D', 14, { source: 'crowd', basis: 'reported' })),
    )
    expect(row).toMatchObject({
      entry: { wait_minutes: 13, basis: 'reported', source: 'zrh-passport+crowd' },
      exit: null,
    })
    expect(row.unavailable_reason).toBe('No source has the exit queue here now.')
  })

  it('expired waits are not shown', () => {
    const row = rowOf('ZRH', border(lane('Arrival E', 12, { freshness: 'expired', age_seconds: 30_000 })))
    expect(row).toMatchObject({ entry: null, exit: null, unknown_direction: null })
    expect(row.unavailable_reason).toMatch(/\S/)
  })

  it('without a figure it has the reason, and past figures only as past', () => {
    const { airports, past_figures } = board({ iata: 'GVA' })
    expect(airports[0]).toMatchObject({ entry: null, exit: null, publisher_known: false })
    expect(airports[0]!.unavailable_reason).toBe(NOTHING.unavailable_reason)
    expect(past_figures.map(({ iata: code }) => code)).toEqual(['GVA', 'GVA'])
    for (const { source, date } of past_figures)
      expect([source, date]).toEqual([expect.stringMatching(/^http/), expect.any(String)])
    const text = toolText(getEesWaitTimesTool, { iata: 'GVA' })
    expect(text).toContain('GVA Geneva Cointrin International Airport: the wait at border control is not known now.')
    expect(text).toContain(
      'Allow extra time of your own: no figure does not mean no queue. Pages named up to 180 min here',
    )
    expect(text).toContain('In the past, Geneva: up to 2.5 h')
  })

  it('an airport outside the area has no figure and is marked as outside', () => {
    const outside = board({ iata: 'LHR' }, { 'LHR immigration': border(lane('Arrivals', 12)) })
    expect(outside).toMatchObject({ total: 1, with_figure: 0, past_figures: [], publishers: [] })
    expect(outside.airports[0]).toMatchObject({ member: false, entry: null, exit: null, unknown_direction: null })
    expect(board({ iata: 'LYR' }).airports[0]!.unavailable_reason).toContain('Svalbard is outside')
  })

  it.each([
    ['TFS', 'Tenerife'],
    ['TFN', 'Tenerife'],
    ['CDG', 'airports in France'],
    ['KEF', 'airports in France'],
    ['LIS', 'Lisbon'],
  ])('a figure without a code is that of the airports of its place or state: %s, %s', (iata, place) => {
    expect(toolText(getEesWaitTimesTool, { iata })).toContain(`In the past, ${place}`)
  })

  it('of Tenerife the past range stands before the scope, and elsewhere no range is claimed', () => {
    const text = toolText(getEesWaitTimesTool, { iata: 'TFS' })
    expect(text).toContain('Pages named 20 to 120 min here on past days')
    expect(text.indexOf('20 to 120')).toBeLessThan(text.indexOf('The Entry/Exit System registers'))
    expect(toolText(getEesWaitTimesTool, { iata: 'CDG' })).not.toContain('Pages named')
    expect(toolText(getEesWaitTimesTool, { country: 'ES' }).split('\n')[0]).toMatch(/pages named 20 to 180 min/)
  })

  it('without arguments it returns 25 airports, those with a figure first, then by size; 150 at most', () => {
    const queues = { 'ZRH immigration': border(lane('Arrival E', 12)), 'TFN immigration': border(lane('', 8)) }
    const all = board({}, queues)
    expect(all.airports).toHaveLength(25)
    expect(all.total).toBeGreaterThan(400)
    expect(all.with_figure).toBe(2)
    expect(
      all.airports
        .slice(0, 2)
        .map(({ airport }) => airport)
        .sort(),
    ).toEqual(['TFN', 'ZRH'])
    expect(board({ limit: 150 }).airports).toHaveLength(150)
    expect(JSON.stringify(all).length).toBeLessThan(12_000)
  })

  it('with a country it returns only its airports in the area', () => {
    const norway = board({ country: 'NO', limit: 150 })
    expect(new Set(norway.airports.map(({ country }) => country))).toEqual(new Set(['NO']))
    expect(norway.airports.map(({ airport }) => airport)).not.toContain('LYR')
    expect(norway.total).toBe(norway.airports.length)
    expect(board({ country: 'Schengen area' })).toEqual(board({}))
    expect(board({ country: 'LI' })).toMatchObject({ total: 0, airports: [] })
    expect(toolText(getEesWaitTimesTool, { country: 'LI' })).toMatch(
      /^No Schengen airport with scheduled flights is known in [A-Z]/,
    )
    expect(toolText(getEesWaitTimesTool, { country: 'NO' })).toMatch(/^The border wait is not known now at any of \d+ /)
  })

  it('says since when the system runs, how it may be suspended, and the date of the newest fact', () => {
    const { ees, scope } = board({})
    expect(ees.facts.map(({ fact }) => fact.split(' ').slice(0, 3).join(' '))).toEqual([
      'gradual start of',
      'fully in operation;',
      'after this date',
      'a crossing point',
    ])
    expect(ees.newest_fact_date).toBe('2026-07-02')
    expect(ees.note).toContain('The facts here date from 2026-07-02 or earlier')
    expect(scope).toContain('non-EU travellers on short stays')
  })
})

const expected = (over: Partial<BorderForecast> = {}): BorderForecast => ({
  iata: 'ZRH',
  terminal: '',
  direction: 'entry',
  basis: 'predicted',
  trained_at: null,
  note: null,
  version: 'baseline:ZRH/entry@2026-11-21T14Z',
  start_ms: THIS_HOUR,
  hours: Array.from({ length: 36 }, (_, hour) =>
    hour === 3 ? null : { p10: hour, p50: hour + 5.4, p90: hour + 10.6, samples: 20, confidence: 0.8 },
  ),
  backtest: { mae_minutes: 3.21, baseline_mae_minutes: null, coverage_80: 0.78, within_5: 0.81, samples: 160 },
  ...over,
})
const ahead = (code: string, borderForecasts: BorderForecast[] = []) =>
  runTool<EesForecast>(getEesForecastTool, { iata: code }, 'free', snapshotAt(NOW, { borderForecasts }))

describe('get_ees_forecast', () => {
  it('returns 24 hours from the current one, local and UTC, entry and exit apart', () => {
    const { hours, entry, exit, unknown_direction } = ahead('ZRH', [expected()])
    expect(hours).toHaveLength(24)
    expect(hours[0]).toEqual({
      time: '2026-11-21T14:00:00Z',
      local_time: '2026-11-21T15:00:00+01:00',
      exit: { wait_minutes: 15, low: 4, high: 33, samples: null },
      unknown_direction: null,
      entry: { wait_minutes: 5, low: 0, high: 11, samples: 20 },
    })
    expect(hours.at(-1)!.time).toBe('2026-11-22T13:00:00Z')
    expect(entry).toEqual({
      basis: 'predicted',
      model: 'baseline:ZRH/entry@2026-11-21T14Z',
      confidence: 0.81,
      backtest: { mae_minutes: 3.21, coverage_80: 0.78, samples: 160 },
      note: null,
      unavailable_reason: 'Null hours were observed on too few days.',
    })
    expect(hours[3]!.entry).toBeNull()
    expect(exit).toMatchObject({ basis: 'typical', confidence: null, unavailable_reason: null })
    expect(unknown_direction).toBeNull()
  })

  it('a backtest of few hours has no confidence', () => {
    const backtest = { mae_minutes: 3, baseline_mae_minutes: null, coverage_80: 1, within_5: 1, samples: 23 }
    expect(ahead('ZRH', [expected({ backtest })]).entry.confidence).toBeNull()
  })

  it('the text tells the error that the structure has, where the hours are too few for a confidence', () => {
    const backtest = { mae_minutes: 1.5, baseline_mae_minutes: null, coverage_80: 1, within_5: 1, samples: 21 }
    const borderForecasts = [expected({ backtest })]
    const text = toolText(getEesForecastTool, { iata: 'ZRH' }, 'free', snapshotAt(NOW, { borderForecasts }))
    expect(text).toContain('off by 1.5 min on average in the 21 hours it was tested on')
    expect(text).not.toContain('not measured yet')
  })

  it('begins with the current hour even if the snapshot is older, and a forecast whose hours are over gives way to what is typical', () => {
    const { hours, entry } = ahead('ZRH', [expected({ start_ms: THIS_HOUR - 20 * HOUR_MS })])
    expect(hours[0]!.entry).toMatchObject({ wait_minutes: 25 })
    expect(hours[15]!.entry).toMatchObject({ wait_minutes: 40 })
    expect(hours[16]!.entry).toBeNull()
    expect(entry.model).not.toBeNull()
    const old = ahead('ZRH', [expected({ start_ms: THIS_HOUR - 2 * DAY_MS })])
    expect(old.entry).toMatchObject({ basis: 'typical' })
  })

  it('queues of unknown direction have a forecast of their own', () => {
    const { unknown_direction, entry } = ahead('ZRH', [expected({ direction: 'unknown' })])
    expect(unknown_direction).toMatchObject({ basis: 'predicted' })
    expect(entry).toMatchObject({ basis: 'typical' })
  })

  it('an airport without history has what is typical, never the hours of another airport', () => {
    const { hours, entry } = ahead('MAD', [expected()])
    expect(entry).toMatchObject({ basis: 'typical', note: expect.stringContaining('US airports') })
    expect(new Set(hours.map(({ entry }) => entry?.wait_minutes)).size).toBe(1)
    expect(ahead('JFK')).toMatchObject({ member: false, hours: [] })
    expect(ahead('JFK').entry.unavailable_reason).toContain('not in the Schengen area')
  })

  it('a typical direction says what it is taken from and its error, without a confidence of its own', () => {
    const { entry, hours } = ahead('MAD')
    expect(entry).toMatchObject({ basis: 'typical', confidence: null })
    expect(entry).toMatchObject({ note: expect.stringContaining('No European border queue was among them') })
    expect(hours[5]!.entry).toEqual({ wait_minutes: 15, low: 4, high: 33, samples: null })
    const text = toolText(getEesForecastTool, { iata: 'MAD' }, 'free', snapshotAt(NOW, {}))
    expect(text).toContain('Entry: not measured here; typical is about 15 min, mostly 4 to 33, at any hour')
    expect(text).toContain('off by 8 min on average at US airports')
  })

  it('the text names the shortest and the longest hour and the confidence', () => {
    const borderForecasts = [expected()]
    const text = toolText(getEesForecastTool, { iata: 'ZRH' }, 'free', snapshotAt(NOW, { borderForecasts }))
    expect(text).toContain(
      'Entry: longest at 14:00 (28 min, 23 to 34), shortest at 15:00 (5 min, 0 to 11); predicted, ',
    )
    expect(text).toContain('within 5 min in 81 % of hours it had not seen')
    expect(text).toContain('Exit: not measured here; typical is about 15 min')
  })
})
