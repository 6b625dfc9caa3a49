import type { Settings } from '../../config/settings.ts'
import type { Sharing } from '../../warehouse/sharing/published-files.ts'
import type { CatalogPlace } from '../../warehouse/storage/catalog.ts'

/** The stores that the machines of an installation share. */
export interface SharedStores extends Sharing, AsyncDisposable {
  url: string
  close: () => Promise<void>
}

/** Opens the bucket and the catalog database of an installation on several machines. Nothing is requested yet. */
export async function openSharedStores(settings: Settings): Promise<SharedStores> {
  // Imported here so that an installation on one machine loads none of them.
  const { openS3 } = await import('../../warehouse/objects/s3.ts')
  const { catalogUrl } = await import('../../warehouse/coordination/catalog-database.ts')
  const { openPointers } = await import('../../warehouse/coordination/pointers.ts')
  const url = catalogUrl(settings)
  const pointers = openPointers(url)
  const { close } = pointers
  return { store: openS3(settings), pointers, url, close, [Symbol.asyncDispose]: close }
}

/** Place of the tables; undefined for the file of the data folder. */
export async function tablesPlace(settings: Settings, purpose = commandName()): Promise<CatalogPlace | undefined> {
  if (settings.store === 'folder') return undefined
  const { catalogUrl } = await import('../../warehouse/coordination/catalog-database.ts')
  const { ducklakePlace } = await import('../../warehouse/storage/ducklake-place.ts')
  return ducklakePlace(settings, catalogUrl(settings), purpose)
}

/** The command of this process, for people. */
export const commandName = () => `holdshort ${process.argv[2] ?? ''}`.trim()
