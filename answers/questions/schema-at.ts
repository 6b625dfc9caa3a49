import { z } from 'zod'

/** The schema of what lies at a path within an input; undefined where its schema names none. */
export function schemaAt(input: z.ZodType, path: readonly PropertyKey[]): unknown {
  let schema: unknown = input
  for (const key of path) {
    schema = withoutWrappers(schema)
    if (schema instanceof z.ZodArray) schema = schema.element
    else if (schema instanceof z.ZodObject) schema = schema.shape[String(key)]
  }
  return schema
}

/** A schema without what makes it optional, nullable or gives it a default. */
export function withoutWrappers(schema: unknown): unknown {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  return isWrapped ? withoutWrappers(schema.unwrap()) : schema
}
