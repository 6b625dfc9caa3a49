import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine } from './installation.ts'

/** The outcomes of the calls of a load. */
export interface LoadCounts {
  calls: number
  answered: number
  /** Answered 503 with Retry-After because Redis or PostgreSQL was away, and answered once it was back. */
  refused_then_answered: number
  /** No usable answer from any machine within the time, although Redis and PostgreSQL were there. */
  lost: number
  /** No usable answer within the time while Redis or PostgreSQL was away. */
  lost_with_store: number
  /** An answer that is not true: another airport, not simulated, a valid key refused, an unexpected status. */
  wrong: number
  /** An answer whose parts come from different snapshots. */
  mixed: number
  /** Answered later than this, although Redis and PostgreSQL were there. */
  late: number
  /** Calls with a revoked key that were answered. */
  revoked_admitted: number
  /** Calls of a key beyond its limit of a minute. */
  uncounted: number
  examples: string[]
}

export const LATE_MS = 5_000
const GIVE_UP_MS = 30_000
const ATTEMPT_MS = 2_500
const AIRPORTS = ['JFK', 'EWR', 'LGA', 'ZRH', 'SEA', 'BHX', 'MUC', 'LHR']
/** Statuses that mean "not here, not now": another machine is tried. */
const ELSEWHERE = new Set([502, 503, 504])

/** The JSON of an answer; null for another format. */
function contentOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

export interface Load {
  counts: LoadCounts
  milliseconds: number[]
  /** Says that Redis or PostgreSQL is being harmed, or was a moment ago. */
  storeIsAway: (isAway: boolean) => void
  stop: () => Promise<void>
}

export interface LoadKeys {
  /** Keys of the highest tier, whose limits of a minute are above the load. */
  enterprise: readonly string[]
  revoked: string
  /** A key whose limit of a minute is far below its requests. */
  limited: string
  limit_per_minute: number
}

const CLIENTS = 4
/** The pause of a client between two requests. */
const PAUSE_MS = 100

