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
})
