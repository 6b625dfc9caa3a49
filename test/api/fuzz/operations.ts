import type { OpenApiDocument, OpenApiOperation } from '../../../api/rest/openapi-types.ts'

/** The part of JSON Schema that the document's requests use. */
export interface Schema {
  type?: string
  enum?: string[]
  anyOf?: Schema[]
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  examples?: unknown[]
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
  example?: unknown
}

/** One operation of the document: its parameters, body and responses. */
export interface Operation {
  id: string
  method: string
  /** As in the document: /api/v1/airports/{iata}/delays */
  path: string
  parameters: Parameter[]
  body: Schema | null
  withKey: boolean
  responses: OpenApiOperation['responses']
}

/** All operations of a document. */
export function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const body = described.requestBody as { content?: Record<string, { schema: Schema }> } | undefined
      return {
        id: described.operationId ?? `${method} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters: (described.parameters ?? []) as Parameter[],
        body: body?.content?.['application/json']?.schema ?? null,
        withKey: (described.security ?? []).length > 0,
        responses: described.responses,
      }
    }),
  )
}
