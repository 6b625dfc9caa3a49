import { expect, it } from 'vitest'
import { HOUR_MS } from '../../../../config/vocabulary.ts'
import { createQueueModel } from '../../../../pipeline/simulator/model/queues.ts'
import { SITES } from '../../../../pipeline/simulator/sites/index.ts'

const START = Date.parse('2026-11-02T00:20:00Z')
const PAGE = { origin: 'https://www.aena.es', referer: 'https://www.aena.es/' }
const AENA = 'aena-indoor-read-api.geographica.com/api/v1/airports/LEMD/accesscontrols'
const world = createQueueModel(7)
const keysOf = () => ({ key: '', version: '' })

/** The answer of the site at an instant of its own clock, requested then or later. */
function ask(now: number, requested_at = now) {
  const [host = '', ...rest] = AENA.split('/')
  const request = {
    method: 'GET',
    host,
    path: `/${rest.join('/')}`,
    query: new URLSearchParams(),
    headers: PAGE,
    body: '',
  }
  return SITES.find(({ hosts }) => hosts.includes(host))!.answer(request, { queues: world, now, requested_at, keysOf })!
}

it('a site expects no reading of a number that has expired at the time of the request', () => {
  const noon = START + 12 * HOUR_MS
  expect(ask(noon).expected!.length).toBeGreaterThan(2)
  expect(ask(noon, noon + HOUR_MS).expected).toEqual([])
})
