import { expect, test } from 'vitest'
import { FACTS, type Fact, type FactCoverage } from '../../../warehouse/publishing/read/fact-coverage.ts'
import { NOW, snapshotAt } from '../../api/example-snapshot.ts'
import { expectBilled, shareHarness } from '../../api/harness.ts'

const harness = shareHarness()

const factCoverage = (fact: Fact, state: FactCoverage['state'], sources: string[] = []): FactCoverage => ({
  fact,
  state,
  sources,
  since: state === 'live' ? '2026-11-20T07:12:00.250Z' : null,
  reason: state === 'live' ? null : `no source of ${fact}`,
})

/** Every fact of an airport: the named ones live, predictions modelled, the rest unavailable. */
const factsWith = (...live: Fact[]) =>
  FACTS.map((fact) => {
    if (live.includes(fact)) return factCoverage(fact, 'live', ['panynj-graphql', 'faa-nas'])
    if (fact === 'predictions') return factCoverage(fact, 'modelled', ['prior:typical@2026-11-21'])
    return factCoverage(fact, 'unavailable')
  })

const FACTS_OF_ALL = {
  JFK: factsWith('security', 'weather'),
  LGA: factsWith('delays'),
  GRU: factsWith('weather'),
  DEL: factsWith(),
  XSM: factsWith(),
  ZRH: factsWith(),
}

async function covered() {
  harness.controls.snapshot = snapshotAt(NOW, { facts: FACTS_OF_ALL })
  return harness
}

interface Page {
  data: { airport: string; facts: { fact: string; state: string }[] }[]
}
const codes = (answer: { json: () => Page }) => answer.json().data.map(({ airport }) => airport)

test('returns the state, start, sources and reason of each fact of an airport', async () => {
  const { call } = await covered()
  const { data, generated_at, simulated } = (await call('free', '/api/v1/coverage?iata=JFK')).json()
  expect([generated_at, simulated, data.length]).toEqual(['2026-11-21T14:20:00Z', false, 1])
  expect(data[0]).toMatchObject({ airport: 'JFK', name: 'John F. Kennedy International Airport', country: 'US' })
  expect(data[0].facts.map(({ fact }: { fact: string }) => fact)).toEqual(FACTS)
  expect(data[0].facts[0]).toEqual({
    fact: 'security',
    state: 'live',
    since: '2026-11-20T07:12:00Z',
    reason: null,
    sources: ['panynj-graphql', 'faa-nas'],
  })
  expect(data[0].facts[1]).toMatchObject({ fact: 'check_in', state: 'unavailable', reason: 'no source of check_in' })
})

test.each([
  ['', ['DEL', 'GRU', 'JFK', 'LGA', 'XSM', 'ZRH']],
  ['country=br', ['GRU']],
  ['live=true', ['GRU', 'JFK', 'LGA']],
  ['live=false', ['DEL', 'XSM', 'ZRH']],
  ['live=true&fact=weather', ['GRU', 'JFK']],
  ['live=false&fact=weather&country=US', ['LGA', 'XSM']],
  ['live=true&state=modelled', ['GRU', 'JFK', 'LGA']],
  ['fact=delays&state=live', ['LGA']],
  ['iata=JFK&country=BR', []],
])('filters combine: %s', async (query, expected) => {
  const { call } = await covered()
  expect(codes(await call('free', `/api/v1/coverage?${query}`))).toEqual(expected)
})

test('returns only the requested facts', async () => {
  const { call } = await covered()
  const { data }: Page = (await call('free', '/api/v1/coverage?state=live')).json()
  expect(data.map(({ airport, facts }) => [airport, ...facts.map(({ fact }) => fact)])).toEqual([
    ['GRU', 'weather'],
    ['JFK', 'security', 'weather'],
    ['LGA', 'delays'],
  ])
})

test('the summary counts the whole directory, once for each snapshot', async () => {
  const { call, controls } = await covered()
  const { summary } = (await call('free', '/api/v1/coverage?iata=JFK&fact=security')).json()
  expect(summary.airports).toBe(6)
  expect(summary.facts.weather).toEqual({ live: 2, modelled: 0, unavailable: 4 })
  expect(summary.facts.predictions).toEqual({ live: 0, modelled: 6, unavailable: 0 })

  let factsCalls = 0
  const { facts } = controls.snapshot!
  const counting = (iata: string) => {
    factsCalls++
    return facts(iata)
  }
  controls.snapshot = { ...controls.snapshot!, id: 'counted', facts: counting }
  await call('free', '/api/v1/coverage?iata=JFK')
  expect(factsCalls).toBe(6 + 1)
  await call('free', '/api/v1/coverage?iata=LGA')
  expect(factsCalls).toBe(6 + 1 + 1)
})

test('pages are linked, cached by ETag and billed like any other answer', async () => {
  const { call } = await covered()
  const first = await call('free', '/api/v1/coverage?limit=2&live=true')
  expect(first.json().pagination).toEqual({ page: 1, limit: 2, total: 3, total_pages: 2 })
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))![1]!
  expect(codes(await call('free', next.slice(next.indexOf('/api'))))).toEqual(['LGA'])
  const again = { headers: { 'if-none-match': String(first.headers.etag) } }
  expect((await call('free', '/api/v1/coverage?limit=2&live=true', again)).statusCode).toBe(304)
  await expectBilled({ call }, 'free', { getCoverage: 2 })
})

test('CSV has one row for each fact', async () => {
  const { call } = await covered()
  const { body } = await call('free', '/api/v1/coverage?iata=XSM', { headers: { accept: 'text/csv' } })
  const lines = body.split('\r\n')
  expect(lines[0]).toBe('airport,name,country,fact,state,since,sources,reason')
  expect(lines).toHaveLength(1 + FACTS.length + 1)
  expect(lines[7]).toBe(
    `XSM,"'=Small, ""Field""",US,predictions,modelled,,prior:typical@2026-11-21,no source of predictions`,
  )
})
