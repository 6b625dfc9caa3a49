import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../../config/vocabulary.ts'
import { createQueueModel } from '../../../../pipeline/simulator/model/queues.ts'
import { SITES } from '../../../../pipeline/simulator/sites/index.ts'
import type { SiteAnswer, SiteContext } from '../../../../pipeline/simulator/sites/site.ts'

const START = Date.parse('2026-11-02T00:20:00Z')
const PAGE = { origin: 'https://www.aena.es', referer: 'https://www.aena.es/' }
const HEATHROW = 'api-dp-prod.dp.heathrow.com/pihub'
const AENA = 'aena-indoor-read-api.geographica.com/api/v1/airports/LEMD/accesscontrols'
const IST = 'www.istairport.com/umbraco/api/Checkpoint/GetWaitingTimes?culture=en-US'
const world = createQueueModel(7)
const keysOf = () => ({ key: '', version: '' })

/** The answer of a site at an instant of its own clock, requested then or later. */
function ask(
  address: string,
  headers: Record<string, string> = {},
  now = START,
  requested_at = now,
): SiteAnswer | null {
  const [host = '', ...rest] = address.split('/')
  const [path, query] = `/${rest.join('/')}`.split('?')
  const request = { method: 'GET', host, path: path!, query: new URLSearchParams(query), headers, body: '' }
  const stage: SiteContext = { queues: world, now, requested_at, keysOf }
  return SITES.find(({ hosts }) => hosts.includes(host))!.answer(request, stage)
}

describe('the sites of Europe', () => {
  it('answer only requests like those of their own page', () => {
    const requests: [string, Record<string, string>, number][] = [
      [`${HEATHROW}/securitywaittime/ByTerminal/5`, { origin: 'https://www.heathrow.com' }, 403],
      [AENA, PAGE, 403],
      [IST, { referer: 'https://www.istairport.com/' }, 403],
      ['www.dus.com/api/sitecore/flightapi/WaitingTimes?lang=en', { 'x-requested-with': 'XMLHttpRequest' }, 404],
    ]
    for (const [address, headers, refusal] of requests) {
      expect([ask(address)?.status, ask(address, headers)?.status]).toEqual([refusal, 200])
      expect(ask(address)?.expected).toBeUndefined()
    }
    expect(ask('www.swedavia.com/services/queuetimes/v2/airport/en/BMA/true')?.status).toBe(400)
  })

  it('expect no reading of a number that has expired at the time of the request', () => {
    const noon = START + 12 * HOUR_MS
    expect(ask(AENA, PAGE, noon)!.expected!.length).toBeGreaterThan(2)
    expect(ask(AENA, PAGE, noon, noon + HOUR_MS)!.expected).toEqual([])
  })
})
