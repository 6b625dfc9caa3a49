import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { LiveAnswerer, LiveCounter, LiveDesk, LiveRequest } from '../../jobs/live.ts'
import { openRedisCounter, openRedisDesk, openSourceLocks } from '../../jobs/live-bullmq.ts'
import { liveSocket, openLocalCounter, openLocalDesk } from '../../jobs/live-local.ts'
import { tempFolder } from '../temp.ts'
import { liveAnswer } from './live-answer.ts'
import { redisForTests, redisInstalled } from './redis.ts'

const redis_url = redisForTests(16_380)
const JFK: LiveRequest = { iata: 'JFK', kind: 'security' }

/** Both ends of one installation's live requests. */
interface Ends {
  counter: (answer: LiveAnswerer) => Promise<LiveCounter>
  desk: (within_ms?: number) => LiveDesk
}
const local = async (): Promise<Ends> => {
  const path = join(await tempFolder(), 'live.sock')
  return {
    counter: (answer) => openLocalCounter(path, answer, { retry_ms: 20 }),
    desk: (within) => openLocalDesk(path, within),
  }
}
let installations = 0
const redis = async (): Promise<Ends> => {
  const options = { redis_url, prefix: `live${process.pid}-${installations++}` }
  return { counter: (answer) => openRedisCounter(answer, options), desk: (within) => openRedisDesk(options, within) }
}
/** Work that ends when the test says so. */
function gate() {
  let open: (() => void) | undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open?.(), opened }
}

