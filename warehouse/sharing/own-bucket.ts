import { HoldshortError } from '../../config/errors.ts'
import { installationId } from '../coordination/catalog-database.ts'
import type { Sharing } from './published-files.ts'

/** The object below the prefix of a bucket that has the id of its installation. */
const MARK = 'installation.txt'

/** Marks a bucket as that of the installation whose catalog a database holds. @throws HoldshortError as `requireOwnBucket` */
export async function markOwnBucket({ store }: Pick<Sharing, 'store'>, url: string): Promise<void> {
  await requireOwnBucket({ store }, url)
  await store.put(MARK, Buffer.from(await installationId(url)))
}

/**
 * Refuses a bucket with the mark of another installation: each of the two would delete the files of the other, which its own catalog
 * does not name.
 * @throws HoldshortError STORE_REFUSED, STORE_UNREACHABLE
 */
export async function requireOwnBucket({ store }: Pick<Sharing, 'store'>, url: string): Promise<void> {
  const mark = await store.get(MARK)
  if (mark === null || Buffer.from(mark).toString() === (await installationId(url))) return
  throw new HoldshortError(
    'STORE_REFUSED',
    `${store.address} is that of an installation with another catalog database: name another prefix in HOLDSHORT_STORE, or put that database back. To begin anew in this one, delete ${store.address}/${MARK} and run \`holdshort store create\`; what is there now is then deleted after a week`,
  )
}
