import { afterEach, describe, expect, it } from 'vitest'
import { startSimulatedWorld } from '../../../pipeline/simulator/server.ts'
import { NOW, runningSimulator } from './running-simulator.ts'

let now = NOW
const { simulator, fetchFrom } = runningSimulator(() => now)
const SEA = 'www.portseattle.org/api/cwt/wait-times'
const updated = async () => JSON.stringify(await (await fetchFrom(SEA)).json()).match(/Date\((\d+)\)/)?.[1]
afterEach(() => {
  now = NOW
  simulator().setFault({})
})

describe('faults of the simulated world', () => {
  it('answers 503 as often as set, but never for robots.txt', async () => {
    simulator().setFault({ status_503: 2 })
    expect((await fetchFrom('www.portseattle.org/robots.txt')).status).toBe(200)
    const statuses = [await fetchFrom(SEA), await fetchFrom(SEA), await fetchFrom(SEA)].map((answer) => answer.status)
    expect(statuses).toEqual([503, 503, 200])
  })

  it('damages only answers of the named hosts', async () => {
    simulator().setFault({ hosts: ['www.atl.com'], html_page: 1 })
    expect((await fetchFrom(SEA)).headers.get('content-type')).toContain('json')
    expect(await (await fetchFrom('www.atl.com/times/')).text()).toContain('Something went wrong')
  })

  it('truncates a body', async () => {
    simulator().setFault({ truncated: 1 })
    const body = await (await fetchFrom(SEA)).text()
    expect(() => JSON.parse(body)).toThrow()
  })

  it('freezes a feed, and shifts a clock by an hour', async () => {
    simulator().setFault({ frozen_at: NOW })
    const before = await (await fetchFrom(SEA)).text()
    now = NOW + 3 * 3_600_000
    expect((await (await fetchFrom(SEA)).text()).replace(/"MinutesSince[^,]+/g, '')).toBe(
      before.replace(/"MinutesSince[^,]+/g, ''),
    )
    simulator().setFault({ clock_off_minutes: 60 })
    expect(Number(await updated()) - Math.floor(now / 60_000) * 60_000).toBe(3_600_000)
  })

  it('closes while a slow body is being sent, and does not wait for its minute', async () => {
    const other = await startSimulatedWorld({ seed: 1, faults: { slow_ms: 60_000 } })
    const answer = await fetch(`${other.url}/${SEA}`)
    const began = performance.now()
    const reading = answer.text().catch((error: unknown) => error)
    await other.close()
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(await reading).toBeInstanceOf(Error)
  })
})
