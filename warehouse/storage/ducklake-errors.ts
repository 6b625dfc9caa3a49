import { type ErrorCode, HoldshortError } from '../../config/errors.ts'
import { TURN_IS_OVER } from '../coordination/catalog-database.ts'

const IS_GONE =
  /server closed|Failed to execute query|connection to server|could not (?:connect|receive|send)|terminating connection|no connection|transaction is aborted|Connection (?:refused|reset)|SSL connection|invalidated|FATAL/i
/** An object is missing, cut, or not Parquet (any more). */
const IS_DAMAGED =
  /NoSuchKey|HTTP 416|Content-Length from server mismatches|magic bytes|too small to be a Parquet|Failed to read file|Missing data page header|Out of buffer|TProtocolException|Parquet footer|found in Parquet file|don't know what type/i
/** A retry with the same credentials and rights is refused again. */
const IS_REFUSED = /\bHTTP (?:code )?40[13]\b/
/** The engine talks to the bucket, and to nothing else, by HTTP. */
const IS_OF_BUCKET = /\bHTTP\b/
const IS_STORE = /HTTP|IO Error|Could not establish connection/i

/**
 * An error of DuckLake's, with our code and a way out where its words are known. `isBroken`: the connection is of no more use.
 * `store`: the address of the bucket. Source of the words: DuckDB 1.5.5 with the extensions of `EXTENSIONS_VERSION`.
 */
export function ducklakeError(error: unknown, store: string): { error: unknown; isBroken: boolean } {
  if (error instanceof HoldshortError) return { error, isBroken: error.code === 'STORE_UNREACHABLE' }
  const { message } = error as Error
  const broken = (code: ErrorCode, text: string) => ({
    error: new HoldshortError(code, text, { cause: error }),
    isBroken: true,
  })
  if (message.includes(TURN_IS_OVER) || /could not serialize access/.test(message))
    return broken('WRITE_FENCED', `nothing was written: ${TURN_IS_OVER}`)
  if (/database "[^"]*" does not exist|no DuckLake found/i.test(message))
    return broken('STORE_REFUSED', `the catalog is not prepared; run \`holdshort store create\` (${message})`)
  if (IS_GONE.test(message) && !IS_OF_BUCKET.test(message))
    return broken('STORE_UNREACHABLE', `the catalog database does not answer: ${message}`)
  if (/DATA_PATH parameter .* does not match/.test(message))
    return broken(
      'STORE_REFUSED',
      `the catalog database is that of another bucket or prefix: correct HOLDSHORT_STORE, or HOLDSHORT_CATALOG_URL (${firstLine(error as Error)})`,
    )
  if (IS_DAMAGED.test(message))
    return broken(
      'STORE_DAMAGED',
      `a file of the tables in ${store} is missing or not what was written (${firstLine(error as Error)}); \`holdshort doctor\` names all that are missing, cut or altered. Restore it from an earlier version of the bucket, or put back the catalog and the bucket of one backup`,
    )
  if (IS_REFUSED.test(message)) return broken('STORE_REFUSED', `${store} refuses: ${message}`)
  if (IS_STORE.test(message)) return broken('STORE_UNREACHABLE', `${store} does not answer: ${message}`)
  return { error, isBroken: false }
}

const firstLine = ({ message }: Error) => message.split('\n')[0]
