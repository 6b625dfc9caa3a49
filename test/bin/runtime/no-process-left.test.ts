import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startStatementProcess } from '../../../bin/query/statement.ts'
import { taskProcess } from '../../../bin/runtime/serve-tasks.ts'
import { supervise } from '../../../bin/runtime/supervise.ts'
import { trainApart } from '../../../bin/runtime/train-apart.ts'
import { endSoon } from '../../../bin/runtime/watch-parent.ts'
import { readSettings } from '../../../config/settings.ts'

const { attempts, outcome } = vi.hoisted(() => ({
  attempts: { count: 0 },
  outcome: { of: (_: number): unknown => null },
}))

vi.mock('node:child_process', async (original) => {
  const start = () => {
    attempts.count += 1
    return outcome.of(attempts.count)
  }
  return { ...(await original<object>()), spawn: start, fork: start }
})

const { noThread } = vi.hoisted(() => ({ noThread: { left: false } }))

vi.mock('node:worker_threads', async (original) => {
  const threads = await original<typeof import('node:worker_threads')>()
  class Worker extends threads.Worker {
    constructor(...args: ConstructorParameters<typeof threads.Worker>) {
      if (noThread.left)
        throw Object.assign(new Error('Worker initialization failure: EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' })
      super(...args)
    }
  }
  return { ...threads, Worker }
})

beforeEach(() => {
  attempts.count = 0
})

const faultOf = (code: string) => Object.assign(new Error(`spawn node ${code}`), { code })

/** What Node.js returns when there is no process left: a child without an id, whose error comes as an event. */
function childWithout(code: string) {
  const child = Object.assign(new EventEmitter(), {
    pid: undefined,
    exitCode: null,
    signalCode: null,
    kill: () => false,
  })
  setImmediate(() => child.emit('error', faultOf(code)))
  return child
}

/** A child that runs until it is killed. */
function runningChild() {
  const child = Object.assign(new EventEmitter(), {
    pid: 4_711,
    stdio: [],
    exitCode: null,
    signalCode: null,
    kill: (): boolean => true,
  })
  child.kill = () => {
    setImmediate(() => child.emit('exit', null, 'SIGTERM'))
    return true
  }
  return child
}

function throwFault(code: string): never {
  throw faultOf(code)
}

test.each([
  ['EAGAIN', () => childWithout('EAGAIN')],
  ['EMFILE', () => childWithout('EMFILE')],
  ['ENOMEM', () => throwFault('ENOMEM')],
])('a child that cannot be started (%s) is tried again until it can, and the log says so', async (code, refuse) => {
  outcome.of = (attempt) => (attempt < 3 ? refuse() : runningChild())
  const lines: { msg: string; error?: string; retry_in_ms?: number }[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const children = supervise([{ name: 'api', args: ['serve'] }], {}, log, readSettings({}))
  await vi.waitFor(() => expect(children.pid('api')).toBe(4_711), 5_000)
  expect(attempts.count).toBe(3)
  expect(lines.map(({ error, retry_in_ms }) => [error, retry_in_ms])).toEqual([
    [`spawn node ${code}`, 500],
    [`spawn node ${code}`, 1_000],
  ])
  await children.stop()
})

test('a supervisor that is stopped while no process is left ends at once and starts nothing', async () => {
  outcome.of = () => childWithout('EAGAIN')
  const children = supervise([{ name: 'api', args: ['serve'] }], {}, pino({ enabled: false }), readSettings({}))
  await children.stop()
  const { count } = attempts
  await sleep(700)
  expect(attempts.count).toBe(count)
})

test.each([
  ['EAGAIN', () => childWithout('EAGAIN')],
  ['ENOMEM', () => throwFault('ENOMEM')],
])('a training that cannot be started (%s) is a failure of that training', async (code, refuse) => {
  outcome.of = refuse
  await expect(trainApart(readSettings({}), new AbortController().signal)).rejects.toThrow(code)
})

test.each([
  ['EAGAIN', () => childWithout('EAGAIN')],
  ['ENOMEM', () => throwFault('ENOMEM')],
])('a statement whose process cannot be started (%s) fails alone', async (code, refuse) => {
  outcome.of = refuse
  const statement = startStatementProcess({ data_dir: '/nowhere', unsafe: false, seconds: 5 })
  await expect(statement.run({ sql: 'SELECT 1', format: 'table' })).rejects.toThrow(code)
  statement.end()
})

test.each([
  ['EAGAIN', () => Object.assign(childWithout('EAGAIN'), { connected: true, send: () => true })],
  ['EMFILE', () => childWithout('EMFILE')],
  ['ENOMEM', () => throwFault('ENOMEM')],
])('a task whose process cannot be started (%s) fails, and the next one starts a process', async (code, refuse) => {
  const computing = Object.assign(runningChild(), {
    connected: true,
    send: () => setImmediate(() => computing.emit('message', { reference: 'done' })),
  })
  outcome.of = (attempt) => (attempt === 1 ? refuse() : computing)
  const { compute, end } = taskProcess(readSettings({}), pino({ enabled: false }))
  const order = { name: 'fit', request: 'one', place: 'here' }
  await expect(compute(order, new AbortController().signal)).rejects.toThrow(code)
  await expect(compute(order, new AbortController().signal)).resolves.toBe('done')
  end()
})

test('a process that stops while no thread is left ends all the same', async () => {
  noThread.left = true
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  onTestFinished(() => {
    noThread.left = false
    kill.mockRestore()
  })
  endSoon(20)
  await vi.waitFor(() => expect(kill).toHaveBeenCalledWith(process.pid, 'SIGKILL'))
})