/** A steady mixed load of REST and MCP on machines behind a balancer that asks another machine when one does not answer. */
export function startLoad(machines: readonly Machine[], keys: LoadKeys): Load {
  const counts: LoadCounts = {
    calls: 0,
    answered: 0,
    refused_then_answered: 0,
    lost: 0,
    lost_with_store: 0,
    wrong: 0,
    mixed: 0,
    late: 0,
    revoked_admitted: 0,
    uncounted: 0,
    examples: [],
  }
  const milliseconds: number[] = []
  const stopping = new AbortController()
  let isAway = false
  let lastAway = -GIVE_UP_MS
  let turn = 0
  const wasAway = () => isAway || performance.now() - lastAway < GIVE_UP_MS
  const note = (text: string) => {
    const kind = text.slice(0, 60)
    if (counts.examples.length < 20 && !counts.examples.some((example) => example.includes(kind)))
      counts.examples.push(`${new Date().toISOString()} ${text}`)
  }

  /** Asks one machine after another until one answers. */
  const ask = async (
    path: string,
    init: RequestInit,
  ): Promise<{ status: number; body: unknown; refused: boolean } | null> => {
    const started = performance.now()
    let refused = false
    while (performance.now() - started < GIVE_UP_MS && !stopping.signal.aborted) {
      const machine = machines[turn++ % machines.length]
      try {
        const answer = await fetch(`${machine?.url}${path}`, { ...init, signal: AbortSignal.timeout(ATTEMPT_MS) })
        // An answer that was cut is none.
        const text = await answer.text()
        const body = contentOf(text)
        if (!ELSEWHERE.has(answer.status)) return { status: answer.status, body, refused }
        refused = true
      } catch {
        // This machine is dead, frozen or cut off.
      }
      await sleep(50)
    }
    return null
  }
  const authorised = (key: string) => ({ authorization: `Bearer ${key}` })

  const enterprise = () => authorised(keys.enterprise[turn % keys.enterprise.length] ?? '')

  const askRest = async () => {
    const iata = AIRPORTS[Math.floor(Math.random() * AIRPORTS.length)] ?? 'JFK'
    const kind = Math.random()
    if (kind < 0.3) {
      const codes = [...AIRPORTS].sort(() => Math.random() - 0.5).slice(0, 5)
      const headers = { 'content-type': 'application/json', ...enterprise() }
      const answer = await ask('/api/v1/airports/bulk', {
        method: 'POST',
        headers,
        body: JSON.stringify({ codes }),
      })
      return judge('bulk', answer, (body) => {
        const { data = [] } = (body ?? {}) as { data?: { airport?: unknown; timestamp?: string }[] }
        if (data.length !== codes.length) return `${data.length} of ${codes.length} airports`
        if (new Set(data.map(({ timestamp }) => timestamp)).size > 1) {
          counts.mixed += 1
          return `timestamps ${[...new Set(data.map(({ timestamp }) => timestamp))].join(', ')}`
        }
        return null
      })
    }
    const path = kind < 0.65 ? 'wait-times' : 'predictions'
    const answer = await ask(`/api/v1/airports/${iata}/${path}`, { headers: enterprise() })
    return judge(path, answer, (body) => {
      const text = JSON.stringify(body)
      if (!text.includes(`"${iata}"`)) return `not about ${iata}`
      return text.includes('"simulated":true') ? null : 'does not say that it is simulated'
    })
  }
  const askMcp = async () => {
    const iata = AIRPORTS[Math.floor(Math.random() * AIRPORTS.length)] ?? 'JFK'
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...enterprise(),
    }
    const params = { name: 'get_airport_delays', arguments: { iata } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const answer = await ask('/mcp', { method: 'POST', headers, body })
    return judge('mcp', answer, (content) =>
      content === null || JSON.stringify(content).includes(iata)
        ? null
        : `not about ${iata}: ${JSON.stringify(content).slice(0, 200)}`,
    )
  }
  function judge(
    what: string,
    answer: { status: number; body: unknown; refused: boolean } | null,
    faultOf: (body: unknown) => string | null,
  ): void {
    if (answer === null) {
      if (stopping.signal.aborted) return
      if (wasAway()) counts.lost_with_store += 1
      else {
        counts.lost += 1
        note(`lost: ${what}`)
      }
      return
    }
    counts.answered += 1
    if (answer.refused) counts.refused_then_answered += 1
    const fault =
      answer.status === 200
        ? faultOf(answer.body)
        : `status ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`
    if (fault === null) return
    counts.wrong += 1
    note(`wrong: ${what}: ${fault}`)
  }

  const client = async () => {
    while (!stopping.signal.aborted) {
      const started = performance.now()
      counts.calls += 1
      await (Math.random() < 0.7 ? askRest() : askMcp())
      const took = performance.now() - started
      milliseconds.push(took)
      if (took > LATE_MS && !wasAway() && !stopping.signal.aborted) counts.late += 1
      await sleep(PAUSE_MS)
    }
  }
  const revokedClient = async () => {
    while (!stopping.signal.aborted) {
      const answer = await ask('/api/v1/airports?limit=1', { headers: authorised(keys.revoked) })
      if (answer && answer.status === 200) counts.revoked_admitted += 1
      await sleep(500)
    }
  }
  /** Minutes of the limiter are not the clock's: within any minute there may be what two windows allow, and no more. */
  const admitted: number[] = []
  const limitedClient = async () => {
    while (!stopping.signal.aborted) {
      const answer = await ask('/api/v1/airports?limit=1', { headers: authorised(keys.limited) })
      if (answer?.status === 200) {
        const now = performance.now()
        admitted.push(now)
        while (admitted[0] !== undefined && admitted[0] < now - 60_000) admitted.shift()
        // A Redis that was killed begins its minutes anew, as is documented.
        if (admitted.length > 2 * keys.limit_per_minute && !wasAway()) {
          counts.uncounted += 1
          note(`${admitted.length} calls of the limited key within a minute`)
        }
      }
      await sleep(400)
    }
  }
  const running = Promise.all([...Array.from({ length: CLIENTS }, client), revokedClient(), limitedClient()])
  return {
    counts,
    milliseconds,
    storeIsAway: (away) => {
      isAway = away
      lastAway = performance.now()
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
