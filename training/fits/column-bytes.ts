/** Arrays that are kept with their exact values. */
type Column = Float32Array | Float64Array

const ALIGNMENT = 8
const KINDS = { f32: Float32Array, f64: Float64Array } as const

interface Header<T> {
  about: T
  columns: { kind: keyof typeof KINDS; length: number }[]
}

const padded = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

/** A JSON value and columns of numbers as bytes: the length of a header, the header, then the columns, little-endian, each from a multiple of eight. */
export function columnBytes(about: unknown, columns: readonly Column[]): Uint8Array {
  const header: Header<unknown> = {
    about,
    columns: columns.map((column) => ({ kind: column instanceof Float32Array ? 'f32' : 'f64', length: column.length })),
  }
  const text = Buffer.from(JSON.stringify(header))
  const start = padded(4 + text.length)
  const bytes = new Uint8Array(start + columns.reduce((sum, { byteLength }) => sum + padded(byteLength), 0))
  new DataView(bytes.buffer).setUint32(0, text.length, true)
  bytes.set(text, 4)
  let offset = start
  for (const column of columns) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset)
    offset += padded(column.byteLength)
  }
  return bytes
}

/** Reads the output of `columnBytes`. The columns are copies. */
export function readColumnBytes<T>(
  bytes: Uint8Array,
  schema: { parse: (about: unknown) => T },
): { about: T; columns: Column[] } {
  const textLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const header = JSON.parse(Buffer.from(bytes.subarray(4, 4 + textLength)).toString('utf8')) as Header<unknown>
  let offset = padded(4 + textLength)
  const columns = header.columns.map(({ kind, length }) => {
    const Kind = KINDS[kind]
    const end = offset + length * Kind.BYTES_PER_ELEMENT
    // A `Buffer` would give a view of its memory.
    const column = new Kind(Uint8Array.prototype.slice.call(bytes, offset, end).buffer)
    offset = padded(end)
    return column
  })
  return { about: schema.parse(header.about), columns }
}
