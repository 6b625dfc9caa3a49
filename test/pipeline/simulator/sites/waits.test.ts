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
  it('SEA answers with the fields of its feed', async () => {
    const rows = (await (await fetchFrom('www.portseattle.org/api/cwt/wait-times')).json()) as Record<string, unknown>[]
    expect(rows).toHaveLength(6)
    expect(Object.keys(rows[0]!)).toEqual(
      'CheckpointID Name Order IsOpen WaitTimeMinutes PreCheck IsDataAvailable MinutesTillInvalid MinutesSinceLastUpdate QueueLength Options LastUpdated'.split(
        ' ',
      ),
    )
    expect(rows[0]!.LastUpdated).toBe(`/Date(${Date.parse('2026-11-20T22:00:00Z')})/`)
    expect(JSON.stringify(rows[3]!.Options)).toContain('{"Name":"Pre","Availability":"Only"}')
  })

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

  it('SFO, CATSA and JAX use the texts of their pages', async () => {
    const sfo = await (await fetchFrom('www.flysfo.com/passengers/flight-info/security-wait-times')).text()
    expect(sfo).toContain('<table class="flysfo-checkpoints-table">')
    expect(sfo).toContain('Checkpoint data last updated: Nov 20 at 02:00 pm')
    expect(sfo.match(/<td>(\d+ min|Closed|Not Available)<\/td>/g)).toHaveLength(10)
    const yyz = await (await fetchFrom('www.catsa-acsta.gc.ca/en/airport/toronto-pearson-international-airport')).text()
    const words = [...yyz.matchAll(/<td class="views-field">([^<]+)</g)].map((cell) => cell[1])
    expect(words).toHaveLength(7)
    for (const word of words) expect(word).toMatch(/^(Less than 5 min|\d+-\d+ min|More than 30 min|Closed|-)$/)
    const jax = await (await fetchFrom('www.flyjacksonville.com/content.aspx?id=3583')).text()
    expect(jax.match(/<span class="bold ml-1">(\d+ min|less than a min|Closed|-)</g)).toHaveLength(2)
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
