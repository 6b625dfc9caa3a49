import { setTimeout as sleep } from 'node:timers/promises'

export interface Keys {
  free: string
  pro: string
  enterprise: string
}

async function waitUntilUp(address: string, limitMs: number): Promise<void> {
  const until = Date.now() + limitMs
  for (;;) {
    const answer = await fetch(`${address}/health`).catch(() => null)
    if (answer?.ok) return
    if (Date.now() > until) throw new Error(`${address} did not start within ${limitMs / 1_000} s`)
    await sleep(100)
  }
}

async function expectStatus(address: string, path: string, key: string | null, status: number): Promise<unknown> {
  const answer = await fetch(`${address}${path}`, key ? { headers: { Authorization: `Bearer ${key}` } } : {})
  if (answer.status !== status)
    throw new Error(`GET ${path}: ${answer.status} instead of ${status}: ${await answer.text()}`)
  return answer.headers.get('content-type')?.includes('json') ? answer.json() : answer.text()
}

async function listTools(address: string, key: string): Promise<number> {
  const answer = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  const text = await answer.text()
  const tools = text.match(/"inputSchema"/g)?.length ?? 0
  if (!answer.ok || tools === 0) throw new Error(`MCP tools/list: ${answer.status} ${text.slice(0, 200)}`)
  return tools
}

/**
 * Checks that the first snapshot is really served: health, a measured wait marked as simulated, a week of forecasts, delays,
 * the 403 and 401 answers, MCP and the start page. Throws at the first check that fails.
 */
export async function checkServed(address: string, keys: Keys, iata: string): Promise<void> {
  await waitUntilUp(address, 15_000)
  const waits = (await expectStatus(address, `/api/v1/airports/${iata}/wait-times`, keys.enterprise, 200)) as {
    simulated?: boolean
    security: { average_wait_minutes: number | null; status: string }
  }
  if (waits.simulated !== true) throw new Error('an answer is not marked as simulated')
  const { average_wait_minutes, status } = waits.security
  if (average_wait_minutes === null && status !== 'closed') throw new Error(`${iata} has no wait`)
  const week = (await expectStatus(address, `/api/v1/airports/${iata}/predictions`, keys.enterprise, 200)) as {
    hours: unknown[]
  }
  if (week.hours.length === 0) throw new Error(`${iata} has no forecast`)
  await expectStatus(address, '/api/v1/airports/JFK/delays', keys.free, 200)
  await expectStatus(address, '/api/v1/airports/JFK/wait-times', keys.free, 403)
  await expectStatus(address, '/api/v1/airports', null, 401)
  await expectStatus(address, '/openapi.json', null, 200)
  await expectStatus(address, '/', null, 200)
  await listTools(address, keys.free)
}

/** How long everything may take in all on a slow machine. */
const MAX_WHOLE_MS = 480_000

/** Waits until the demo is whole: 90 days of hourly history, and forecasts by trained models. Throws when it takes too long. */
export async function waitUntilWhole(address: string, keys: Keys, signal: AbortSignal): Promise<void> {
  const until = performance.now() + MAX_WHOLE_MS
  for (;;) {
    const history = (await expectStatus(address, '/api/v1/airports/JFK/historical?days=90', keys.enterprise, 200)) as {
      coverage: number
    }
    const forecast = (await expectStatus(address, '/api/v1/airports/JFK/predictions', keys.enterprise, 200)) as {
      model: { basis: string }
    }
    if (history.coverage >= 0.5 && forecast.model.basis === 'predicted') return
    if (signal.aborted) return
    if (performance.now() > until)
      throw new Error(
        `not whole after ${MAX_WHOLE_MS / 1_000} s: history of JFK covers ${history.coverage} of its hours, its forecast is ${forecast.model.basis}`,
      )
    await sleep(1_000, undefined, { signal }).catch(() => undefined)
  }
}
