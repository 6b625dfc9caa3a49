import type { AsyncBuffer, FileMetaData, ParquetQueryFilter } from 'hyparquet'

/** A Parquet file of the open data, as the manifest names it. */
export interface RemoteFile {
  address: string
  bytes: number
  sha256: string
  footer_bytes?: number | undefined
}

/** What was fetched. */
export interface Cost {
  requests: number
  bytes: number
}

/** Which rows, and which of their columns. */
export interface Selection {
  columns: string[]
  filter: ParquetQueryFilter
}

/** Fetches an address, as `fetch` does. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>

/** Bytes between two parts that are fetched with them: they take less time than another round trip. */
const GAP_BYTES = 65_536

interface Waiting {
  start: number
  end: number
  resolve: (bytes: ArrayBuffer) => void
  reject: (reason: unknown) => void
}

/** A file whose parts that are asked for in one turn, and lie close together, are fetched by one request. */
export function joinedParts(
  byteLength: number,
  fetchPart: (start: number, end: number) => Promise<ArrayBuffer>,
): AsyncBuffer {
  let waiting: Waiting[] = []
  const fetchRun = async (run: readonly Waiting[]) => {
    const start = run[0]!.start
    try {
      const bytes = await fetchPart(start, Math.max(...run.map(({ end }) => end)))
      for (const part of run) part.resolve(bytes.slice(part.start - start, part.end - start))
    } catch (error) {
      for (const part of run) part.reject(error)
    }
  }
  const fetchAll = () => {
    const sorted = waiting.sort((a, b) => a.start - b.start)
    waiting = []
    let run: Waiting[] = []
    let end = 0
    for (const part of sorted) {
      if (run.length > 0 && part.start > end + GAP_BYTES) {
        void fetchRun(run)
        run = []
      }
      end = run.length === 0 ? part.end : Math.max(end, part.end)
      run.push(part)
    }
    if (run.length > 0) void fetchRun(run)
  }
  return {
    byteLength,
    slice: (start, end = byteLength) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) queueMicrotask(fetchAll)
        waiting.push({ start, end, resolve, reject })
      }),
  }
}

/** The end of a file, which says where its parts lie, and the tag of the content that it is of. */
interface Footer {
  metadata: FileMetaData
  etag: string | null
}

/** Ends of files by address and digest: a second question about the same files fetches only rows. */
const footers = new Map<string, Promise<Footer>>()

/**
 * Reads the rows of a selection from parts of a file: its end, then the row groups that can hold such rows. All parts are of one
 * content: after an export in between the service answers 412, which is an error.
 */
export async function readParts(
  { address, bytes, sha256, footer_bytes }: RemoteFile,
  { columns, filter }: Selection,
  cost: Cost,
  fetchAddress: Fetch = fetch,
): Promise<Record<string, unknown>[]> {
  const [{ parquetMetadataAsync, parquetReadObjects }, { decompress }] = await Promise.all([
    import('hyparquet'),
    import('fzstd'),
  ])
  let tag: string | null = null
  const file = joinedParts(bytes, async (start, end) => {
    const headers: Record<string, string> = { Range: `bytes=${start}-${end - 1}` }
    if (tag !== null) headers['If-Match'] = tag
    const answer = await fetchAddress(address, { headers })
    if (answer.status !== 206) throw new Error(`${address} answered ${answer.status}`)
    tag ??= answer.headers.get('ETag')
    cost.requests += 1
    cost.bytes += end - start
    return answer.arrayBuffer()
  })
  const key = `${address} ${sha256}`
  const readFooter = async (): Promise<Footer> => {
    const metadata = await parquetMetadataAsync(file, footer_bytes ? { initialFetchSize: footer_bytes } : {})
    return { metadata, etag: tag }
  }
  const reading = footers.get(key) ?? readFooter()
  footers.set(key, reading)
  try {
    const { metadata, etag } = await reading
    tag = etag
    const compressors = { ZSTD: (input: Uint8Array, length: number) => decompress(input, new Uint8Array(length)) }
    return await parquetReadObjects({ file, metadata, columns, filter, compressors })
  } catch (error) {
    // The file may be another one by now: the next question reads its end anew.
    footers.delete(key)
    throw error
  }
}
