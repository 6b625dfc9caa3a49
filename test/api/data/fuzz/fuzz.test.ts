import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import type { OpenApiDocument } from '../../../../api/data/rest/openapi-types.ts'
import { archiveCall } from '../../../../jobs/calls/archive.ts'
import { implementCall } from '../../../../jobs/calls/define-call.ts'
import { EXHAUSTIVE, repetitions } from '../../../exhaustive.ts'
import { inProcessClient } from '../../../jobs/calls/in-process-client.ts'
import { type Harness, openHarness, shareHarness } from '../../harness.ts'
import { answerChecker, belongsTo } from './faults.ts'
import { type Operation, operationsOf } from './operations.ts'
import { requestsOf } from './requests.ts'
import { type Exchange, type Send, sender } from './send.ts'

/** Another seed or more requests: FUZZ_SEED=7 FUZZ_RUNS=2000 npx vitest run test/api/data/fuzz */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
const harness = shareHarness()
const RUNS = Number(process.env.FUZZ_RUNS ?? repetitions(6, 320))
const RUNS_AT_LIMITS = repetitions(40, 60)

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
  // So that X-Forwarded-For is read at all.
  HOLDSHORT_TRUSTED_PROXIES: '127.0.0.1',
}

const documentOf = async ({ call }: Harness) => (await call(null, '/openapi.json')).json<OpenApiDocument>()

/** Checks an operation's answers against the document; a failure names the seed and the smallest failing request. */
function fuzz(operation: Operation, send: Send, faultsOf: (exchange: Exchange) => string[], runs: number) {
  const property = fc.asyncProperty(requestsOf(operation), async (request) => {
    expect(faultsOf(await send(request))).toEqual([])
  })
  return fc.assert(property, { seed: SEED, numRuns: runs })
}

/** Sends and counts the statuses of an operation; 405 belongs to the methods that the path does not have. */
function countStatuses(send: Send, operation: Operation, counts: Map<string, number>): Send {
  return async (request) => {
    const exchange = await send(request)
    const { statusCode } = exchange.answer
    const place = statusCode === 405 || belongsTo(operation, exchange) ? `${operation.id} ${statusCode}` : 'elsewhere'
    counts.set(place, (counts.get(place) ?? 0) + 1)
    return exchange
  }
}

test('every answer to any request matches the document, and every documented answer occurs', async () => {
  const harness = await openHarness(NO_REGISTRATION_LIMIT, { pipelineClient })
  const document = await documentOf(harness)
  const send = await sender(harness)
  const faultsOf = answerChecker(document)
  const counts = new Map<string, number>()
  for (const operation of operationsOf(document))
    await fuzz(operation, countStatuses(send, operation, counts), faultsOf, RUNS)

  const sent = [...counts.values()].reduce((sum, count) => sum + count, 0)
  expect(sent).toBeGreaterThan(repetitions(100, 3_000))
  // The few requests of an everyday run do not cause the rarest answers.
  if (!EXHAUSTIVE) return
  // Limits, internal errors and an unavailable database or Redis have tests of their own.
  const elsewhere = ([status, { description }]: [string, { description: string }]) =>
    ['429', '500'].includes(status) || /^`(GATE_UNAVAILABLE|STATE_UNREACHABLE)`/.test(description)
  for (const { id, responses, withKey, body } of operationsOf(document))
    for (const [status] of Object.entries(responses).filter((response) => !elsewhere(response))) {
      // Public documents answer 400 only to requests that are not valid HTTP; see malformed-http.test.ts.
      if (status === '400' && !withKey && !body) continue
      expect(counts.get(`${id} ${status}`) ?? 0, `${id} ${status}`).toBeGreaterThan(0)
    }
}, 240_000)

test('the same at the limits: many requests at one instant', async () => {
  const harness = await openHarness()
  const document = await documentOf(harness)
  const send = await sender(harness, 0)
  const faultsOf = answerChecker(document)
  const counts = new Map<string, number>()
  const limited = operationsOf(document).filter(({ responses }) => '429' in responses)
  for (const operation of limited.slice(0, repetitions(2, limited.length))) {
    harness.controls.now += 61_000
    const free = countStatuses(send, operation, counts)
    const sendFree: Send = (request) => {
      const { authorization: _, ...headers } = request.headers
      return free({ ...request, headers: { ...headers, 'x-api-key': '{free}' } })
    }
    await fuzz(operation, sendFree, faultsOf, RUNS_AT_LIMITS)
    expect(counts.get(`${operation.id} 429`) ?? 0, operation.id).toBeGreaterThan(0)
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

/** Answers with one defect each. */
const DEFECTS: [string, (answer: Answer, exchange: Exchange) => Answer][] = [
  ['an undocumented status', (answer) => (answer.statusCode === 200 ? { ...answer, statusCode: 418 } : answer)],
  ['an internal error', (answer) => (answer.statusCode === 404 ? { ...answer, statusCode: 500 } : answer)],
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

test.each(DEFECTS.slice(0, repetitions(4, DEFECTS.length)))(
  'the fuzzer finds %s, and names the seed and the request',
  async (_, defect) => {
    const document = await documentOf(harness)
    const send = await sender(harness)
    const faultsOf = answerChecker(document)
    const getDelays = operationsOf(document).find(({ id }) => id === 'getDelays')!
    const broken: Send = async (request) => {
      const exchange = await send(request)
      return { ...exchange, answer: defect(exchange.answer, exchange) }
    }
    const failed = await fuzz(getDelays, broken, faultsOf, RUNS).then(
      () => '',
      (error: Error) => error.message,
    )
    expect(failed).toContain(`seed: ${SEED}`)
    expect(failed).toMatch(/Counterexample: .*"url":"\/api\/v1\/airports\/[^"]*\/delays/)
  },
)

test('the fuzzer finds an accepted request that the document does not allow', async () => {
  const document = await documentOf(harness)
  const narrower = structuredClone(document)
  const limit = operationsOf(narrower)
    .find(({ id }) => id === 'listAirports')!
    .parameters.find(({ name }) => name === 'limit')!
  limit.schema.maximum = 10
  const send = await sender(harness)
  const faultsOf = answerChecker(narrower)
  const listAirports = operationsOf(document).find(({ id }) => id === 'listAirports')!
  await expect(fuzz(listAirports, send, faultsOf, RUNS)).rejects.toThrow(/Counterexample: .*limit=11/)
})
