import type { JsonSchema } from '../../api/rest/openapi-types.ts'
import { InlineMarkdown } from './markdown.tsx'

export type Schemas = Record<string, JsonSchema>

const nameOfRef = (ref: string) => ref.split('/').at(-1) ?? ''

/** The schema that a reference names, with the description that stands beside the reference. */
function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  if (schema.$ref === undefined) return schema
  const found = schemas[nameOfRef(schema.$ref)] ?? {}
  return schema.description === undefined ? found : { ...found, description: schema.description }
}

const isNull = ({ type }: JsonSchema) => type === 'null'
const variantsOf = ({ anyOf, oneOf }: JsonSchema) => anyOf ?? oneOf ?? []
/** Integers of zod are bounded by what JavaScript can count; that is no bound for a reader. */
const isBound = (value: number | undefined) => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER

/** The accepted values of a schema in a few words: `integer 1–7 or null`. */
export function valuesText(given: JsonSchema, schemas: Schemas): string {
  const schema = resolved(given, schemas)
  const variants = variantsOf(schema)
  if (variants.length > 0) return [...new Set(variants.map((one) => valuesText(one, schemas)))].join(' or ')
  const { type, enum: choices, format, minimum, maximum, items, minItems, maxItems, maxLength } = schema
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (choices) return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  if (type === 'array') {
    const count = maxItems === undefined ? '' : `, ${minItems ?? 0} to ${maxItems}`
    return `list of ${items ? valuesText(items, schemas) : 'values'}${count}`
  }
  const kind = [type].flat().filter(Boolean).join(' or ') || 'value'
  const low = isBound(minimum) ? minimum : undefined
  const high = isBound(maximum) ? maximum : undefined
  const bounds = low === undefined && high === undefined ? '' : ` ${low ?? ''}–${high ?? ''}`
  const length = maxLength === undefined ? '' : `, at most ${maxLength} characters`
  return `${format === undefined ? kind : `${kind} (${format})`}${bounds}${length}`
}

/** The object that a schema is made of, through lists and what may be null; null where it has no fields. */
function objectIn(given: JsonSchema | undefined, schemas: Schemas): JsonSchema | null {
  if (!given) return null
  const schema = resolved(given, schemas)
  if (schema.properties) return schema
  if (schema.items) return objectIn(schema.items, schemas)
  if (typeof schema.additionalProperties === 'object') return objectIn(schema.additionalProperties, schemas)
  for (const variant of variantsOf(schema).filter((one) => !isNull(one))) {
    const object = objectIn(variant, schemas)
    if (object) return object
  }
  return null
}

const MAX_DEPTH = 6

interface FieldsProps {
  schema: JsonSchema
  schemas: Schemas
  depth?: number
}

/** The fields of an object, one below the other; the fields within them are folded. */
export function Fields({ schema, schemas, depth = 0 }: FieldsProps) {
  const object = objectIn(schema, schemas)
  if (!object || depth > MAX_DEPTH) return null
  const { properties = {}, required = [] } = object
  return (
    <ul class="fields">
      {Object.entries(properties).map(([name, field]) => (
        <Field name={name} schema={field} isRequired={required.includes(name)} schemas={schemas} depth={depth} />
      ))}
    </ul>
  )
}

interface FieldProps extends FieldsProps {
  name: string
  isRequired: boolean
  depth: number
}

function Field({ name, schema, isRequired, schemas, depth }: FieldProps) {
  const { description, default: fallback } = resolved(schema, schemas)
  const inner = objectIn(schema, schemas)
  const count = Object.keys(inner?.properties ?? {}).length
  return (
    <li>
      <code class="field">{name}</code> <span class="type">{valuesText(schema, schemas)}</span>
      {!isRequired && <span class="type">, optional</span>}
      {fallback !== undefined && <span class="type">, default {JSON.stringify(fallback)}</span>}
      {description !== undefined && (
        <p>
          <InlineMarkdown text={description} />
        </p>
      )}
      {inner && count > 0 && depth < MAX_DEPTH && (
        <details>
          <summary>
            {count} {count === 1 ? 'field' : 'fields'} of <code>{name}</code>
          </summary>
          <Fields schema={schema} schemas={schemas} depth={depth + 1} />
        </details>
      )}
    </li>
  )
}

/** The names of all fields of a schema, for the search. */
export function fieldNames(schema: JsonSchema | undefined, schemas: Schemas, depth = 0): string[] {
  const { properties = {} } = objectIn(schema, schemas) ?? {}
  if (depth > 3) return []
  return Object.entries(properties).flatMap(([name, field]) => [name, ...fieldNames(field, schemas, depth + 1)])
}
