/** The OpenAPI document as plain JSON. */
export interface OpenApiDocument {
  openapi: string
  info: { version: string; description: string }
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, OpenApiSchema>; examples?: Record<string, { value: unknown }> }
}

/** The parts of JSON Schema that this project reads. */
export interface OpenApiSchema {
  $ref?: string
  type?: string
  format?: string
  description?: string
  enum?: unknown[]
  minimum?: number
  maximum?: number
  maxItems?: number
  default?: unknown
  examples?: unknown[]
  properties?: Record<string, OpenApiSchema>
  required?: string[]
}

type OpenApiContent = Record<string, { schema: OpenApiSchema; examples?: Record<string, { $ref: string }> }>

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
    schema: OpenApiSchema
  }[]
  requestBody?: { required?: boolean; content: OpenApiContent }
  /** Empty where no key is required. */
  security?: Record<string, string[]>[]
  responses: Record<string, OpenApiResponse>
}
