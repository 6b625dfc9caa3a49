import { issueKey } from '../../api/accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import type { Progress } from '../../bin/runtime/output.ts'
import { dataPaths, readSettings } from '../../config/settings.ts'
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { bigSnapshot } from './big-snapshot.ts'
import { dearestOperations, dearestOthers, dearestTools, type Question, toolQuestion } from './dearest-questions.ts'
import { dearestCodes, dearestSnapshot } from './dearest-snapshot.ts'
import { type Measurement, median } from './measurement.ts'
import { type ServedProcess, serveProcess } from './served-process.ts'

/** No request may hold the event loop for longer. */
export const MAX_STALL_MS = 20
const ROUNDS = 5

/** How long a question held the event loop: the median of its rounds, and the longest. */
export interface Stall {
  question: string
  status: number
  isFailure: boolean
  median_ms: number
  longest_ms: number
}

/** Sends a question five times, never the same, to a real server, and reads how long the server's event loop stood still. */
async function stallOf(server: ServedProcess, key: string, question: Question): Promise<Stall> {
  const { method = 'GET', path, body, headers = {} } = question
  const stalls: number[] = []
  let status = 0
  for (let round = 0; round < ROUNDS; round++) {
    await server.longestTurn()
    const answer = await fetch(server.url + path(round), {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body && { body: body(round) }),
    })
    await answer.arrayBuffer()
    status = answer.status
    // On a busy machine the loop also stands still while other processes run; that is not the request's doing.
    stalls.push(await server.longestTurn())
  }
  const isFailure = status >= 500 && !(question.isForPipeline && status === 503)
  return { question: question.name, status, isFailure, median_ms: median(stalls), longest_ms: Math.max(...stalls) }
}

/** The stalls of all dearest questions, by operation, tool or other subject. */
export async function measureStalls(
  warehouse: Warehouse,
  now: number,
  bar?: Progress,
): Promise<Record<string, Stall[]>> {
  const { data_dir } = warehouse
  await writeSnapshot(dataPaths(data_dir).snapshots, dearestSnapshot(await bigSnapshot(warehouse, now)))
  const state = await openState(readSettings({ HOLDSHORT_DATA_DIR: data_dir }))
  const { key } = await issueKey(state, { tier: 'enterprise' }, Date.now())
  await state.close()
  const codes = dearestCodes()
  const questions: Record<string, Question[]> = {
    ...dearestOperations(now, codes),
    ...Object.fromEntries(
      Object.entries(dearestTools(now, codes)).map(([tool, inputs]) => [
        tool,
        inputs.map((input, at) => toolQuestion(tool, input, `input ${at + 1}`)),
      ]),
    ),
    others: dearestOthers(now, codes),
  }
  const server = await serveProcess(data_dir, { authorization: `Bearer ${key}` })
  try {
    const stalls: Record<string, Stall[]> = {}
    const subjects = Object.entries(questions)
    for (const [done, [subject, asked]] of subjects.entries()) {
      bar?.update(done, subjects.length, subject)
      stalls[subject] = []
      for (const question of asked) stalls[subject].push(await stallOf(server, key, question))
    }
    return stalls
  } finally {
    await server.stop()
  }
}

/** Measures how long the dearest request of each operation and tool holds the event loop. */
export async function benchDearest(bar: Progress, warehouse: Warehouse, now: number): Promise<Measurement[]> {
  const stalls = await measureStalls(warehouse, now, bar)
  return Object.entries(stalls).flatMap(([subject, found]) => {
    const dearestFirst = found.toSorted((a, b) => b.median_ms - a.median_ms)
    // Of the subjects that are no operation or tool, each question is a row.
    return (subject === 'others' ? found : dearestFirst.slice(0, 1)).map(({ question, median_ms }) => ({
      name: `${subject}: ${question}`,
      value: median_ms,
      unit: 'ms',
      target: { at_most: MAX_STALL_MS },
    }))
  })
}
