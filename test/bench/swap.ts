import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { airportDirectory } from '../../config/airports/directory.ts'
import { writeWhole } from '../../warehouse/storage/files.ts'
import type { ServedProcess } from './served-process.ts'

const CONNECTIONS = 8
/** Longest that a published snapshot may take to be served before the bench gives up. */
const GIVE_UP_MS = 20_000
const QUIET_MS = 1_000

interface Answer {
  status: number
  text: string
}

function ask(agent: Agent, url: string, headers: Record<string, string>): Promise<Answer> {
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

/** Instant and marks of an answer of /predictions; throws when its hours do not all bear the mark of its instant. */
function instantOf({ status, text }: Answer, markOf: ReadonlyMap<string, number>): string {
  if (status !== 200) throw new Error(`an answer was ${status} during a swap: ${text.slice(0, 200)}`)
  const { generated_at, hours } = JSON.parse(text) as {
    generated_at: string
    hours: { wait_minutes: number; confidence: number }[]
  }
  const mark = markOf.get(generated_at)
  if (mark === undefined) throw new Error(`an answer is of ${generated_at}, which was not published`)
  const wanted = mark + 1
  if (
    hours.length === 0 ||
    hours.some((hour) => hour.wait_minutes !== wanted || Math.round(hour.confidence * 100) !== wanted)
  )
    throw new Error(`an answer of ${generated_at} holds hours of another snapshot`)
  return generated_at
}

/** What a stretch of time did to requests, ms. */
export interface Disturbance {
  /** Longest stall of the server's event loop. */
  stall: number
  /** Slowest answer, as a client saw it. */
  slowest: number
}

export interface SwapReport {
  /** Seconds from the publishing rename to the first answer from the new snapshot, of each swap. */
  served: number[]
  swaps: Disturbance[]
  /** As many stretches in between without a swap: the machine's own share. */
  quiet: Disturbance[]
  answers: number
}

/**
 * Swaps a running server through snapshots that lie ready, while clients ask all the time for airports all over the
 * world. Every answer must be 200 and belong to one snapshot.
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
  let [going, answers, slowest] = [true, 0, 0]
  const client = async () => {
    while (going) {
      const from = performance.now()
      const code = codes[(answers * 7_919) % codes.length]
      const answer = await ask(agent, `${server.url}/api/v1/airports/${code}/predictions`, headers)
      slowest = Math.max(slowest, performance.now() - from)
      answers += 1
      seen.add(instantOf(answer, markOf))
    }
  }
  /** Stall and slowest answer of a stretch of time. */
  const during = async (work: () => Promise<unknown>): Promise<Disturbance> => {
    await server.longestStall()
    slowest = 0
    await work()
    return { stall: await server.longestStall(), slowest }
  }
  const served: number[] = []
  const swapTo = async ({ id, generated_at }: (typeof snapshots)[number]) => {
    seen.delete(generated_at)
    await writeWhole(join(snapshotsDir, 'CURRENT'), id)
    const from = performance.now()
    for (; !seen.has(generated_at); await wait(5))
      if (performance.now() - from > GIVE_UP_MS) throw new Error(`${id} is not served`)
    served.push((performance.now() - from) / 1_000)
    await wait(200)
  }

  const clients = Promise.all(Array.from({ length: CONNECTIONS }, client))
  const script = async () => {
    await wait(1_500)
    const swaps: Disturbance[] = []
    const quiet: Disturbance[] = []
    for (const snapshot of snapshots) {
      quiet.push(await during(() => wait(QUIET_MS)))
      swaps.push(await during(() => swapTo(snapshot)))
    }
    going = false
    await clients
    return { served, swaps, quiet, answers }
  }
  try {
    const run = script()
    await Promise.race([run, clients])
    return await run
  } finally {
    going = false
    agent.destroy()
  }
}
