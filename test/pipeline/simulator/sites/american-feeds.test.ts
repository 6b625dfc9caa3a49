import { describe, expect, it } from 'vitest'
import { runningSimulator } from '../running-simulator.ts'

const { simulator, fetchFrom } = runningSimulator()

/** A feed with a key, the page whose script contains the key, the header that carries it, and the status of a refusal. */
const KEYED = [
  ['waittime.api.aero/waittime/v2/current/MIA', 'www.miami-airport.com/tsa-waittimes.asp', 'x-apikey', 403],
  ['app.flyfruition.com/api/public/tsa', 'www.flydenver.com/security/', 'x-api-key', 403],
  [
    'acaa-dna-api-prod.azure-api.net/tsa/wait-times',
    'flypittsburgh.com/pittsburgh-international-airport/security/',
    'Ocp-Apim-Subscription-Key',
    401,
  ],
] as [string, string, string, number][]

async function keyOn(page: string, header: string): Promise<string> {
  const src = (await (await fetchFrom(page)).text()).match(/<script src="([^"]+)"/)?.[1]
  const script = await (await fetchFrom(page.replace(/[^/]*$/, '') + src)).text()
  return [...script.matchAll(new RegExp(`"${header}":"([\\w-]+)"`, 'g'))].at(-1)?.[1] ?? ''
}

describe('American feeds behind keys', () => {
  it.each(KEYED)('%s refuses a request without the current key', async (feed, page, header, status) => {
    expect((await fetchFrom(feed)).status).toBe(status)
    const key = await keyOn(page, header)
    expect((await fetchFrom(feed, { headers: { [header]: key } })).status).toBe(200)
    simulator().rotateKeys()
    expect((await fetchFrom(feed, { headers: { [header]: key } })).status).toBe(status)
    expect(await keyOn(page, header)).not.toBe(key)
  })

  it("LAS answers only requests from the airport's page, one checkpoint at a time", async () => {
    const page = await (await fetchFrom('www.harryreidairport.com/security-wait-times')).text()
    const [, slug, token] = page.match(/\/LAS\/([\w-]+)\/waitTimeExplorer\?token=(\w+)/) ?? []
    const update = (journey: string, with_: string | undefined) => {
      const input = JSON.stringify({ 0: { journey, slug, domainSlug: 'LAS', token: with_ } })
      return fetchFrom(
        `embed.zensors.live/api/embeddable-widget/trpc/waitTimeExplorer.update?batch=1&input=${encodeURIComponent(input)}`,
      )
    }
    expect((await update('tN8G8AV9D', 'no-such-token')).status).toBe(401)
    expect((await update('t000000000', token)).status).toBe(404)
    const [{ result }] = (await (await update('tN8G8AV9D', token)).json()) as [
      { result: { data: { paths: { standard: object } } } },
    ]
    expect(result.data.paths.standard).toMatchObject({ name: 'Standard', verified: true, open: true })
  })
})

describe('American feeds without a key', () => {
  it("the passport halls of New York answer only the airport's own page", async () => {
    const feed = 'avi-prod-mpp-webapp-api.azurewebsites.net/api/CustomClearanceTimesPoints'
    expect((await fetchFrom(`${feed}/JFK`)).status).toBe(401)
    const headers = { Origin: 'https://www.jfkairport.com', Referer: 'https://www.jfkairport.com/' }
    expect(await (await fetchFrom(`${feed}/JFK`, { headers })).json()).toHaveLength(5)
    expect((await fetchFrom(`${feed}/EWR`, { headers })).status).toBe(401)
  })

  it("DCA's address serves a page to people and JSON to its script", async () => {
    const address = 'www.flyreagan.com/security-wait-times'
    expect((await fetchFrom(address)).headers.get('content-type')).toContain('text/html')
    const answer = await fetchFrom(address, { headers: { 'X-Requested-With': 'XMLHttpRequest' } })
    expect(Object.keys(((await answer.json()) as { response: object }).response)).toEqual(['header', 'res'])
  })

  it('SLC sends its JSON as HTML', async () => {
    const slc = await fetchFrom('slcairport.com/ajaxtsa/waittimes')
    expect(slc.headers.get('content-type')).toContain('text/html')
    expect(await slc.json()).toMatchObject({ rightnow_description: expect.stringMatching(/^\d+ minutes/) })
  })
})
