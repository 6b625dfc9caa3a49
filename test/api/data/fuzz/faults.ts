import { tmpdir } from 'node:os'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { LightMyRequestResponse } from 'fastify'
import { REPRODUCE } from '../../../../api/data/accuracy/get-accuracy.ts'
import type { OpenApiDocument } from '../../../../api/data/rest/openapi-types.ts'
import { WIRE_CODES } from '../../../../api/data/rest/problem.ts'
import { ERROR_CODES, type ErrorCode } from '../../../../config/errors.ts'
import { openApiChecker } from '../../openapi-checker.ts'
import { type Operation, operationsOf } from './operations.ts'
import type { Exchange } from './send.ts'

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
export function answerChecker(document: OpenApiDocument): (exchange: Exchange) => string[] {
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
export function belongsTo({ path, method }: Operation, exchange: Exchange): boolean {
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
