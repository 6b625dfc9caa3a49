import lzString from 'lz-string'
import { describe, expect, it } from 'vitest'
import { runningSimulator } from '../running-simulator.ts'

const { simulator, fetchFrom } = runningSimulator()
const FEED = 'api.goaa.aero/wait-times/checkpoint/MCO'

function question(iata: string): RequestInit {
  const query = 'query ($airportCode: String!) { securityWaitTimes(airportCode: $airportCode) { terminal waitTime } }'
  const body = JSON.stringify({ operationName: 'Q', variables: { airportCode: iata }, query })
  return {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: lzString.compressToEncodedURIComponent(body),
  }
}

async function learnKeys(): Promise<Record<string, string>> {
  const page = await (await fetchFrom('flymco.com/')).text()
  for (const [, src] of page.matchAll(/<script src="([^"]+)"/g)) {
    const script = await (await fetchFrom(`flymco.com/${src}`)).text()
    const found = script.match(/"api-key":"(\w+)","api-version":"(\d+)"/)
    if (found) return { 'api-key': found[1]!, 'api-version': found[2]! }
  }
  throw new Error('no bundle holds the key')
}

describe('sites that publish waits', () => {
  it('JFK requires a compressed query and answers with times without a date', async () => {
    const address = 'www.jfkairport.com/api/graphql'
    expect((await fetchFrom(address, { method: 'POST', body: '{"query":"plain"}' })).status).toBe(400)
    expect((await fetchFrom(address)).status).toBe(405)
    const answer = (await (await fetchFrom(address, question('JFK'))).json()) as {
      data: { securityWaitTimes: object[] }
    }
    expect(answer.data.securityWaitTimes).toHaveLength(9)
    expect(answer.data.securityWaitTimes[0]).toMatchObject({
      title: 'Terminal 1',
      terminal: '1',
      gate: null,
      checkPoint: 'Main ChekPoint',
      queueType: 'Reg',
      lastUpdated: '5:00 PM',
    })
    const elsewhere = (await (await fetchFrom(address, question('LGA'))).json()) as {
      data: { securityWaitTimes: object[] }
    }
    expect(elsewhere.data.securityWaitTimes).toEqual([])
  })

  it('mobi refuses a request without a key, and the old key after a rotation', async () => {
    expect((await fetchFrom(FEED)).status).toBe(401)
    const headers = await learnKeys()
    const rows = (await (await fetchFrom(FEED, { headers })).json()) as {
      data: { wait_times: Record<string, unknown>[] }
    }
    expect(rows.data.wait_times).toHaveLength(6)
    expect(rows.data.wait_times[0]).toMatchObject({ name: 'West (Gates 1-59)', lane: 'General' })
    simulator().rotateKeys()
    expect((await fetchFrom(FEED, { headers })).status).toBe(401)
    const fresh = await learnKeys()
    expect(fresh['api-version']).not.toBe(headers['api-version'])
    expect((await fetchFrom(FEED, { headers: fresh })).status).toBe(200)
  })

  it('ATL has no number before its script has run', async () => {
    const page = await (await fetchFrom('www.atl.com/times/')).text()
    expect(page).toContain('<h2>LOWER NORTH</h2>')
    expect(page).not.toContain('<span>')
  })

  it('every host has a robots.txt, one of them with a rule', async () => {
    expect(await (await fetchFrom('www.atl.com/robots.txt')).text()).toBe('User-agent: *\nAllow: /\n')
    expect(await (await fetchFrom('www.flysfo.com/robots.txt')).text()).toContain('Disallow: /admin/')
    expect((await fetchFrom('www.example.org/robots.txt')).status).toBe(404)
  })
})
