import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { implementCall } from '../../../jobs/calls/define-call.ts'
import { type LiveRequest, liveCall } from '../../../jobs/calls/live.ts'
import { reportsCall } from '../../../jobs/calls/reports.ts'
import {
  openSocketClient,
  type SocketServerOptions,
  serveOnSocket,
  socketPath,
} from '../../../jobs/transports/socket.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { liveAnswer } from '../calls/live-answer.ts'
import { fullBatch } from '../calls/report-batch.ts'

const JFK: LiveRequest = { iata: 'JFK', kind: 'security' }

/** Serves live requests; every answer has the given source. */
const serveLive = (path: string, source = liveAnswer().source, options: SocketServerOptions = {}) =>
  serveOnSocket(path, [implementCall(liveCall, async () => liveAnswer({ source }))], options)
const callLive = (path: string) => openSocketClient(path).call(liveCall, JFK)
const newPath = async () => join(await temporaryFolder(), 'live.sock')

test('the socket is readable by this user alone, and gone when its process ends', async () => {
  const path = await newPath()
  const server = await serveLive(path)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await server.close()
  await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a socket left by a killed process is replaced', async () => {
  const path = await newPath()
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`
  const killed = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(killed.stdout, 'data')
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  expect((await stat(path)).isSocket()).toBe(true)
  const server = await serveLive(path)
  expect(await callLive(path)).toEqual(liveAnswer())
  await server.close()
})

test('the socket of a living process stays with it, is reported, and is taken over when that process ends', async () => {
  const path = await newPath()
  const first = await serveLive(path, 'first')
  const onPathInUse = vi.fn()
  const second = await serveLive(path, 'second', { onPathInUse, takeover_check_ms: 20 })
  expect(onPathInUse).toHaveBeenCalledExactlyOnceWith(path)
  expect((await callLive(path)).source).toBe('first')
  await first.close()
  await vi.waitFor(async () => expect((await callLive(path)).source).toBe('second'), { interval: 20, timeout: 10_000 })
  await second.close()
})

test('the path is short however deep the data folder is, and different for each data folder', async () => {
  const deep = join(await temporaryFolder(), 'x'.repeat(120))
  await mkdir(deep)
  const path = socketPath(deep)
  expect(Buffer.byteLength(path)).toBeLessThan(100)
  expect(socketPath(`${deep}y`)).not.toBe(path)
  expect(socketPath('/data')).toBe('/data/live.sock')
  const server = await serveLive(path)
  expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)
  expect(await callLive(path)).toEqual(liveAnswer())
  await server.close()
})

test('a server that does not speak HTTP counts as no pipeline', async () => {
  const path = await newPath()
  const server = createServer((socket) => socket.end('nonsense'))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  await expect(callLive(path)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
  server.close()
})

test('an ordinary file at the path is replaced', async () => {
  const path = await newPath()
  await writeFile(path, '')
  await chmod(path, 0o600)
  const server = await serveLive(path)
  expect(await callLive(path)).toEqual(liveAnswer())
  await server.close()
})

test('a call that the pipeline does not serve is INTERNAL, and an answer that breaks the schema is LIVE_UNAVAILABLE', async () => {
  const path = await newPath()
  const server = await serveLive(path)
  const handOver = () => openSocketClient(path).call(reportsCall, fullBatch())
  await expect(handOver()).rejects.toMatchObject({ code: 'INTERNAL' })
  await server.close()
  const wrong = createHttpServer((_, response) => response.end('{"landed": 7}')).listen(path)
  await once(wrong, 'listening')
  await expect(handOver()).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
  wrong.close()
})
