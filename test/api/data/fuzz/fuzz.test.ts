import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import type { OpenApiDocument } from '../../../../api/data/rest/openapi-types.ts'
import { archiveCall } from '../../../../jobs/calls/archive.ts'
import { implementCall } from '../../../../jobs/calls/define-call.ts'
import { EXHAUSTIVE, repetitions } from '../../../exhaustive.ts'
import { inProcessClient } from '../../../jobs/calls/in-process-client.ts'
import { type Harness, openHarness } from '../../harness.ts'
import { faultFinder, isOf } from './faults.ts'
import { type Operation, operationsOf } from './operations.ts'
import { requestsOf } from './requests.ts'
import { type Exchange, type Send, sender } from './send.ts'

/** Another seed or more requests: FUZZ_SEED=7 FUZZ_RUNS=2000 npx vitest run test/api/fuzz */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
const RUNS = Number(process.env.FUZZ_RUNS ?? repetitions(80, 320))
const FEWER = 60

/** A pipeline whose archive is empty. */
const pipelineClient = inProcessClient(
  implementCall(archiveCall, async ({ subject }) =>
    subject === 'history'
      ? { subject, series: [], withheld_hours: 0 }
      : { subject, vintage: null, oldest_issued_at: null },
  ),
)

const NO_REGISTRATION_LIMIT = {
  HOLDSHORT_REGISTRATIONS_PER_MINUTE: '1000000',
  HOLDSHORT_REGISTRATIONS_PER_DAY: '1000000',
  // So that what X-Forwarded-For says is read at all.
  HOLDSHORT_TRUSTED_PROXIES: '127.0.0.1',
}

const documentOf = async ({ call }: Harness) => (await call(null, '/openapi.json')).json<OpenApiDocument>()

/** Holds an operation's answers to the document; a failure names the seed and the least request that shows it. */
function fuzz(operation: Operation, send: Send, faultsOf: (exchange: Exchange) => string[], runs: number) {
  const property = fc.asyncProperty(requestsOf(operation), async (request) => {
    expect(faultsOf(await send(request))).toEqual([])
  })
  return fc.assert(property, { seed: SEED, numRuns: runs })
}

/** Sends as `send` does and counts the statuses of an operation's address; 405 belongs to the methods it has not. */
function counted(send: Send, operation: Operation, met: Map<string, number>): Send {
  return async (request) => {
    const exchange = await send(request)
    const { statusCode } = exchange.answer
    const place = statusCode === 405 || isOf(operation, exchange) ? `${operation.id} ${statusCode}` : 'elsewhere'
    met.set(place, (met.get(place) ?? 0) + 1)
    return exchange
  }
}

test('whatever is sent, every answer is as the document has it, and every answer it has can be met', async () => {
  const harness = await openHarness(NO_REGISTRATION_LIMIT, { pipelineClient })
  const document = await documentOf(harness)
  const [send, faultsOf] = [await sender(harness), faultFinder(document)]
  const met = new Map<string, number>()
  for (const operation of operationsOf(document)) await fuzz(operation, counted(send, operation, met), faultsOf, RUNS)

  const sent = [...met.values()].reduce((sum, count) => sum + count, 0)
  expect(sent).toBeGreaterThan(repetitions(700, 3_000))
  // So few requests as everyday runs send do not meet the rarest answers.
  if (!EXHAUSTIVE) return
  // Limits, faults of ours and a database or a Redis that is away are met elsewhere.
  const elsewhere = ([status, { description }]: [string, { description: string }]) =>
    ['429', '500'].includes(status) || /^`(GATE_UNAVAILABLE|STATE_UNREACHABLE)`/.test(description)
  for (const { id, responses } of operationsOf(document))
    for (const [status] of Object.entries(responses).filter((response) => !elsewhere(response)))
      expect(met.get(`${id} ${status}`) ?? 0, `${id} ${status}`).toBeGreaterThan(0)
}, 60_000)

test('the same where limits are met: many requests in one instant', async () => {
  const harness = await openHarness()
  const document = await documentOf(harness)
  const [send, faultsOf] = [await sender(harness, 0), faultFinder(document)]
  const met = new Map<string, number>()
  for (const operation of operationsOf(document).filter(({ responses }) => '429' in responses)) {
    harness.controls.now += 61_000
    const free = counted(send, operation, met)
    const sendFree: Send = (request) => {
      const { authorization: _, ...headers } = request.headers
      return free({ ...request, headers: { ...headers, 'x-api-key': '{free}' } })
    }
    await fuzz(operation, sendFree, faultsOf, FEWER)
    expect(met.get(`${operation.id} 429`) ?? 0, operation.id).toBeGreaterThan(0)
  }
})

