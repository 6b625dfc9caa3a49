import { describe, expect, test } from 'vitest'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import { type QueueWait, UNKNOWN_STATUS } from '../../../../config/answer-schemas.ts'
import { sourceById } from '../../../../config/sources.ts'
import { HOUR_MS, isoUtc } from '../../../../config/vocabulary.ts'
import { ForecastBuilder } from '../../../../warehouse/publishing/gather/forecast-block.ts'
import { publish } from '../../../../warehouse/publishing/publish.ts'
import { FACTS, type Fact } from '../../../../warehouse/publishing/read/fact-coverage.ts'
import type { SnapshotContent } from '../../../../warehouse/publishing/read/index.ts'
import { loadSnapshot } from '../../../../warehouse/publishing/snapshot/load.ts'
import { snapshotReader } from '../../../../warehouse/publishing/snapshot/snapshot.ts'
import { readings } from '../../../../warehouse/tables/readings.ts'
import { healthOf } from '../../../api/fake-snapshot.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { newWarehouse } from '../../new-warehouse.ts'
import { emptyContent } from '../../snapshot-content.ts'
import { reading } from '../../test-rows.ts'

const AT = '2026-11-20T10:00:00Z'
const NOW = Date.parse(AT)

const wait = (source: string, age_seconds: number): QueueWait => ({
  average_wait_minutes: 9,
  ...UNKNOWN_STATUS,
  unavailable_reason: null,
  basis: 'measured',
  observed_at: isoUtc(NOW - age_seconds * 1_000),
  age_seconds,
  source,
  freshness: 'live',
  terminals: [],
})

/** Forecasts of one airport for some hours from now. */
function forecasts(iata: string, hours: number, basis: 'predicted' | 'typical') {
  const builder = new ForecastBuilder()
  const version = basis === 'typical' ? 'prior:typical-large@2026-11-01' : `model:${iata}@2026-11-20T04Z`
  const backtest = { mae_minutes: null, baseline_mae_minutes: null, coverage_80: null, samples: 0 }
  const model = builder.addModel({ version, trained_at: '2026-11-01T00:00:00Z', basis, backtest })
  const values = Array.from({ length: hours }, () => ({ p10: 1, p50: 5, p90: 9, confidence: 0.5 }))
  builder.addSeries(iata, '', NOW, builder.addValues(values), model)
  return builder.build()
}

const reader = (over: Partial<SnapshotContent>) => snapshotReader('one', emptyContent(AT, over))
const fact = (snapshot: ReturnType<typeof reader>, iata: string, wanted: Fact) =>
  snapshot.facts(iata).find((candidate) => candidate.fact === wanted)

test('every airport of the directory has all facts, each with a reason unless it is live', () => {
  const snapshot = reader({ forecasts: forecasts('SEA', 168, 'typical') })
  const wrong = airportDirectory().all.filter(({ iata }) => {
    const facts = snapshot.facts(iata)
    const hasAll = facts.map(({ fact: name }) => name).join() === FACTS.join()
    const hasReasons = facts.every(({ state, reason }) => (reason === null) === (state === 'live'))
    return !hasAll || !hasReasons || facts.some(({ state, sources }) => state !== 'unavailable' && sources.length === 0)
  })
  expect(wrong).toEqual([])
})

test('airports that share a forecast do not share other facts', () => {
  const shared = forecasts('CDG', 168, 'typical')
  const { iata, terminal, offset, length, model } = shared.series
  const also = { iata: [...iata, 'SEA', 'ORY'], terminal: [...terminal, '', ''], start_ms: [NOW, NOW, NOW] }
  const series = { ...also, offset: [...offset, 0, 0], length: [...length, 168, 168], model: [...model, 0, 0] }
  const snapshot = reader({ forecasts: { ...shared, series } })
  expect(snapshot.facts('ORY')).toEqual(snapshot.facts('CDG'))
  expect(snapshot.facts('ORY').map(({ state }) => state)).toContain('modelled')
  expect(fact(snapshot, 'SEA', 'delays')?.state).toBe('live')
  expect(fact(snapshot, 'ORY', 'delays')?.state).toBe('unavailable')
  expect(fact(snapshot, 'GRU', 'predictions')?.state).toBe('unavailable')
})

