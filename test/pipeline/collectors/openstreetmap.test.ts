import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { openstreetmap } from '../../../pipeline/collectors/openstreetmap.ts'
import { contextFor, fixture } from './context.ts'

const context = contextFor('openstreetmap', 'LHR')
const parse = (body: unknown) => openstreetmap.parse(typeof body === 'string' ? body : JSON.stringify(body), context)
const whole = () => JSON.parse(fixture('osm.json')) as { elements: Record<string, unknown>[]; remark?: string }
const codes = (body: unknown) => parse(body).notices.map(({ code }) => code)

describe('an Overpass answer', () => {
  it('is rejected when it broke off at the server, is not JSON or has no list', () => {
    const cut = { ...whole(), remark: 'runtime error: Query timed out in "query" at line 1 after 26 seconds.' }
    expect(() => parse(cut)).toThrow(/the server says: runtime error/)
    for (const body of [
      '<html><body>Error 429</body></html>',
      '[]',
      '{"elements":{}}',
      fixture('osm.json').slice(0, 900),
    ])
      expect(() => parse(body)).toThrow(ParseError)
    expect(() => openstreetmap.parse(fixture('osm.json'), { ...context, iata: null })).toThrow(ParseError)
  })

  it('reports elements without type, kind or position, and duplicates, and reads the others', () => {
    const body = whole()
    const [lounge] = body.elements
    const damaged = [
      null,
      7,
      { ...lounge, type: 'area' },
      { ...lounge, id: '12' },
      { ...lounge, id: -1 },
      { ...lounge, tags: { amenity: 'bar' } },
      { ...lounge, tags: 'lounge' },
      { ...lounge, lat: null },
      { ...lounge, lat: 95 },
      { ...lounge, type: 'way', center: 'here' },
      lounge,
    ]
    expect(codes({ ...body, elements: [...body.elements, ...damaged] })).toEqual([
      ...Array(5).fill('row_unreadable'),
      ...Array(2).fill('kind_unknown'),
      ...Array(3).fill('row_without_place'),
      'duplicate_row',
    ])
    expect(parse({ ...body, elements: [...damaged.slice(0, -1), ...body.elements] }).readings).toHaveLength(5)
  })

  it('limits texts to one line of a maximum length', () => {
    const [lounge] = whole().elements
    const name = `Quiet\u0000 \u202eRoom\n\n${'x'.repeat(300)}`
    const tags = { amenity: 'lounge', name, operator: ['a'], level: 3 }
    const { readings, notices } = parse({ elements: [{ ...lounge, tags }] })
    expect(readings[0]).toMatchObject({ name: `Quiet Room ${'x'.repeat(109)}`, operator: null, level: null })
    expect(notices.map(({ path }) => path)).toEqual(['elements[0].tags.operator', 'elements[0].tags.level'])
  })
})

it('sends one GET request per airport, for its own circle', () => {
  const source = sourceById('openstreetmap')
  const in_turn = [{ iata: 'LHR', latitude: 51.47, longitude: -0.46, radius_m: 4_000 }]
  const [request, ...more] = openstreetmap.request({
    source,
    airports: [],
    now: 0,
    learned_keys: {},
    airports_due: in_turn,
    icaoOf: () => null,
  })
  expect(more).toEqual([])
  expect(request).toMatchObject({ method: 'GET', body: null, iata: 'LHR' })
  const url = new URL(request!.url)
  expect(url.origin + url.pathname).toBe(source.url)
  expect(url.searchParams.get('data')).toBe(
    '[out:json][timeout:25];(nwr["aeroway"="terminal"](around:4000,51.47,-0.46);' +
      'nwr["amenity"~"^(lounge|security_control)$"](around:4000,51.47,-0.46););out center;',
  )
})

it('makes few requests to the public instance, and names the licence', () => {
  const { cadence_seconds, pace_seconds, attribution, active } = sourceById('openstreetmap')
  const requestsADay = (86_400 / cadence_seconds) * (openstreetmap.rotation?.airports_per_run ?? 0)
  expect(requestsADay).toBeLessThanOrEqual(100)
  expect(pace_seconds).toBeGreaterThanOrEqual(10)
  expect([active, attribution]).toEqual([true, '© OpenStreetMap contributors, ODbL 1.0'])
})
