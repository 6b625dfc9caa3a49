import { expect, test, vi } from 'vitest'
import { type LiveRequest, liveCall } from '../../../jobs/calls/live.ts'
import { openRedisClient } from '../../../jobs/transports/redis.ts'
import { redisForTests } from '../redis/redis-server.ts'
import { liveAnswer } from './live-answer.ts'
import { describeTransports } from './transports.ts'

const redis_url = redisForTests(16_380)
const JFK: LiveRequest = { iata: 'JFK', kind: 'security' }

/** A promise that the test resolves. */
function latch() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describeTransports('live requests', redis_url, (open, { skip }) => {
  const it = test.skipIf(skip)

  it('carries the request to the pipeline and the whole answer back', async () => {
    const requests: LiveRequest[] = []
    const { client } = await open(liveCall, async (request) => {
      requests.push(request)
      return liveAnswer({ kind: request.kind })
    })
    const request: LiveRequest = { iata: 'JFK', kind: 'immigration' }
    expect(await client.call(liveCall, request)).toEqual(liveAnswer({ kind: 'immigration' }))
    expect(requests).toEqual([request])
  })

  it('answers fifty requests at the same time', async () => {
    const { client } = await open(liveCall, async ({ kind }) => liveAnswer({ kind }))
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.call(liveCall, JFK)))
    expect(answers).toEqual(Array(50).fill(liveAnswer()))
  })

  it('rejects with LIVE_UNAVAILABLE without waiting when no pipeline runs, and works once one runs', async () => {
    const { client, serve, stopServing } = await open(liveCall, null)
    const start = performance.now()
    const notRunning = { code: 'LIVE_UNAVAILABLE', message: /is not running/ }
    await expect(client.call(liveCall, JFK)).rejects.toMatchObject(notRunning)
    expect(performance.now() - start).toBeLessThan(liveCall.timeout_ms / 2)
    await serve(async () => liveAnswer())
    expect(await client.call(liveCall, JFK)).toEqual(liveAnswer())
    await stopServing()
    await expect(client.call(liveCall, JFK)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
  })

  it('stops waiting for a pipeline that hangs at the timeout, and still gets later answers', async () => {
    const slow = latch()
    let requests = 0
    const impatient = { ...liveCall, timeout_ms: 600 }
    const { client } = await open(impatient, async () => {
      requests += 1
      if (requests === 1) await slow.opened
      return liveAnswer()
    })
    const noAnswer = { code: 'LIVE_UNAVAILABLE', message: /no answer in 0.6 s/ }
    await expect(client.call(impatient, JFK)).rejects.toMatchObject(noAnswer)
    await vi.waitFor(async () => expect(await client.call(impatient, JFK)).toEqual(liveAnswer()), { timeout: 15_000 })
    slow.open()
  })

  it('ends the waiting of a caller that aborts without stopping the work for the others', async () => {
    const begun = latch()
    const work = latch()
    const { client } = await open(liveCall, async () => {
      begun.open()
      await work.opened
      return liveAnswer()
    })
    const leaving = new AbortController()
    const aborted = client.call(liveCall, JFK, { signal: leaving.signal })
    const patient = client.call(liveCall, JFK)
    await begun.opened
    leaving.abort(new Error('hung up'))
    await expect(aborted).rejects.toThrow('hung up')
    work.open()
    expect(await patient).toEqual(liveAnswer())
  })

  it('rejects with INTERNAL when the pipeline fails while answering', async () => {
    const { client } = await open(liveCall, async () => {
      throw new Error('a bug')
    })
    await expect(client.call(liveCall, JFK)).rejects.toMatchObject({ code: 'INTERNAL', message: /a bug/ })
  })

  it('rejects a request that breaks the schema before it is sent', async () => {
    const { client } = await open(liveCall, async () => liveAnswer())
    await expect(client.call(liveCall, { iata: 'jfk', kind: 'security' })).rejects.toThrow('three capital letters')
  })
})

test('rejects with LIVE_UNAVAILABLE at the timeout while Redis is away, and the client still closes', async () => {
  const client = openRedisClient({ redis_url: 'redis://127.0.0.1:1' })
  const impatient = { ...liveCall, timeout_ms: 300 }
  await expect(client.call(impatient, JFK)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
  await client.close()
})