describe('a queue', () => {
  test('keeps its reason when a source of another queue reported it and then stopped', () => {
    const snapshot = reader({ queues: [{ iata: 'IAH', kind: 'immigration', wait: wait('mobi-iah', 60) }] })
    expect(fact(snapshot, 'IAH', 'immigration')).toMatchObject({ state: 'live', sources: ['mobi-iah'] })
    expect(fact(snapshot.asOf(NOW + 6 * HOUR_MS), 'IAH', 'immigration')).toMatchObject({
      state: 'unavailable',
      since: '2026-11-20T15:59:00Z',
      reason: 'No source has reported it in the last six hours.',
    })
  })

  test('is live until its newest wait has expired', () => {
    const snapshot = reader({
      queues: [{ iata: 'SEA', kind: 'security', wait: wait('sea-cwt', 60) }],
      health: [healthOf('sea-cwt')],
      facts: { SEA: { security: '2026-11-19T00:00:00Z' } },
    })
    expect(fact(snapshot, 'SEA', 'security')).toEqual({
      fact: 'security',
      state: 'live',
      since: '2026-11-19T00:00:00Z',
      sources: ['sea-cwt'],
      reason: null,
    })
  })

  test('is modelled, for security, when its source gives no wait; the reason names the source and its state', () => {
    const snapshot = reader({
      forecasts: forecasts('SEA', 168, 'predicted'),
      health: [healthOf('sea-cwt', { state: 'open_circuit' })],
    })
    expect(fact(snapshot, 'SEA', 'security')).toMatchObject({
      state: 'modelled',
      since: null,
      sources: ['model:SEA@2026-11-20T04Z'],
      reason: 'sea-cwt (open_circuit) gave no wait in the last six hours. The forecast is made from its own history.',
    })
  })

  test('is unavailable without a source, with a source that is off, and with one that publishes days late', () => {
    const snapshot = reader({ health: [healthOf('zrh-checkin', { state: 'off' }), healthOf('cbp-awt')] })
    const cbp = sourceById('cbp-awt').airports[0] ?? ''
    expect([
      fact(snapshot, 'SEA', 'customs'),
      fact(snapshot, 'ZRH', 'check_in'),
      fact(snapshot, cbp, 'immigration'),
    ]).toMatchObject([
      { state: 'unavailable', sources: [], reason: 'No source of customs waits covers this airport.' },
      { state: 'unavailable', sources: [], reason: 'Waits of zrh-checkin are not read here.' },
      { state: 'unavailable', sources: ['cbp-awt'], reason: expect.stringContaining('days late') },
    ])
  })
})

test('a queue whose source gave no wait says who should have; no other is said to have no source', () => {
  const snapshot = reader({
    health: [
      healthOf('panynj-graphql', { state: 'open_circuit' }),
      healthOf('lhr-immigration'),
      healthOf('doh-xovis'),
      healthOf('cbp-awt'),
      healthOf('syd', { state: 'off' }),
    ],
  })
  expect([
    snapshot.queue('JFK', 'security').unavailable_reason,
    snapshot.queue('LHR', 'immigration').unavailable_reason,
    snapshot.queue('DOH', 'immigration').unavailable_reason,
    snapshot.queue('JFK', 'immigration').unavailable_reason,
    snapshot.queue('SYD', 'security').unavailable_reason,
    snapshot.queue('GRU', 'security').unavailable_reason,
    snapshot.queue('GRU', 'lounge').unavailable_reason,
  ]).toEqual([
    'Port Authority of New York and New Jersey gave no wait in the last six hours.',
    'Heathrow Airport gave no wait in the last six hours.',
    'Hamad International Airport gave no wait in the last six hours.',
    'Waits of U.S. Customs and Border Protection come days late, so the present one is not known.',
    'Waits of Sydney Airport are not read here.',
    'No source of security waits covers this airport.',
    'Only travellers report waits at lounges; none did lately.',
  ])
})