describe.each([
  ['local', local, true],
  ['redis (needs redis-server)', redis, redisInstalled],
] as const)('live requests, %s', (_name, ends, available) => {
  const it = test.skipIf(!available)
  /** An installation whose ends are closed when the test ends. */
  async function opened(answer: LiveAnswerer | null, within_ms?: number) {
    const { counter, desk } = await ends()
    const open = {
      desk: desk(within_ms),
      counter: answer && (await counter(answer)),
      again: async (next: LiveAnswerer) => {
        open.counter = await counter(next)
      },
    }
    onTestFinished(async () => {
      await open.desk.close()
      await open.counter?.close()
    })
    return open
  }

  it('carries the request there and the answer back, whole', async () => {
    const asked: LiveRequest[] = []
    const { desk } = await opened(async (request) => {
      asked.push(request)
      return liveAnswer({ kind: request.kind })
    })
    expect(await desk.ask({ iata: 'JFK', kind: 'immigration' })).toEqual(liveAnswer({ kind: 'immigration' }))
    expect(asked).toEqual([{ iata: 'JFK', kind: 'immigration' }])
  })

  it('answers fifty at once', async () => {
    const { desk } = await opened(async ({ kind }) => liveAnswer({ kind }))
    const answers = await Promise.all(Array.from({ length: 50 }, () => desk.ask(JFK)))
    expect(answers).toEqual(Array(50).fill(liveAnswer()))
  })

  it('says LIVE_UNAVAILABLE at once when no pipeline runs, and works when one does', async () => {
    const open = await opened(null)
    const from = performance.now()
    await expect(open.desk.ask(JFK)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
    expect(performance.now() - from).toBeLessThan(1_500)
    await open.again(async () => liveAnswer())
    expect(await open.desk.ask(JFK)).toEqual(liveAnswer())
    await open.counter?.close()
    await expect(open.desk.ask(JFK)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
  })

  it('does not wait beyond its time for a pipeline that hangs, and is not spoilt by it', async () => {
    const slow = gate()
    let asked = 0
    const { desk } = await opened(async () => {
      asked += 1
      if (asked === 1) await slow.opened
      return liveAnswer()
    }, 600)
    await expect(desk.ask(JFK)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE', message: /no answer in 0.6 s/ })
    await vi.waitFor(async () => expect(await desk.ask(JFK)).toEqual(liveAnswer()), { timeout: 3_000 })
    slow.open()
  })

  it('lets an asker go without stopping the work for the others', async () => {
    const [begun, work] = [gate(), gate()]
    const { desk } = await opened(async () => {
      begun.open()
      await work.opened
      return liveAnswer()
    })
    const leaving = new AbortController()
    const left = desk.ask(JFK, { signal: leaving.signal })
    const stays = desk.ask(JFK)
    await begun.opened
    leaving.abort(new Error('hung up'))
    await expect(left).rejects.toThrow('hung up')
    work.open()
    expect(await stays).toEqual(liveAnswer())
  })

  it('tells a fault of ours from a pipeline that is away', async () => {
    const { desk } = await opened(async () => {
      throw new Error('a bug')
    })
    await expect(desk.ask(JFK)).rejects.toMatchObject({ code: 'INTERNAL', message: /a bug/ })
  })

  it('refuses what is no request before it goes out', async () => {
    const { desk } = await opened(async () => liveAnswer())
    await expect(desk.ask({ iata: 'jfk', kind: 'security' })).rejects.toThrow('three capital letters')
  })
})

describe('the socket', () => {
  const answering = async () => liveAnswer()

  test('is this user’s alone, and gone when its process ends', async () => {
    const path = join(await tempFolder(), 'live.sock')
    const counter = await openLocalCounter(path, answering)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await counter.close()
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('left by a killed process is replaced', async () => {
    const path = join(await tempFolder(), 'live.sock')
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`
    const killed = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(killed.stdout, 'data')
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    expect((await stat(path)).isSocket()).toBe(true)
    const counter = await openLocalCounter(path, answering)
    expect(await openLocalDesk(path).ask(JFK)).toEqual(liveAnswer())
    await counter.close()
  })

  test('of a living process is left to it, saying so, and taken over when it ends', async () => {
    const path = join(await tempFolder(), 'live.sock')
    const first = await openLocalCounter(path, async () => liveAnswer({ message: 'first' }))
    const onTaken = vi.fn()
    const second = await openLocalCounter(path, async () => liveAnswer({ message: 'second' }), {
      onTaken,
      retry_ms: 20,
    })
    const desk = openLocalDesk(path)
    expect(onTaken).toHaveBeenCalledExactlyOnceWith(path)
    expect((await desk.ask(JFK)).message).toBe('first')
    await first.close()
    await vi.waitFor(async () => expect((await desk.ask(JFK)).message).toBe('second'), { interval: 20 })
    await second.close()
  })

  test('has a short path however deep the data folder is, another for each', async () => {
    const deep = join(await tempFolder(), 'x'.repeat(120))
    await mkdir(deep)
    const path = liveSocket(deep)
    expect(Buffer.byteLength(path)).toBeLessThan(100)
    expect(liveSocket(`${deep}y`)).not.toBe(path)
    expect(liveSocket('/data')).toBe('/data/live.sock')
    const counter = await openLocalCounter(path, answering)
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)
    expect(await openLocalDesk(path).ask(JFK)).toEqual(liveAnswer())
    await counter.close()
  })

  test('that talks no sense is no pipeline', async () => {
    const path = join(await tempFolder(), 'live.sock')
    const server = createServer((socket) => socket.end('nonsense'))
    await new Promise<void>((resolve) => server.listen(path, resolve))
    await expect(openLocalDesk(path).ask(JFK)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
    server.close()
  })

  test('a file in its place that is no socket is replaced', async () => {
    const path = join(await tempFolder(), 'live.sock')
    await writeFile(path, '')
    await chmod(path, 0o600)
    const counter = await openLocalCounter(path, answering)
    expect(await openLocalDesk(path).ask(JFK)).toEqual(liveAnswer())
    await counter.close()
  })
})

test.skipIf(!redisInstalled)('a live scrape holds the lock of a collect run (needs redis-server)', async () => {
  const options = { redis_url, prefix: `locks${process.pid}` }
  const machines = [openSourceLocks(options), openSourceLocks(options)] as const
  const held = await machines[0].take('sea-cwt')
  expect(held).not.toBeNull()
  expect(await machines[1].take('sea-cwt')).toBeNull()
  expect(await machines[1].take('jax-html')).not.toBeNull()
  await held?.()
  expect(await machines[1].take('sea-cwt')).not.toBeNull()
  for (const machine of machines) await machine.close()
})

test('a Redis that is away is LIVE_UNAVAILABLE in time, and the desk still closes', async () => {
  const desk = openRedisDesk({ redis_url: 'redis://127.0.0.1:1' }, 300)
  await expect(desk.ask(JFK)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
  await desk.close()
})
