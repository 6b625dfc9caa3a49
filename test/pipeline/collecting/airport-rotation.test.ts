import { describe, expect, it, test } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { distanceKm } from '../../../config/airports/distance.ts'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { airportsDue, lastRequested } from '../../../pipeline/collecting/airport-rotation.ts'
import { openstreetmap } from '../../../pipeline/collectors/openstreetmap.ts'
import { type Place, places } from '../../../warehouse/tables/places.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { openWorldOn } from '../test-pipeline.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const { all } = airportDirectory()
const served = all.filter(({ scheduled_service, size }) => scheduled_service && size !== 'small')
const codes = (requested: Map<string, number>, count: number) =>
  airportsDue(served, requested, count).map(({ iata }) => iata)

describe('the rotation through the airports', () => {
  it.runIf(EXHAUSTIVE)(
    'covers the airports with scheduled service, large ones first, each once before any comes again',
    () => {
      const requested = new Map<string, number>()
      const order: string[] = []
      for (let run = 0; order.length < served.length; run++)
        for (const iata of codes(requested, 200)) {
          order.push(iata)
          requested.set(iata, run + 1)
        }
      expect(new Set(order.slice(0, served.length)).size).toBe(served.length)
      const large = served.filter(({ size }) => size === 'large').map(({ iata }) => iata)
      expect(order.slice(0, large.length).toSorted()).toEqual(large.toSorted())
      expect(order.slice(0, 5)).toContain('ORD')
    },
  )

  it('takes over a month, by the cadence of its source', () => {
    expect(served.length / 96).toBeGreaterThan(30)
  })

  it('returns circles that do not overlap', () => {
    const [kansas, jebel] = ['MEB', 'MEL'].map((iata) => {
      const others = new Map(served.filter((airport) => airport.iata !== iata).map((airport) => [airport.iata, 1]))
      return airportsDue(served, others, 1)[0]!
    })
    const apart = distanceKm(kansas!, jebel!) * 1_000
    expect(kansas!.radius_m + jebel!.radius_m).toBeLessThanOrEqual(apart)
    expect(Math.max(...airportsDue(served, new Map(), 20).map(({ radius_m }) => radius_m))).toBe(4_000)
  })
})

test('the zones of weather alerts are asked once an airport; a failed one rests for a day', async () => {
  const clock = { now: NOON }
  const pipeline = await openWorldOn(clock, { hosts: ['api.weather.gov'], html_page: 1 })
  const run = async () => (await pipeline.collect('nws-zones')).map(({ iata }) => iata)
  const first = await run()
  expect(first).toHaveLength(10)
  clock.now += 600_000
  const second = await run()
  expect(second.filter((iata) => first.includes(iata))).toEqual([])
  clock.now += 2 * DAY_MS
  const later = [...(await run()), ...(await run())]
  expect(later.filter((iata) => second.includes(iata))).toEqual([])
  const known = await pipeline.warehouse.query<{ iata: string }>('SELECT iata FROM weather_zones')
  expect(known).toHaveLength(39)
  expect(new Set(known.map(({ iata }) => iata)).size).toBe(39)
  // The one that failed is due again, in the order of the others that were never asked.
  const [failed] = first.filter((iata) => known.every((row) => row.iata !== iata))
  expect(first[0]).toBe(failed)
})

test('alerts of the simulated world reach the snapshot, for the airports whose zones are known', async () => {
  const clock = { now: NOON }
  const pipeline = await openWorldOn(clock)
  for (let isKnown = false; !isKnown; clock.now += 60_000)
    isKnown = (await pipeline.collect('nws-zones')).some(({ iata }) => iata === 'SEA')
  expect((await pipeline.collect('nws-alerts')).map(({ error, new_rows }) => [error, new_rows! > 10])).toEqual([
    [null, true],
  ])
  const snapshot = await pipeline.publishAt(clock.now + 1_000)
  expect(snapshot.weatherAlerts('SEA')?.unavailable_reason).toBeNull()
  expect(snapshot.knownAlertZones()!.known).toBeGreaterThan(0)
  const states = snapshot.sourceHealth().filter(({ source }) => source.startsWith('nws-'))
  expect(states.map(({ state }) => state)).toEqual(['healthy', 'healthy'])
})

describe('collecting the map of the simulated world', async () => {
  const count = openstreetmap.rotation?.airports_per_run ?? 0
  const first = codes(new Map(), 2 * count)

  it('each run requests the next airports; rows landed twice are stored once, and the newest answer is published', async () => {
    const clock = { now: NOON }
    const pipeline = await openWorldOn(clock)
    const run = async () => (await pipeline.collect('openstreetmap')).map(({ iata, error }) => [iata, error])
    expect(await run()).toEqual(first.slice(0, count).map((iata) => [iata, null]))
    clock.now += DAY_MS
    expect(await run()).toEqual(first.slice(count).map((iata) => [iata, null]))
    expect(new Set((await pipeline.runs('openstreetmap')).map(({ outcome }) => outcome))).toEqual(new Set(['landed']))

    const rows = await pipeline.warehouse.query<Place>('SELECT * EXCLUDE (date) FROM places ORDER BY ALL')
    expect(await pipeline.warehouse.land(places, rows)).toBe(0)
    expect(await pipeline.warehouse.query('SELECT * EXCLUDE (date) FROM places ORDER BY ALL')).toEqual(rows)

    const [ours = ''] = first
    const snapshot = await pipeline.publishAt(clock.now + 1_000)
    expect(snapshot.map(ours)).toMatchObject({ iata: ours, fetched_at: '2026-11-20T12:00:00Z' })
    expect(snapshot.map(ours)?.places.map(({ kind }) => kind)).toContain('lounge')
    expect(snapshot.map('GRU')).toBeNull()
    expect(snapshot.sourceHealth().find(({ source }) => source === 'openstreetmap')?.state).toBe('healthy')
  })

  it('a failed airport counts as requested long ago, so that it is due again soon; the others are requested all the same', async () => {
    const pipeline = await openWorldOn({ now: NOON }, { hosts: ['overpass-api.de'], html_page: 1 })
    const outcomes = await pipeline.collect('openstreetmap')
    expect(outcomes.map(({ error }) => error?.code ?? null)).toEqual(['PARSE_FAILED', ...Array(count - 1).fill(null)])
    const requested = await lastRequested(pipeline.warehouse, 'openstreetmap', NOON)
    expect([...requested].toSorted()).toEqual(
      first
        .slice(0, count)
        .map((iata, place) => [iata, NOON - (place === 0 ? 30 * DAY_MS : 0)])
        .toSorted(),
    )
  })
})
