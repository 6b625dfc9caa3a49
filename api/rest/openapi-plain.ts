import type { JsonSchema, OpenApiDocument } from './openapi-types.ts'

/**
 * Makes the schemas of a document such that generated clients compile and read every answer: no two statements of one thing, one type
 * each beside null, no constant of an unusual type, no default of a union. What a generator of Python, Java or Go makes of the other
 * forms is tried by `test/client/generated.test.ts` (OpenAPI Generator, oapi-codegen, ogen).
 */
export function makePlain(document: OpenApiDocument): void {
  for (const operations of Object.values(document.paths))
    for (const { parameters = [] } of Object.values(operations))
      for (const parameter of parameters) {
        // A query string is text: a value of several types is one.
        if (isOfSeveralTypes(parameter.schema)) parameter.schema = { type: 'string' }
        const { example } = parameter
        if (example !== undefined && parameter.schema.type === 'string') parameter.example = String(example)
      }
  makePlainBelow(document)
}

function makePlainBelow(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  for (const [key, inner] of Object.entries(part)) {
    if (key === 'example' || key === 'examples' || key === 'default' || key === 'enum') continue
    makePlainBelow(inner)
  }
  if (!Array.isArray(part)) makeSchemaPlain(part as JsonSchema & { pattern?: unknown })
}

const typesOf = ({ type, anyOf }: JsonSchema): string[] =>
  anyOf ? anyOf.flatMap(typesOf) : [type ?? []].flat().filter((name) => name !== 'null')

const isOfSeveralTypes = (schema: JsonSchema) => new Set(typesOf(schema)).size > 1

function makeSchemaPlain(schema: JsonSchema & { pattern?: unknown }): void {
  // A client parses the text by its format and then checks the pattern on what it parsed.
  if (typeof schema.format === 'string') delete schema.pattern
  if (Array.isArray(schema.type) && isOfSeveralTypes(schema)) delete schema.type
  if (typeof schema.const === 'boolean') {
    schema.description = [schema.description, `Always ${schema.const}.`].filter(Boolean).join(' ')
    delete schema.const
  }
  if (typeof schema.const === 'string' && schema.type === 'string') {
    schema.enum = [schema.const]
    delete schema.const
  }
  const values = schema.anyOf?.flatMap(({ enum: own }) => own ?? [])
  if (schema.anyOf && values?.length === schema.anyOf.length && values.every(Number.isInteger)) {
    delete schema.anyOf
    Object.assign(schema, { type: 'integer', enum: values })
  }
  // Java takes the cases of a number for decimals that it cannot write.
  if (schema.type === 'number' && schema.enum?.every(Number.isInteger)) schema.type = 'integer'
  if (schema.anyOf && 'default' in schema) delete schema.default
}
