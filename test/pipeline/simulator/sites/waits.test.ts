import lzString from 'lz-string'
import { describe, expect, it } from 'vitest'
import { runningSimulator } from '../running-simulator.ts'

const { fetchFrom } = runningSimulator()

function question(iata: string): RequestInit {
  const query = 'query ($airportCode: String!) { securityWaitTimes(airportCode: $airportCode) { terminal waitTime } }'
  const body = JSON.stringify({ operationName: 'Q', variables: { airportCode: iata }, query })
  return {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: lzString.compressToEncodedURIComponent(body),
  }
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

  it('every host has a robots.txt, one of them with a rule', async () => {
    expect(await (await fetchFrom('www.atl.com/robots.txt')).text()).toBe('User-agent: *\nAllow: /\n')
    expect(await (await fetchFrom('www.flysfo.com/robots.txt')).text()).toContain('Disallow: /admin/')
    expect((await fetchFrom('www.example.org/robots.txt')).status).toBe(404)
  })
})
