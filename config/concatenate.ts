/** Joins arrays in order. */
export function concatenate(parts: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const joined = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}
