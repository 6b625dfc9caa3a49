import { expect, test, vi } from 'vitest'
import { openSession } from '../../../bin/runtime/member-session.ts'
import { HoldshortError } from '../../../config/errors.ts'
import { readSettings } from '../../../config/settings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const turns = vi.hoisted(() => ({ taken: 0, released: 0 }))
vi.mock('../../../warehouse/coordination/turns.ts', () => ({
  takeTurn: async () => {
    turns.taken += 1
    const release = async () => {
      turns.released += 1
    }
    return { epoch: turns.taken, lost: new AbortController().signal, release, [Symbol.asyncDispose]: release }
  },
}))
vi.mock('../../../warehouse/coordination/catalog-database.ts', () => ({ requireSameWorld: async () => undefined }))
vi.mock('../../../warehouse/sharing/own-bucket.ts', () => ({ requireOwnBucket: async () => undefined }))
vi.mock('../../../warehouse/sharing/models.ts', () => ({
  openModelsOfLeader: () => ({ fetchPublished: async () => [], publish: async () => undefined }),
}))
vi.mock('../../../bin/runtime/shared-stores.ts', () => ({
  commandName: () => 'work',
  openSharedStores: async () => ({ store: { address: 's3://bucket' }, url: '', close: async () => undefined }),
  tablesPlace: async () => ({}),
}))
vi.mock('../../../bin/runtime/call-server.ts', () => ({
  openCallServer: async () => ({ close: async () => undefined }),
}))
vi.mock('../../../bin/runtime/pipeline.ts', () => ({
  openPipeline: async () => ({
    publishAtOnce: async () => ({ milliseconds: {} }),
    close: async () => undefined,
  }),
  openRunner: async () => {
    throw new HoldshortError('STORE_UNREACHABLE', 's3://bucket does not answer')
  },
}))

test('a pipeline that cannot begin its jobs gives the lead up, so that another one leads', async () => {
  const log = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, () => undefined]))
  const settings = readSettings({ HOLDSHORT_DATA_DIR: await temporaryFolder(), HOLDSHORT_STORE: 's3://bucket' })
  const session = await openSession(settings, log as never)
  expect((await session.ended).message).toBe('s3://bucket does not answer')
  await session.close()
  expect(turns).toEqual({ taken: 1, released: 1 })
})
