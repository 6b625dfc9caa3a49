import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings } from '../../config/settings.ts'
import { catalogUrl } from '../../warehouse/coordination/catalog-database.ts'
import { openCatalog } from '../../warehouse/storage/catalog.ts'
import { ducklakePlace } from '../../warehouse/storage/ducklake-place.ts'

/** Reads a table of several machines again and again; each time it waits for a message between two statements of one transaction. */
const settings = readSettings(process.env)
const catalog = openCatalog(ducklakePlace(settings, catalogUrl(settings), 'reader'), tmpdir())

for (;;) {
  try {
    await catalog.read(async (connection) => {
      await connection.run('SELECT count(*) FROM readings')
      process.send?.('paused')
      await once(process, 'message')
      await connection.run('SELECT count(*) FROM delays')
    })
    process.send?.('read')
  } catch {
    process.send?.('failed')
    await sleep(200)
  }
}
