import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

/**
 * A program of an integrator: it uses the client that openapi-typescript makes of openapi.json, with its types alone.
 * It compiles only where every answer has one body and every error the fields of a problem.
 */
export async function use(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })
  const ofJfk = { params: { path: { iata: 'JFK' } } }

  const airports = await client.GET('/api/v1/airports', { params: { query: { country: 'US', limit: 2 } } })
  const codes: string[] = airports.data?.data.map(({ iata }) => iata) ?? []

  const waits = await client.GET('/api/v1/airports/{iata}/wait-times', ofJfk)
  const wait: number | null | undefined = waits.data?.security.average_wait_minutes

  const predictions = await client.GET('/api/v1/airports/{iata}/predictions', ofJfk)
  const predicted: (number | null)[] = predictions.data?.hours.map(({ wait_minutes }) => wait_minutes) ?? []

  const history = await client.GET('/api/v1/airports/{iata}/historical', {
    params: { path: { iata: 'JFK' }, query: { days: 1 } },
  })
  const observed: number[] = history.data?.hours.map(({ samples }) => samples) ?? []

  const asCsv = await client.GET('/api/v1/airports/{iata}/historical.csv', {
    params: { path: { iata: 'JFK' }, query: { days: 1 } },
    parseAs: 'text',
  })
  const header: string | undefined = asCsv.data?.split('\r\n')[0]

  const delays = await client.GET('/api/v1/airports/{iata}/delays', ofJfk)
  const status: string | undefined = delays.data?.status

  const bulk = await client.POST('/api/v1/airports/bulk', { body: { codes: ['JFK', 'LAX'] } })
  const found: number | undefined = bulk.data?.data.length

  const leave = await client.GET('/api/v1/airports/{iata}/leave-by', {
    params: { path: { iata: 'JFK' }, query: { departure: '2026-11-22T17:30' } },
  })
  const probability: number | null | undefined = leave.data?.recommended?.probability

  const coverage = await client.GET('/api/v1/coverage', { params: { query: { iata: 'XSM' } } })
  const facts: string[] | undefined = coverage.data?.data.flatMap((one) => one.facts.map(({ fact }) => fact))

  const accuracy = await client.GET('/api/v1/accuracy')
  const days: number | undefined = accuracy.data?.days

  const me = await client.GET('/api/agent/me')
  const tier: string | undefined = me.data?.tier

  const unknown = await client.GET('/api/v1/airports/{iata}/delays', { params: { path: { iata: 'QQQ' } } })
  const failure: { code: string; detail: string } | undefined = unknown.error

  return { codes, wait, predicted, observed, header, status, found, probability, facts, days, tier, failure }
}
