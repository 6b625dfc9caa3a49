/** Some bytes of a file, first and last included. */
export interface ByteRange {
  start: number
  end: number
}

/** More ranges than any reader of columns asks for at once. */
const MAX_RANGES = 32

const RANGE = /^(\d{0,15})-(\d{0,15})$/

/**
 * The bytes that a Range header asks for (RFC 9110, 14.2) of a file of `size` bytes. `whole`: there is no header, or one that a
 * server ignores: of another unit, malformed, or with too many or overlapping ranges, which only cost. `unsatisfiable`: the file
 * has none of these bytes.
 */
export function requestedRanges(header: string | undefined, size: number): ByteRange[] | 'whole' | 'unsatisfiable' {
  const value = /^bytes=(.*)$/i.exec(header?.trim() ?? '')?.[1]
  if (value === undefined) return 'whole'
  const texts = value.split(',').map((text) => text.trim())
  if (texts.length > MAX_RANGES) return 'whole'
  const ranges: ByteRange[] = []
  for (const text of texts) {
    const match = RANGE.exec(text)
    if (!match || text === '-') return 'whole'
    const [, first = '', last = ''] = match
    if (first !== '' && last !== '' && Number(last) < Number(first)) return 'whole'
    const range = first === '' ? suffixOf(Number(last), size) : { start: Number(first), end: endOf(last, size) }
    if (range && range.start < size) ranges.push(range)
  }
  if (ranges.length === 0) return 'unsatisfiable'
  return areApart(ranges) ? ranges : 'whole'
}

const endOf = (last: string, size: number) => (last === '' ? size - 1 : Math.min(Number(last), size - 1))

/** The last bytes of a file: all where it has fewer; null for none. */
function suffixOf(length: number, size: number): ByteRange | null {
  return length === 0 || size === 0 ? null : { start: Math.max(0, size - length), end: size - 1 }
}

function areApart(ranges: readonly ByteRange[]): boolean {
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  return sorted.every((range, k) => k === 0 || range.start > sorted[k - 1]!.end)
}
