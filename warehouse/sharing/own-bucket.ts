import { HoldshortError } from '../../config/errors.ts'
import { installationId } from '../coordination/catalog-database.ts'
import type { Sharing } from './published-files.ts'

/** The object that says whose the bucket is, below its prefix. */
const MARK = 'installation.txt'

/**
 * Marks a new bucket as that of the installation whose catalog a database holds, and refuses the bucket of another one: each of the two
 * would delete the files of the other, which its own catalog does not name.
 * @throws HoldshortError STORE_REFUSED, STORE_UNREACHABLE
 */
export async function requireOwnBucket({ store }: Pick<Sharing, 'store'>, url: string): Promise<void> {
  const id = await installationId(url)
  const mark = await store.get(MARK)
  if (mark === null) return store.put(MARK, Buffer.from(id))
  if (Buffer.from(mark).toString() === id) return
  throw new HoldshortError(
    'STORE_REFUSED',
    `${store.address} is that of an installation with another catalog database: name another prefix in HOLDSHORT_STORE, or put that database back. To begin anew in this one, delete ${store.address}/${MARK}; what is there now is then deleted after a week`,
  )
}