type Answer = LightMyRequestResponse
const withHeader = (answer: Answer, name: string, value: string): Answer => ({
  ...answer,
  headers: { ...answer.headers, [name]: value },
})
const withJson = (answer: Answer, change: object): Answer => {
  const changed = { ...answer.json(), ...change }
  return { ...answer, body: JSON.stringify(changed), json: () => changed }
}
const isProblem = ({ statusCode, body }: Answer) => statusCode >= 400 && body !== ''

/** What a handler might get wrong, one thing each. */
const WRONG: [string, (answer: Answer, exchange: Exchange) => Answer][] = [
  ['an undocumented status', (answer) => (answer.statusCode === 200 ? { ...answer, statusCode: 418 } : answer)],
  ['a fault of its own', (answer) => (answer.statusCode === 404 ? { ...answer, statusCode: 500 } : answer)],
  [
    'an undocumented field',
    (answer) => (answer.statusCode === 200 && answer.body.startsWith('{') ? withJson(answer, { extra: 1 }) : answer),
  ],
  ['another media type', (answer) => withHeader(answer, 'content-type', 'text/plain')],
  [
    'an error that is not its code',
    (answer) => (isProblem(answer) ? withJson(answer, { error: 'NOT_FOUND_' }) : answer),
  ],
  ['another request_id', (answer) => (isProblem(answer) ? withJson(answer, { request_id: 'x' }) : answer)],
  ['SQL', (answer) => (isProblem(answer) ? withJson(answer, { detail: 'select "id" from "keys"' }) : answer)],
  ['a path', (answer) => withHeader(answer, 'x-powered-by', `${process.cwd()}/api`)],
  ['a stack', (answer) => withHeader(answer, 'x-fault', 'at buildApp (app.ts)')],
  [
    'no rate headers',
    (answer) => {
      const { ratelimit: _, ...headers } = answer.headers
      return { ...answer, headers }
    },
  ],
  ['304 to everyone', (answer) => (answer.statusCode === 200 ? { ...answer, statusCode: 304, body: '' } : answer)],
  ['never 304', (answer) => (answer.statusCode === 304 ? { ...answer, statusCode: 200 } : answer)],
  ['HEAD with a body', (answer, { method }) => (method === 'HEAD' ? { ...answer, body: 'x' } : answer)],
  [
    'HEAD with a tag of its own',
    (answer, { method }) => (method === 'HEAD' ? withHeader(answer, 'etag', '"h"') : answer),
  ],
]

test.each(WRONG)('the fuzzer can fail: it finds %s, and says by which seed and request', async (_, wrong) => {
  const harness = await openHarness()
  const document = await documentOf(harness)
  const [send, faultsOf] = [await sender(harness), faultFinder(document)]
  const getDelays = operationsOf(document).find(({ id }) => id === 'getDelays')!
  const broken: Send = async (request) => {
    const exchange = await send(request)
    return { ...exchange, answer: wrong(exchange.answer, exchange) }
  }
  const failed = await fuzz(getDelays, broken, faultsOf, RUNS).then(
    () => '',
    (error: Error) => error.message,
  )
  expect(failed).toContain(`seed: ${SEED}`)
  expect(failed).toMatch(/Counterexample: .*"url":"\/api\/v1\/airports\/[^"]*\/delays/)
})

test('the fuzzer can fail: what is accepted beyond the document is found', async () => {
  const harness = await openHarness()
  const document = await documentOf(harness)
  const narrower = structuredClone(document)
  const limit = operationsOf(narrower)
    .find(({ id }) => id === 'listAirports')!
    .parameters.find(({ name }) => name === 'limit')!
  limit.schema.maximum = 10
  const [send, faultsOf] = [await sender(harness), faultFinder(narrower)]
  const listAirports = operationsOf(document).find(({ id }) => id === 'listAirports')!
  await expect(fuzz(listAirports, send, faultsOf, RUNS)).rejects.toThrow(/Counterexample: .*limit=11/)
})
