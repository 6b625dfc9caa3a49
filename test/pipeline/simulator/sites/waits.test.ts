import { describe, expect, it } from 'vitest'
import { runningSimulator } from '../running-simulator.ts'

const { fetchFrom } = runningSimulator()

describe('sites that publish waits', () => {
  it('every host has a robots.txt, one of them with a rule', async () => {
    expect(await (await fetchFrom('www.atl.com/robots.txt')).text()).toBe('User-agent: *\nAllow: /\n')
    expect(await (await fetchFrom('www.flysfo.com/robots.txt')).text()).toContain('Disallow: /admin/')
    expect((await fetchFrom('www.example.org/robots.txt')).status).toBe(404)
  })
})
