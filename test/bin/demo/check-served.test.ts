import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { waitUntilWhole } from '../../../bin/demo/check-served.ts'

test('a demo is whole only when a training has made its forecasts, not when they are drawn to the first readings, and every source was collected', async () => {
  let not_asked = 3
  let version = 'adapted:JFK@2026-11-23'
  let polled = 0
  const server = createServer((request, response) => {
    const isForecast = request.url?.includes('/predictions')
    if (isForecast) polled += 1
    response.setHeader('content-type', 'application/json')
    if (request.url === '/status') return response.end(JSON.stringify({ counts: { not_asked } }))
    return response.end(JSON.stringify(isForecast ? { model: { version, basis: 'predicted' } } : { coverage: 0.9 }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const keys = { free: 'a', pro: 'b', enterprise: 'c' }
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const whole = waitUntilWhole(address, keys, stopping.signal, () => undefined, 20).then(() => 'whole')
  while (polled < 2) await sleep(50)
  expect(await Promise.race([whole, sleep(100, 'waiting')])).toBe('waiting')
  version = 'model:JFK@2026-11-23T14Z'
  const seen = polled
  while (polled < seen + 2) await sleep(50)
  expect(await Promise.race([whole, sleep(100, 'waiting')])).toBe('waiting')
  not_asked = 0
  expect(await whole).toBe('whole')
})
