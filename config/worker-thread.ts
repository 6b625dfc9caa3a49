import { Worker } from 'node:worker_threads'

/** The response of a thread to one request. */
interface Response<Result> {
  id: number
  result?: Result
  error?: { message: string; code?: string }
}

interface Pending<Result> {
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** A thread that responds to requests. It keeps the process alive only while some are pending. */
export interface WorkerThread<Request, Result> {
  /** Sends a request. @throws the error of `respond`, with its message and code */
  call: (request: Request) => Promise<Result>
}

/** The code of a thread, with the listener that responds to each request with a result or an error. */
const withListener = (code: string) => `
const { parentPort, workerData } = require('node:worker_threads')
${code}
parentPort.on('message', ({ id, request }) => {
  try {
    parentPort.postMessage({ id, result: respond(request) })
  } catch (error) {
    parentPort.postMessage({ id, error: { message: String(error && error.message), code: error && error.code } })
  }
})`

/**
 * Starts a thread. `code` is plain CommonJS text, because tests run the sources, which a thread cannot load; it defines
 * `respond(request)` and sees `workerData`.
 * @param onEnd is called when the thread fails outside of `respond`, before the pending requests are rejected.
 */
export function startThread<Request, Result>(
  code: string,
  workerData: object,
  onEnd: (error: unknown) => void,
): WorkerThread<Request, Result> {
  const worker = new Worker(withListener(code), { eval: true, workerData, execArgv: [] })
  const pending = new Map<number, Pending<Result>>()
  let requests = 0
  worker.on('message', ({ id, result, error }: Response<Result>) => {
    const sender = pending.get(id)
    pending.delete(id)
    if (pending.size === 0) worker.unref()
    if (error) sender?.reject(Object.assign(new Error(error.message), { code: error.code }))
    else sender?.resolve(result as Result)
  })
  worker.on('error', (error) => {
    onEnd(error)
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  })
  worker.unref()
  return {
    call: (request) => {
      const id = ++requests
      return new Promise((resolve, reject) => {
        if (pending.size === 0) worker.ref()
        pending.set(id, { resolve, reject })
        worker.postMessage({ id, request })
      })
    },
  }
}
