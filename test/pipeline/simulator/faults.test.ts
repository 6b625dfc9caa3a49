import { afterEach, describe, expect, it } from 'vitest'
import { startSimulatedWorld } from '../../../pipeline/simulator/server.ts'
import { NOW, runningWorld } from './running-simulator.ts'

let now = NOW
const { world, ask } = runningWorld(() => now)
const SEA = 'www.portseattle.org/api/cwt/wait-times'
const updated = async () => JSON.stringify(await (await ask(SEA)).json()).match(/Date\((\d+)\)/)?.[1]
afterEach(() => {
  now = NOW
  world().setFault({})
})

describe('faults of the simulated world', () => {
  it('answers 503 as often as set, but never for robots.txt', async () => {
    world().setFault({ status_503: 2 })
    expect((await ask('www.portseattle.org/robots.txt')).status).toBe(200)
    const statuses = [await ask(SEA), await ask(SEA), await ask(SEA)].map((answer) => answer.status)
    expect(statuses).toEqual([503, 503, 200])
  })

  it('damages only answers of the named hosts', async () => {
    world().setFault({ hosts: ['www.atl.com'], html_page: 1 })
    expect((await ask(SEA)).headers.get('content-type')).toContain('json')
    expect(await (await ask('www.atl.com/times/')).text()).toContain('Something went wrong')
  })

  it('truncates a body', async () => {
    world().setFault({ truncated: 1 })
    const body = await (await ask(SEA)).text()
    expect(() => JSON.parse(body)).toThrow()
  })

  it('freezes a feed, and shifts a clock by an hour', async () => {
    world().setFault({ frozen_at: NOW })
    const before = await (await ask(SEA)).text()
    now = NOW + 3 * 3_600_000
    expect((await (await ask(SEA)).text()).replace(/"MinutesSince[^,]+/g, '')).toBe(
      before.replace(/"MinutesSince[^,]+/g, ''),
    )
    world().setFault({ clock_off_minutes: 60 })
    expect(Number(await updated()) - Math.floor(now / 60_000) * 60_000).toBe(3_600_000)
  })

  it('closes within a second while a slow body is being sent', async () => {
    const other = await startSimulatedWorld({ seed: 1, faults: { slow_ms: 60_000 } })
    const answer = await fetch(`${other.url}/${SEA}`)
    const began = performance.now()
    const reading = answer.text().catch((error: unknown) => error)
    await other.close()
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(await reading).toBeInstanceOf(Error)
  })
})
