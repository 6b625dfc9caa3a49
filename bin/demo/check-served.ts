import { setTimeout as sleep } from 'node:timers/promises'
import { countText } from '../../config/count-text.ts'
import { HoldshortError } from '../../config/errors.ts'
import { waitUntilUp } from '../runtime/wait-until-up.ts'

export interface Keys {
  free: string
  pro: string
  enterprise: string
}

const failed = (reason: string) => new HoldshortError('DEMO_FAILED', reason)

/** How long the api may take to start on a slow and busy machine. */
const MAX_START_MS = 120_000

async function expectStatus(address: string, path: string, key: string | null, status: number): Promise<unknown> {
  const answer = await fetch(`${address}${path}`, key ? { headers: { Authorization: `Bearer ${key}` } } : {})
  if (answer.status !== status)
    throw failed(`GET ${path}: ${answer.status} instead of ${status}: ${await answer.text()}`)
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
  if (!answer.ok || tools === 0) throw failed(`MCP tools/list: ${answer.status} ${text.slice(0, 200)}`)
  return tools
}

/**
 * Checks that the first snapshot is really served: health, a measured wait marked as simulated, a week of forecasts, delays,
 * the 403 and 401 answers, MCP and the start page. Throws at the first check that fails.
 */
export async function checkServed(address: string, keys: Keys, iata: string): Promise<void> {
  if (!(await waitUntilUp(address, MAX_START_MS)))
    throw failed(`${address} did not start within ${MAX_START_MS / 1_000} s`)
  const waits = (await expectStatus(address, `/api/v1/airports/${iata}/wait-times`, keys.enterprise, 200)) as {
    simulated?: boolean
    security: { average_wait_minutes: number | null; status: string }
  }
  if (waits.simulated !== true) throw failed('an answer is not marked as simulated')
  const { average_wait_minutes, status } = waits.security
  if (average_wait_minutes === null && status !== 'closed') throw failed(`${iata} has no wait`)
  const week = (await expectStatus(address, `/api/v1/airports/${iata}/predictions`, keys.enterprise, 200)) as {
    hours: unknown[]
  }
  if (week.hours.length === 0) throw failed(`${iata} has no forecast`)
  await expectStatus(address, '/api/v1/airports/JFK/delays', keys.free, 200)
  await expectStatus(address, '/api/v1/airports/JFK/wait-times', keys.free, 403)
  await expectStatus(address, '/api/v1/airports', null, 401)
  await expectStatus(address, '/openapi.json', null, 200)
  await expectStatus(address, '/', null, 200)
  await listTools(address, keys.free)
}

/** After this time the demo names what is missing. */
const EXPECTED_WHOLE_MS = 480_000

/** How often the demo asks whether it is whole; an answer with 90 days of history is too large to ask for every second. */
const POLL_MS = 2_000

interface DemoPart {
  path: string
  /** The missing part, in words; null when nothing is. */
  missing: (answer: unknown) => string | null
}

/** Versions of forecasts that a training made; what is drawn to the first own readings of an airport is `predicted` before. */
const TRAINED = /^(?:model|rule|baseline):/

/** The parts of a whole demo: forecasts by trained models, 90 days of hourly history, and an answer of every source. */
const PARTS: readonly DemoPart[] = [
  {
    path: '/api/v1/airports/JFK/predictions',
    missing: (answer) => {
      const { version } = (answer as { model: { version: string } }).model
      return TRAINED.test(version) ? null : `the forecast of JFK is not from a training yet, but ${version}`
    },
  },
  {
    path: '/api/v1/airports/JFK/historical?days=90',
    missing: (answer) => {
      const { coverage } = answer as { coverage: number }
      return coverage >= 0.5 ? null : `the history of JFK covers ${Math.round(coverage * 100)} % of its hours`
    },
  },
  {
    path: '/status',
    missing: (answer) => {
      const { not_asked } = (answer as { counts: { not_asked: number } }).counts
      return not_asked === 0 ? null : `not collected yet: ${countText(not_asked, 'source')}`
    },
  },
]

/** The first thing that the demo does not have yet; null when it is whole. */
async function missingPart(address: string, key: string): Promise<string | null> {
  for (const { path, missing } of PARTS) {
    const found = missing(await expectStatus(address, path, key, 200))
    if (found !== null) return found
  }
  return null
}

/**
 * Waits until the demo is whole or the signal is given. `onSlow` is called once when it takes longer than expected, with what is
 * missing. The request is repeated while the api restarts.
 */
export async function waitUntilWhole(
  address: string,
  keys: Keys,
  signal: AbortSignal,
  onSlow: (missing: string) => void,
  poll_ms = POLL_MS,
): Promise<void> {
  const expected = performance.now() + EXPECTED_WHOLE_MS
  let isReported = false
  while (!signal.aborted) {
    const missing = await missingPart(address, keys.enterprise).catch((error: Error) => error.message)
    if (missing === null) return
    if (!isReported && performance.now() > expected) {
      isReported = true
      onSlow(`not whole after ${EXPECTED_WHOLE_MS / 1_000} s: ${missing}`)
    }
    await sleep(poll_ms, undefined, { signal }).catch(() => undefined)
  }
}
