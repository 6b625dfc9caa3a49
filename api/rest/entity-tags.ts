/**
 * The content of an entity tag. Proxies that compress an answer write W/ before its tag, and the coding at its end, mostly
 * within the quotes: `-gzip`, `--gzip`, `;gzip`, `-br`.
 */
const opaque = (tag: string) =>
  tag
    .trim()
    .replace(/^W\//i, '')
    .replace(/(?:--?|[;:])(?:gzip|br|zstd|deflate|df)("?)$/i, '$1')

/** Whether an If-None-Match header names what a caller would get (weak comparison, RFC 9110 section 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const own = opaque(etag)
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === own)
}
