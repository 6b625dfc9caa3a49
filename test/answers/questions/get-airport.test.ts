import { expect, test } from 'vitest'
import { shareHarness } from '../../api/harness.ts'

const harness = shareHarness()
const { call } = harness

interface Listed {
  path: string
  csv_path: string | null
}

test('returns the directory entry of an airport and every answer about it, each at an address that answers', async () => {
  const airport = (await call('free', '/api/v1/airports/JFK')).json()
  expect(airport).toMatchObject({ iata: 'JFK', icao: 'KJFK', timezone: 'America/New_York', simulated: false })
  const listed: Listed[] = airport.answers
  expect(listed.map(({ path }) => path)).toContain('/api/v1/airports/JFK/wait-times')
  for (const { path, csv_path } of listed) {
    const query = path.endsWith('leave-by') ? '?departure=2026-11-22T17:30' : ''
    for (const address of csv_path === null ? [path] : [path, csv_path])
      expect((await call('enterprise', `${address}${query}`)).statusCode, address).toBe(200)
  }
  expect((await call('free', '/api/v1/airports/QQQ')).json().code).toBe('AIRPORT_NOT_FOUND')
})

test('an error names the page of its code', async () => {
  const { doc_url } = (await call('free', '/api/v1/airports/JFK/wait-times')).json()
  const { pathname, hash } = new URL(doc_url)
  expect((await harness.app.inject(pathname)).body).toContain(`id="${hash.slice(1)}"`)
})
