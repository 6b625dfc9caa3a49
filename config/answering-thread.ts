import { Worker } from 'node:worker_threads'

/** What a thread says of one question. */
interface Answer<Result> {
  id: number
  result?: Result
  error?: { message: string; code?: string }
}

interface Waiting<Result> {
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** A thread that answers questions. It keeps the process alive only while some are open. */
export interface AnsweringThread<Question, Result> {
  /** @throws the error of the thread's function, with its message and code */
  ask: (question: Question) => Promise<Result>
}

/** Around the code of a thread: each question gets an answer, or the error that it led to. */
const answering = (code: string) => `
const { parentPort, workerData } = require('node:worker_threads')
${code}
parentPort.on('message', ({ id, question }) => {
  try {
    parentPort.postMessage({ id, result: answer(question) })
  } catch (error) {
    parentPort.postMessage({ id, error: { message: String(error && error.message), code: error && error.code } })
  }
})`

/**
 * Starts a thread. `code` is plain CommonJS text, because tests run the sources, which a thread cannot load; it defines
 * `answer(question)` and sees `workerData`.
 * @param onEnd is called when the thread fails outside of an answer, before what was asked until then is rejected.
 */
export function startThread<Question, Result>(
  code: string,
  workerData: object,
  onEnd: (error: unknown) => void,
): AnsweringThread<Question, Result> {
  const worker = new Worker(answering(code), { eval: true, workerData, execArgv: [] })
  const open = new Map<number, Waiting<Result>>()
  let asked = 0
  worker.on('message', ({ id, result, error }: Answer<Result>) => {
    const waiting = open.get(id)
    open.delete(id)
    if (open.size === 0) worker.unref()
    if (error) waiting?.reject(Object.assign(new Error(error.message), { code: error.code }))
    else waiting?.resolve(result as Result)
  })
  worker.on('error', (error) => {
    onEnd(error)
    for (const { reject } of open.values()) reject(error)
    open.clear()
  })
  worker.unref()
  return {
    ask: (question) => {
      const id = ++asked
      return new Promise((resolve, reject) => {
        if (open.size === 0) worker.ref()
        open.set(id, { resolve, reject })
        worker.postMessage({ id, question })
      })
    },
  }
}
