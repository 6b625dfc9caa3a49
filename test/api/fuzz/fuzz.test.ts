import { tmpdir } from 'node:os'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { REPRODUCE } from '../../../answers/accuracy/get-accuracy.ts'
import type { OpenApiDocument } from '../../../api/rest/openapi-types.ts'
import { WIRE_CODES } from '../../../api/rest/problem.ts'
import { ERROR_CODES, type ErrorCode } from '../../../config/errors.ts'
import { EXHAUSTIVE, repetitions } from '../../exhaustive.ts'
import { type Harness, openHarness, shareHarness } from '../harness.ts'
import { openApiChecker } from '../openapi-checker.ts'
import { type Operation, operationsOf } from './operations.ts'
import { requestsOf } from './requests.ts'
import { type Exchange, type Send, sender } from './send.ts'

/** What an answer must not contain: places in our code or on our disk, and our SQL. */
const INTERNALS = [
  /\bat (?:async )?[\w.<>]+ \(/,
  /\bat (?:async )?(?:file|node):/,
  /node_modules|node:internal/,
  /\/?(?:api|config|warehouse|pipeline|jobs|training)\/[\w/-]+\.[tj]s\b/,
  /SELECT |select "|insert into|update "|delete from|SQLITE_/,
  new RegExp(`${escaped(process.cwd())}|${escaped(tmpdir())}/`),
]

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Headers that may differ between GET and HEAD: each request has its own id and counts towards the limit. */
const PER_REQUEST_HEADERS = /^(?:x-request-id|date|connection|ratelimit|x-ratelimit-.*)$/

/** Returns a function that lists what is wrong with an answer according to the document; empty when nothing is. */
function answerChecker(document: OpenApiDocument): (exchange: Exchange) => string[] {
  const check = openApiChecker(document)
  const operations = operationsOf(document)
  const faultsOfAccepted = acceptedRequestChecker()
  return (encoded) => {
    const exchange = { ...encoded, answer: decompressed(encoded.answer) }
    const { method, url, answer } = exchange
    const faults: string[] = []
    if (!isUnmetExpectation(exchange))
      try {
        check(method, url, answer)
      } catch (error) {
        faults.push((error as Error).message)
      }
    const operation = operations.find((candidate) => belongsTo(candidate, exchange))
    faults.push(...faultsOfAnswer(exchange), ...faultsOfHead(encoded), ...faultsOfCondition(exchange))
    if (operation) faults.push(...missingHeaders(exchange, operation), ...faultsOfAccepted(exchange, operation))
    return faults
  }
}

/** Whether a request was refused for its `Expect`, as HTTP wants: before its path and method, which may not exist, are looked at. */
const isUnmetExpectation = ({ headers, answer, method }: Exchange) =>
  headers.expect !== undefined &&
  answer.statusCode === 400 &&
  (method === 'HEAD' || answer.json().errors?.[0]?.parameter === 'Expect')

/** An answer with its body decompressed. */
function decompressed(answer: LightMyRequestResponse): LightMyRequestResponse {
  const { 'content-encoding': coding, ...headers } = answer.headers
  if (coding === undefined || answer.rawPayload.length === 0) return answer
  const body = (coding === 'br' ? brotliDecompressSync : gunzipSync)(answer.rawPayload).toString()
  return { ...answer, headers, body, json: () => JSON.parse(body) }
}

/** Whether an exchange belongs to an operation; HEAD belongs to the operation of GET. `bulk` is no airport. */
function belongsTo({ path, method }: Operation, exchange: Exchange): boolean {
  const requested = exchange.method === 'HEAD' ? 'GET' : exchange.method
  return (
    requested === method &&
    new RegExp(`^${path.replace(/\{\w+\}/g, '(?!bulk$)[^/]*')}$`).test(exchange.url.split('?')[0]!)
  )
}

function faultsOfAnswer({ method, url, headers, payload, answer }: Exchange): string[] {
  const faults: string[] = []
  const { statusCode, body } = answer
  if (statusCode === 500) faults.push('an internal error')
  if (!answer.headers['x-request-id']) faults.push('no X-Request-Id')
  // The command that makes the record again is told on purpose.
  const received = `${body}\n${JSON.stringify(answer.headers)}`.replaceAll('\\"', '"').replaceAll(REPRODUCE, '')
  const sent = [url, decoded(url), decoded(url.replaceAll('+', ' ')), String(payload), JSON.stringify(headers)].join(
    '\n',
  )
  for (const pattern of INTERNALS) {
    const [found] = pattern.exec(received) ?? []
    if (found !== undefined && !sent.includes(found)) faults.push(`contains internals: ${found}`)
  }
  if (statusCode < 400 || method === 'HEAD') return faults
  if (!String(answer.headers['content-type']).startsWith('application/problem+json'))
    return [...faults, `an error of type ${answer.headers['content-type']}`]
  const problem = answer.json()
  const { code } = problem
  if (!WIRE_CODES.includes(code) || problem.error !== code) faults.push(`unknown code ${code}, error ${problem.error}`)
  else if (ERROR_CODES[code as ErrorCode].status !== statusCode) faults.push(`${code} with status ${statusCode}`)
  if (problem.status !== statusCode) faults.push(`status ${problem.status} in the body of a ${statusCode}`)
  if (problem.request_id !== answer.headers['x-request-id']) faults.push('another request_id than X-Request-Id')
  return faults
}

function faultsOfHead({ method, answer, plain }: Exchange): string[] {
  if (method !== 'HEAD') return []
  if (answer.body !== '') return ['HEAD with a body']
  if (!plain || [404, 405].includes(plain.statusCode) || [plain, answer].some(({ statusCode }) => statusCode === 429))
    return []
  if (plain.statusCode !== answer.statusCode) return [`HEAD ${answer.statusCode}, GET ${plain.statusCode}`]
  const names = new Set([...Object.keys(plain.headers), ...Object.keys(answer.headers)])
  return [...names]
    .filter((name) =>
      PER_REQUEST_HEADERS.test(name) ? !(name in answer.headers) : answer.headers[name] !== plain.headers[name],
    )
    .map((name) => `HEAD has ${name}: ${answer.headers[name]}, GET ${plain.headers[name]}`)
}

/** 304 if and only if the caller has the current answer. */
function faultsOfCondition({ method, headers, answer, plain }: Exchange): string[] {
  const condition = headers['if-none-match']
  const { statusCode, body } = answer
  const tag = String(answer.headers.etag).replace('W/', '')
  const listed = condition?.split(',').map((part) => part.trim().replace('W/', '')) ?? []
  const matches = condition?.trim() === '*' || listed.includes(tag)
  if (statusCode === 304 && !matches) return [`304 for ${condition}, though the tag is ${answer.headers.etag}`]
  if (statusCode === 304 && body !== '') return ['304 with a body']
  if (statusCode === 200 && answer.headers.etag && matches && (method === 'GET' || method === 'HEAD') && plain)
    return ['200 though it matches']
  return []
}

/** Parts of a request that are judged before its path and key. */
const EARLY_PARAMETER = /"parameter":"(path|Host|Expect|Transfer-Encoding)"/

/** Headers that the document describes for the status and the answer lacks. */
function missingHeaders(
  { method, answer, plain, authenticated }: Exchange,
  { withKey, responses }: Operation,
): string[] {
  // Requests that are rejected as HTTP, or by the router itself, do not reach the gate.
  const rejectedEarly =
    answer.statusCode === 400 && EARLY_PARAMETER.test((method === 'HEAD' ? plain : answer)?.body ?? '')
  if (rejectedEarly) return []
  const promised = Object.keys((responses[answer.statusCode]?.headers ?? {}) as object).map((name) =>
    name.toLowerCase(),
  )
  const limited = withKey && authenticated && answer.statusCode !== 401
  if (limited) promised.push('ratelimit', 'ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining')
  return promised.filter((name) => !(name in answer.headers)).map((name) => `no ${name} on a ${answer.statusCode}`)
}

/** Checks that a request answered with 2xx is as the document describes: known parameters, each once, of its type; a body of its schema. */
function acceptedRequestChecker() {
  const ajv = new Ajv2020({ strict: false, formats: { date: true, 'date-time': true, email: true } })
  return ({ url, payload, answer }: Exchange, { parameters, body, withKey }: Operation): string[] => {
    // Public documents ignore a query string, which links from elsewhere may carry.
    if (answer.statusCode >= 300 || (!withKey && !body)) return []
    const pairs = [...new URLSearchParams(url.split('?')[1] ?? '')]
    const faults = pairs.flatMap(([name, text]) => {
      const schema = parameters.find((parameter) => parameter.name === name && parameter.in === 'query')?.schema
      if (!schema) return [`${answer.statusCode} to the unknown parameter ${name}`]
      if (pairs.filter(([other]) => other === name).length > 1) return [`${answer.statusCode} to ${name} given twice`]
      // A leading zero is allowed.
      const isNumeric = schema.anyOf !== undefined || ['integer', 'number', 'boolean'].includes(schema.type ?? '')
      const value = isNumeric ? readJson(text.replace(/^0+(?=\d)/, '')) : text
      return ajv.validate(schema, value) ? [] : [`${answer.statusCode} to ${name}=${text}`]
    })
    const empty = payload === null || String(payload) === ''
    if (body && !empty && !ajv.validate(body, readJson(String(payload).replace('\ufeff', ''))))
      faults.push(`${answer.statusCode} to this body`)
    return faults
  }
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Another seed or more requests: FUZZ_SEED=7 FUZZ_RUNS=2000 npx vitest run test/api/fuzz */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
const harness = shareHarness()
const RUNS = Number(process.env.FUZZ_RUNS ?? repetitions(6, 320))
const RUNS_AT_LIMITS = repetitions(40, 60)

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
  const harness = await openHarness(NO_REGISTRATION_LIMIT)
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
