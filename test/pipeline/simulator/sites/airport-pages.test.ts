import { afterEach, describe, expect, it } from 'vitest'
import { queuesOf } from '../../../../pipeline/simulator/catalogue/index.ts'
import { NOW, runningSimulator } from '../running-simulator.ts'

let now = NOW
const { simulator, fetchFrom } = runningSimulator(() => now)
afterEach(() => {
  now = NOW
})
const textAt = async (address: string, instant: string) => {
  now = Date.parse(instant)
  return (await fetchFrom(address)).text()
}
const MSP = 'www.mspairport.com/airport/security-screening/security-wait-times'

/** The card of T1 North, which closes at 23:00 and opens at 3:30 in Minneapolis. */
const north = (page: string) =>
  page.split(/<div class="security-wait-time[ "]/).find((card) => card.includes('T1 North'))

describe('pages of airports', () => {
  it("MSP shows a card as open before its checkpoint opens, with last night's wait and the current time", async () => {
    const night = await textAt(MSP, '2026-11-20T07:10:00Z')
    expect(night).toContain('Updated Nov 20, 2026 1:10 AM')
    expect(night).toMatch(/--closed">\s*<div[^>]*> <div>T1 North<\/div> <\/div>\s*<div[^>]*><span>Opens at 3:30 a\.m\./)
    const before = await textAt(MSP, '2026-11-20T09:10:00Z')
    expect(before).toContain('Updated Nov 20, 2026 3:10 AM')
    expect(north(before)).toContain('all passengers')
    expect(north(before)).toMatch(/less than 5 minutes|\d+-\d+ minutes/)
    expect(simulator().queues.waitAt('MSP/T1/T1 North/all', now).open).toBe(false)
    expect(north(await textAt(MSP, '2026-11-20T09:25:00Z'))).toBe(north(before))
  })

  it('Vancouver and the screening authority publish the same queues', async () => {
    let together = 0
    for (const queue of queuesOf('yvr-catsa'))
      for (let instant = NOW; instant < NOW + 20 * 3_600_000; instant += 1_800_000) {
        const own = simulator().queues.publishedAt(queue.id, instant).minutes
        const theirs = simulator().queues.publishedAt(queue.mirrors ?? '', instant).minutes
        if (own === null || theirs === null) continue
        expect(own).toBe(theirs)
        together++
      }
    expect(together).toBeGreaterThan(50)
    const { value } = JSON.parse(await textAt('www.yvr.ca/_api/CatsaWait', '2026-11-20T22:00:20Z'))
    const seconds = Number(value[0].WaitTime)
    expect(Math.round(seconds / 60)).toBe(simulator().queues.publishedAt(queuesOf('yvr-catsa')[0]!.id, now).minutes)
    expect(value[0].LastUpdatedDate).toBe('Friday, 20 November 2026 15:00:00')
  })
})