test('a typical forecast is modelled since the prior was made; an own forecast has no such day', () => {
  const typical = reader({ forecasts: forecasts('SEA', 168, 'typical') })
  expect(fact(typical, 'SEA', 'predictions')).toMatchObject({ state: 'modelled', since: '2026-11-01T00:00:00Z' })
  const own = reader({ forecasts: forecasts('SEA', 168, 'predicted') })
  expect(fact(own, 'SEA', 'predictions')).toMatchObject({ state: 'modelled', since: null })
  expect(fact(own, 'JFK', 'predictions')).toMatchObject({ state: 'unavailable', sources: [] })
})

test('delays are live where the FAA has answered, weather where the station has reported, history where waits were observed', () => {
  const hour = Int32Array.of(Math.floor(NOW / HOUR_MS) - 5)
  const figures = { mean: Int16Array.of(10), p50: Int16Array.of(10), p90: Int16Array.of(10), max: Int16Array.of(10) }
  const observed = { samples: Int32Array.of(3), source: Uint16Array.of(0), sources: ['sea-cwt'] }
  const snapshot = reader({ history: [{ iata: 'SEA', terminal: '', hour, ...figures, ...observed }] })
  const states = (iata: string) =>
    (['delays', 'weather', 'history'] as const).map((name) => fact(snapshot, iata, name)?.state)
  expect([states('SEA'), states('CDG')]).toEqual([
    ['live', 'unavailable', 'live'],
    ['unavailable', 'unavailable', 'unavailable'],
  ])
  const unanswered = reader({
    quiet: { ...emptyContent(AT).quiet, status: 'unknown', source: null, age_seconds: null },
  })
  expect(fact(unanswered, 'SEA', 'delays')).toMatchObject({
    state: 'unavailable',
    reason: expect.stringContaining('FAA'),
  })
})

test('an expired fact is withdrawn while nothing newer is published, with the time of its expiry', () => {
  const snapshot = reader({
    queues: [{ iata: 'SEA', kind: 'security', wait: wait('sea-cwt', 3_600) }],
    forecasts: forecasts('SEA', 12, 'predicted'),
    facts: { SEA: { security: '2026-11-19T00:00:00Z' } },
  })
  const after = (hours: number) => {
    const later = snapshot.asOf(NOW + hours * HOUR_MS)
    const security = fact(later, 'SEA', 'security')
    expect(security?.state === 'live').toBe(later.queue('SEA', 'security').basis === 'measured')
    return [security?.state, security?.since, fact(later, 'SEA', 'delays')?.state]
  }
  expect([after(4), after(5.5), after(13)]).toEqual([
    ['live', '2026-11-19T00:00:00Z', 'live'],
    ['modelled', '2026-11-20T15:00:00Z', 'live'],
    ['unavailable', '2026-11-20T22:00:00Z', 'unavailable'],
  ])
})

test('a fact that becomes live is live since then, also in later snapshots', async () => {
  const folder = await temporaryFolder()
  const warehouse = await newWarehouse(folder)
  const airports = airportDirectory().all.filter(({ iata }) => iata === 'SEA')
  const publishedAt = async (ms: number) => {
    await publish(warehouse, { now: ms, simulated: false, airports, sources: [sourceById('sea-cwt')] })
    const snapshot = await loadSnapshot(`${folder}/snapshots`)
    const security = snapshot?.facts('SEA').find((candidate) => candidate.fact === 'security')
    return [security?.state, security?.since]
  }
  const [before] = await publishedAt(NOW)
  expect(before).toBe('modelled')
  await warehouse.land(readings, [
    reading({ observed_at: isoUtc(NOW), fetched_at: isoUtc(NOW), available_at: isoUtc(NOW) }),
  ])
  const liveSince = isoUtc(NOW + 60_000)
  expect([await publishedAt(NOW + 60_000), await publishedAt(NOW + 600_000)]).toEqual([
    ['live', liveSince],
    ['live', liveSince],
  ])
  const expired = NOW + 7 * HOUR_MS
  expect(await publishedAt(expired)).toEqual(['modelled', isoUtc(expired)])
})
