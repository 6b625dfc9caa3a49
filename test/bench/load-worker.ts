import { parentPort, workerData } from 'node:worker_threads'
import { openConnection, requestsOf } from './http-connection.ts'
import type { LoadOptions, LoadReport } from './load.ts'

const CONNECTIONS = 32

const { url, options } = workerData as { url: string; options: LoadOptions }
const { seconds, amount = Number.POSITIVE_INFINITY } = options
const requests = requestsOf(url, options)

let begin = 0
let sent = 0
let answers = 0
const isOver = () =>
  sent >= amount || (amount === Number.POSITIVE_INFINITY && performance.now() - begin >= seconds * 1_000)
const nextRequest = () => requests[sent++ % requests.length] as Buffer

const problem = await new Promise<string | null>((resolve) => {
  let open = Math.min(CONNECTIONS, amount)
  const opening = Array.from({ length: open }, () =>
    openConnection(
      url,
      (connection) => {
        answers += 1
        if (!isOver()) return connection.send(nextRequest())
        connection.close()
        open -= 1
        if (open === 0) resolve(null)
      },
      resolve,
    ),
  )
  void Promise.all(opening).then((connections) => {
    begin = performance.now()
    for (const connection of connections) connection.send(nextRequest())
  })
})
const report: LoadReport = { answers, elapsed_seconds: (performance.now() - begin) / 1_000, problem }
parentPort?.postMessage(report)
