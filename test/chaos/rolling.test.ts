import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Machine, startInstallation, until } from '../../tools/chaos/installation.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { PARTS_MISSING } from '../shared-store/installation.ts'

/** A proxy as operators run them: it asks each api whether it is ready, and sends requests to those that are. It repeats none. */
async function startProxy(machines: readonly Machine[]): Promise<string> {
  const ready = new Set<string>()
  const check = async ({ url }: Machine) => {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(1_000) }).catch(() => null)
    if (answer?.ok) ready.add(url)
    else ready.delete(url)
  }
  const timer = setInterval(() => machines.forEach((machine) => void check(machine)), 300)
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const urls = [...ready]
    const target = new URL(urls[turn++ % urls.length] ?? 'http://127.0.0.1:9')
    const { method, url, headers } = incoming
    const forwarded = request({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    clearInterval(timer)
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.runIf(EXHAUSTIVE && PARTS_MISSING === null)(
  'a rolling update of two apis drops no request',
  { timeout: 300_000 },
  async () => {
    const installation = await startInstallation({ works: 1, drain_seconds: 2 })
    onTestFinished(installation.close)
    const { machines } = installation
    const serves = machines.filter(({ role }) => role === 'serve')
    await Promise.all(machines.map((machine) => machine.start()))
    const isReady = async ({ url }: Machine) => (await fetch(`${url}/health/ready`)).ok
    const allReady = () =>
      until('both are ready', 200_000, async () => (await Promise.all(serves.map(isReady))).every(Boolean))
    await allReady()
    const proxy = await startProxy(serves)
    await sleep(1_000)
    const stopping = new AbortController()
    const statuses = new Map<string, number>()
    const client = async () => {
      while (!stopping.signal.aborted) {
        const status = await fetch(`${proxy}/api/v1/airports`).then(
          async (answer) => {
            await answer.text()
            return String(answer.status)
          },
          () => 'dropped',
        )
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const load = Promise.all(Array.from({ length: 4 }, client))
    for (const serve of serves) {
      serve.signal('SIGTERM')
      await until('it has ended', 20_000, async () => !serve.isRunning())
      await serve.start()
      await allReady()
      await sleep(1_000)
    }
    stopping.abort()
    await load
    // Without a key: each is answered, by the gate of whichever api.
    expect([...statuses.keys()]).toEqual(['401'])
    expect(statuses.get('401')).toBeGreaterThan(50)
  },
)
