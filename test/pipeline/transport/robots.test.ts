import { describe, expect, it } from 'vitest'
import { FetchError } from '../../../config/errors.ts'
import type { ExchangeAnswer } from '../../../pipeline/transport/exchange.ts'
import { createRobots } from '../../../pipeline/transport/robots.ts'

const HOUR = 3_600_000

function robotsAnswering(answers: (number | string)[]) {
  const requested: string[] = []
  const clock = { now: 0 }
  const robots = createRobots(
    async (url) => {
      requested.push(url)
      const answer = answers[Math.min(requested.length, answers.length) - 1] ?? 404
      if (answer === 0) throw new FetchError('FETCH_FAILED', 'no route to host')
      const body = typeof answer === 'string' ? answer : ''
      return { status: typeof answer === 'number' ? answer : 200, body: Buffer.from(body) } as unknown as ExchangeAnswer
    },
    () => clock.now,
  )
  const allowed = (url: string) =>
    robots.check(url).then(
      () => true,
      (error) => {
        expect(error.code).toBe(error.retryable ? 'SITE_UNREACHABLE' : 'ROBOTS_DISALLOWED')
        return false
      },
    )
  return { allowed, requested, clock }
}

describe('robots.txt', () => {
  it('uses the rules for our own token, else those for everybody', async () => {
    const own = 'User-agent: Holdshort\nAllow: /waits\nDisallow: /\n\nUser-agent: *\nDisallow: /waits'
    const { allowed } = robotsAnswering([own])
    expect(await allowed('https://a.example/waits')).toBe(true)
    expect(await allowed('https://a.example/other')).toBe(false)
  })

  it.each([
    [404, true],
    [401, true],
    [403, true],
    [429, false],
    [500, false],
    [503, false],
    [0, false],
  ])('answering %i means allowed: %s (RFC 9309 2.3.1; 0 stands for unreachable)', async (status, expected) => {
    expect(await robotsAnswering([status]).allowed('https://a.example/waits')).toBe(expected)
  })

  it('is requested once per origin, also by simultaneous callers, and again after a day', async () => {
    const { allowed, requested, clock } = robotsAnswering(['User-agent: *\nDisallow: /no'])
    await Promise.all([allowed('https://a.example/1'), allowed('https://a.example/2'), allowed('https://b.example/1')])
    expect(requested).toEqual(['https://a.example/robots.txt', 'https://b.example/robots.txt'])
    clock.now = 23 * HOUR
    await allowed('https://a.example/3')
    expect(requested).toHaveLength(2)
    clock.now = 25 * HOUR
    await allowed('https://a.example/3')
    expect(requested).toHaveLength(3)
  })

  it('uses the last rules while the site is down', async () => {
    const { allowed, clock } = robotsAnswering(['User-agent: *\nDisallow: /no', 503])
    expect(await allowed('https://a.example/yes')).toBe(true)
    clock.now = 25 * HOUR
    expect(await allowed('https://a.example/yes')).toBe(true)
    expect(await allowed('https://a.example/no')).toBe(false)
  })
})
