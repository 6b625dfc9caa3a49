import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../../config/domain.ts'
import { createQueueModel } from '../../../../pipeline/simulator/model/queues.ts'
import { SITES } from '../../../../pipeline/simulator/sites/index.ts'
import type { SiteAnswer, SiteContext } from '../../../../pipeline/simulator/sites/site.ts'

const START = Date.parse('2026-11-02T00:20:00Z')
const PAGE = { origin: 'https://www.aena.es', referer: 'https://www.aena.es/' }
const HEATHROW = 'api-dp-prod.dp.heathrow.com/pihub'
const AENA = 'aena-indoor-read-api.geographica.com/api/v1/airports/LEMD/accesscontrols'
const IST = 'www.istairport.com/umbraco/api/Checkpoint/GetWaitingTimes?culture=en-US'
const HELSINKI = 'www.finavia.fi/en/api/security-waiting-time-stats'
const world = createQueueModel(7)
const keysOf = () => ({ key: '', version: '' })

/** The answer of a site at an instant of its own clock, requested then or later. */
function ask(address: string, headers: Record<string, string> = {}, now = START, asked = now): SiteAnswer | null {
  const [host = '', ...rest] = address.split('/')
  const [path, query] = `/${rest.join('/')}`.split('?')
  const request = { method: 'GET', host, path: path!, query: new URLSearchParams(query), headers, body: '' }
  const stage: SiteContext = { queues: world, now, requested_at: asked, keysOf }
  return SITES.find(({ hosts }) => hosts.includes(host))!.answer(request, stage)
}

describe('the sites of Europe', () => {
  it('answer only requests like those of their own page', () => {
    const asked: [string, Record<string, string>, number][] = [
      [`${HEATHROW}/securitywaittime/ByTerminal/5`, { origin: 'https://www.heathrow.com' }, 403],
      [AENA, PAGE, 403],
      [IST, { referer: 'https://www.istairport.com/' }, 403],
      ['www.dus.com/api/sitecore/flightapi/WaitingTimes?lang=en', { 'x-requested-with': 'XMLHttpRequest' }, 404],
    ]
    for (const [address, headers, refusal] of asked) {
      expect([ask(address)?.status, ask(address, headers)?.status]).toEqual([refusal, 200])
      expect(ask(address)?.expected).toBeUndefined()
    }
    expect(ask('www.swedavia.com/services/queuetimes/v2/airport/en/BMA/true')?.status).toBe(400)
  })

  it.each<[string, Record<string, string>, RegExp[]]>([
    [
      'www.schiphol.nl/api/proxy/v3/waittimes/security-filters',
      {},
      [/:60}/, /"VF0":{"waitTimeInSeconds":0}/, /:1[01]\d{3}}/],
    ],
    [
      `${HEATHROW}/securitywaittime/ByTerminal/5`,
      { origin: 'https://www.heathrow.com' },
      [/"isDataStale":true/, /"value":-1/, /"Closed"/, /"Less than 5 minutes"/],
    ],
    ['www.frankfurt-airport.com/wartezeiten/appres/rest/waz?lang=en', {}, [/"closed"/, /TKS_B/, /Passport control/]],
    ['www.hamburg-airport.de/service/waittimes/waittimes', {}, [/"5-10 min"/, /"closed"/]],
    ['ber.berlin-airport.de/api.aplsv2.json?lang=en', {}, [/"runway"/, /"workload":"C"/, /"workload":"P"/]],
    [
      'cphwaitingtime.z6.web.core.windows.net/waitingtime.json',
      {},
      [/"< 5"/, /"> 20 min"/, /"\d+","t3WaitingTimeInterval":"Closed"/],
    ],
    [
      'www.swedavia.com/services/queuetimes/v2/airport/en/ARN/true',
      {},
      [/"at least 25 min","currentProjectedQueueTime":960/, /:2700/, /"queueTimesDisabled":true/, /"QueueTimesList"/],
    ],
    ['www.avinor.no/api/v1/airportsecurity/waittime/OSL?language=eng', {}, [/"isAvailable":false/, /"emi"/]],
    ['waitingtimes.flughafen-zuerich.ch/WaitingTimes/Security', {}, [/"\d+-\d+"/, /"\d+"/, /""/]],
    ['api.dublinairport.com/dap/get-security-times', {}, [/"T1":"=\d+"/, /"=-1"/, /""/]],
    [AENA, PAGE, [/"last_wait_s":0,"default_wait_s":\d+/]],
  ])('%s shows its oddities within a month', (address, headers, oddities) => {
    const bodies = Array.from({ length: 24 * 30 }, (_, hour) => ask(address, headers, START + hour * HOUR_MS)!.body)
    for (const oddity of oddities)
      expect(
        bodies.some((body) => oddity.test(body)),
        String(oddity),
      ).toBe(true)
  })

  it('expect the newest past half-hour of Helsinki, although future ones are in the same list', () => {
    const noon = START + 12 * HOUR_MS
    const answer = ask(HELSINKI, {}, noon)!
    expect(answer.body).toContain('"messageDate":"02.11.2026","messageTime":"15:30"')
    expect(answer.expected).toMatchObject([{ observed_at: '2026-11-02T12:00:00Z', wait_minutes: expect.any(Number) }])
  })

  it('expect no reading of a number that has expired at the time of the request', () => {
    const noon = START + 12 * HOUR_MS
    expect(ask(AENA, PAGE, noon)!.expected!.length).toBeGreaterThan(2)
    expect(ask(AENA, PAGE, noon, noon + HOUR_MS)!.expected).toEqual([])
  })
})
