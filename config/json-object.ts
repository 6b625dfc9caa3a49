/** A JSON object whose fields are not known. */
export type JsonObject = Record<string, unknown>

/** Whether a value is an object with fields: neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
