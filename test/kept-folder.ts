import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders that last for all tests of a group: made in its `beforeAll`, removed in its `afterAll`. */
export function makeFolder() {
  const folders: string[] = []
  return {
    make: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'holdshort-test-'))
      folders.push(folder)
      return folder
    },
    remove: async () => {
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    },
  }
}
