import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { airportDirectory } from '../../config/airports/directory.ts'
import { writeWhole } from '../../warehouse/storage/files.ts'
import type { ServedProcess } from './served-process.ts'

const CONNECTIONS = 8
/** The bench fails if a published snapshot is not served within this time. */
const TIMEOUT_MS = 20_000
const QUIET_MS = 1_000

interface Answer {
  status: number
  text: string
}

function get(agent: Agent, url: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
      .on('error', reject)
      .end()
  })
}

/** The `generated_at` of an answer of /predictions. @throws Error when not all its hours have the mark of that snapshot */
function instantOf({ status, text }: Answer, markOf: ReadonlyMap<string, number>): string {
  if (status !== 200) throw new Error(`an answer was ${status} during a swap: ${text.slice(0, 200)}`)
  const { generated_at, hours } = JSON.parse(text) as {
    generated_at: string
    hours: { wait_minutes: number; confidence: number | null }[]
  }
  const mark = markOf.get(generated_at)
  if (mark === undefined) throw new Error(`an answer has generated_at ${generated_at}, which was not published`)
  const expected = mark + 1
  if (
    hours.length === 0 ||
    hours.some(
      // The prior of small airports was never compared with an observed one, so that it has no confidence.
      ({ wait_minutes, confidence }) =>
        wait_minutes !== expected || (confidence !== null && Math.round(confidence * 100) !== expected),
    )
  )
    throw new Error(`an answer of ${generated_at} holds hours of another snapshot`)
  return generated_at
}

/** Delays of requests within a period, in ms. */
export interface Disturbance {
  /** Longest stall of the server's event loop. */
  stall: number
  /** Slowest answer, measured by a client. */
  slowest: number
}

export interface SwapReport {
  /** Seconds from publishing to the first answer from the new snapshot, for each swap. */
  served: number[]
  swaps: Disturbance[]
  /** As many periods without a swap, for comparison. */
  quiet: Disturbance[]
  answers: number
}

/**
 * Switches a running server through prepared snapshots while clients request airports all over the world. Every answer must be
 * 200 and come from one snapshot.
 */
export async function swapUnderLoad(
  server: ServedProcess,
  snapshotsDir: string,
  snapshots: { id: string; generated_at: string; mark: number }[],
  headers: Record<string, string>,
): Promise<SwapReport> {
  const markOf = new Map(snapshots.map(({ generated_at, mark }) => [generated_at, mark]))
  const codes = airportDirectory().all.map(({ iata }) => iata)
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const seen = new Set<string>()
  let running = true
  let answers = 0
  let slowest = 0
  const client = async () => {
    while (running) {
      const start = performance.now()
      const code = codes[(answers * 7_919) % codes.length]
      const answer = await get(agent, `${server.url}/api/v1/airports/${code}/predictions`, headers)
      slowest = Math.max(slowest, performance.now() - start)
      answers += 1
      seen.add(instantOf(answer, markOf))
    }
  }
  /** Measures stall and slowest answer while `work` runs. */
  const measureDuring = async (work: () => Promise<unknown>): Promise<Disturbance> => {
    await server.longestStall()
    slowest = 0
    await work()
    return { stall: await server.longestStall(), slowest }
  }
  const served: number[] = []
  const swapTo = async ({ id, generated_at }: (typeof snapshots)[number]) => {
    seen.delete(generated_at)
    await writeWhole(join(snapshotsDir, 'CURRENT'), id)
    const start = performance.now()
    for (; !seen.has(generated_at); await wait(5))
      if (performance.now() - start > TIMEOUT_MS) throw new Error(`${id} was not served in time`)
    served.push((performance.now() - start) / 1_000)
    await wait(200)
  }

  const clients = Promise.all(Array.from({ length: CONNECTIONS }, client))
  const script = async () => {
    await wait(1_500)
    const swaps: Disturbance[] = []
    const quiet: Disturbance[] = []
    for (const snapshot of snapshots) {
      quiet.push(await measureDuring(() => wait(QUIET_MS)))
      swaps.push(await measureDuring(() => swapTo(snapshot)))
    }
    running = false
    await clients
    return { served, swaps, quiet, answers }
  }
  try {
    const run = script()
    await Promise.race([run, clients])
    return await run
  } finally {
    running = false
    agent.destroy()
  }
}
