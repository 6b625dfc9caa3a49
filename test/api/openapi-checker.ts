import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { OpenApiDocument } from '../../api/rest/openapi-types.ts'
import { getOrCreate } from '../../config/once.ts'

/** Paths that are not part of the REST API, so the document does not describe them. */
const NOT_REST = /^\/($|mcp$|metrics$|favicon\.svg$|robots\.txt$|openapi\.json$|server\.json$|docs\/|\.well-known\/)/

type Checker = (method: string, url: string, answer: LightMyRequestResponse) => void

/** Checkers by what their documents describe: compiling the schemas of one takes longer than most tests. */
const checkers = new Map<string, Checker>()

/** Returns a check that an answer's status, media type, body and headers are described in the OpenAPI document. */
export function openApiChecker(document: OpenApiDocument): Checker {
  const described = JSON.stringify([document.paths, document.components])
  const checker = getOrCreate(checkers, described, () => newChecker(document))
  return checker
}

function newChecker(document: OpenApiDocument): Checker {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void
  addFormats(ajv)
  ajv.addSchema({ $id: 'https://openapi.test/', ...document })
  const compiled = new Map<string, ValidateFunction>()

  return (method, url, answer) => {
    const type = String(answer.headers['content-type']).split(';')[0]!
    const address = url.split('?')[0]!
    // The document describes one body per address: CSV at its own one, /status as JSON.
    const path = type === 'text/csv' && !address.endsWith('.csv') ? `${address}.csv` : address
    if (path === '/status' && type === 'text/html') return
    const place = Object.keys(document.paths).find((template) => templatePattern(template).test(path))
    if (!place && NOT_REST.test(path)) return
    if (!place) {
      const outcome = answer.body === '' ? answer.statusCode : answer.json().code
      return void expect([404, 'NOT_FOUND'], `${path} is not described`).toContain(outcome)
    }
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operation = document.paths[place]![verb]
    // A path that cannot be decoded is rejected before its method is checked.
    const expected = isDecodable(path) ? [405, 204] : [400]
    if (!operation) return void expect(expected, `${method} ${path} is not described`).toContain(answer.statusCode)
    const response = operation.responses[answer.statusCode]
    expect(response, `${method} ${path}: ${answer.statusCode} is not described: ${answer.body}`).toBeDefined()
    if (answer.body === '' || method === 'HEAD') return
    expect(Object.keys(response!.content ?? {}), `${method} ${path} ${answer.statusCode}`).toContain(type)
    if (!type.endsWith('json') || answer.headers['content-encoding']) return
    const pointer = ['paths', place, verb, 'responses', String(answer.statusCode), 'content', type, 'schema']
    const reference = `https://openapi.test/#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
    const validate = getOrCreate(compiled, reference, () => ajv.compile({ $ref: reference }))
    const valid = validate(answer.json())
    expect(
      valid ? [] : validate.errors,
      `${method} ${path} ${answer.statusCode}: ${answer.body.slice(0, 500)}`,
    ).toEqual([])
  }
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

const templatePattern = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]*')}$`)
