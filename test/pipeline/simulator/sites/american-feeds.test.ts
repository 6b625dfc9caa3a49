import { describe, expect, it } from 'vitest'
import { readCases } from '../../../values.ts'
import { runningSimulator } from '../running-simulator.ts'

const { simulator, fetchFrom } = runningSimulator()

/** A feed with a key, the page whose script contains the key, the header that carries it, and the status of a refusal. */
const { feeds: KEYED } = readCases<{ feeds: [feed: string, page: string, header: string, status: number][] }>(
  'pipeline/simulator/sites/keyed-feeds.json',
)

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
