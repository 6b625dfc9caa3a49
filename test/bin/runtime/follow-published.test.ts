import { expect, onTestFinished, test, vi } from 'vitest'
import { followPublished } from '../../../bin/runtime/follow-published.ts'
import { readSettings } from '../../../config/settings.ts'
import { publishFiles } from '../../../warehouse/sharing/published-files.ts'
import { memorySharing } from '../../shared-store/memory-sharing.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('an api names the fault of the store that keeps it from its first snapshot, and promises none that it lacks', async () => {
  const sharing = memorySharing()
  const files = [{ path: 'manifest.json', read: async () => Buffer.from('{}') }]
  await publishFiles(sharing, 'snapshot', 1, { id: '20261129T110000Z', files, is_compressed: true })
  sharing.objects.clear()
  const settings = readSettings({ HOLDSHORT_DATA_DIR: await temporaryFolder(), HOLDSHORT_STORE: 's3://bucket' })
  const close = async () => undefined
  const stores = { ...sharing, url: '', close, [Symbol.asyncDispose]: close }
  const log = { debug: () => undefined, info: () => undefined, error: vi.fn() }
  const published = await followPublished(settings, stores, log)
  onTestFinished(() => published.stop())
  expect(log.error.mock.calls[0]?.[0]).toMatchObject({ code: 'STORE_DAMAGED' })
  expect(published.fault()).toBeNull()
  const later = performance.now() + 20_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => later)
  onTestFinished(() => clock.mockRestore())
  expect(published.fault()).toMatchObject({ code: 'STORE_DAMAGED' })
  expect(published.fault()?.message).toMatch(/^no newer snapshot could be fetched for \d+ s$/)
})
