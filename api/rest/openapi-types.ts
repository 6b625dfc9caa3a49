/** The OpenAPI document as plain JSON. */
export interface OpenApiDocument {
  openapi: string
  info: { version: string; description: string }
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, JsonSchema>; examples?: Record<string, { value: unknown }> }
}

/** The parts of JSON Schema that the OpenAPI document and the tools use. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  description?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  default?: unknown
  examples?: unknown[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
}

type OpenApiContent = Record<string, { schema: JsonSchema; examples?: Record<string, { $ref: string }> }>

export interface OpenApiResponse {
  description: string
  content?: OpenApiContent
  headers?: unknown
}

export interface OpenApiOperation {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  parameters?: {
    name: string
    in: string
    required?: boolean
    description?: string
    example?: string
    schema: JsonSchema
  }[]
  requestBody?: { required?: boolean; content: OpenApiContent }
  /** Empty if no key is required. */
  security?: Record<string, string[]>[]
  responses: Record<string, OpenApiResponse>
}
