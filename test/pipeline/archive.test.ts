import { expect, test, vi } from 'vitest'
import { ARCHIVE_TIMEOUT_MS, type ArchiveRequest } from '../../jobs/calls/archive.ts'
import { createArchiveAnswerer } from '../../pipeline/archive.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'

const QUESTION: ArchiveRequest = {
  subject: 'forecast',
  iata: 'JFK',
  as_of: '2026-11-20T14:00:00Z',
  now: '2026-11-21T14:20:00Z',
  terminals: false,
  from: '2026-11-20T14:00:00Z',
  to: '2026-11-21T14:00:00Z',
}

test('two requests are answered at a time, and those that the client no longer waits for are not answered', async () => {
  const queries: ((rows: []) => void)[] = []
  const warehouse = {
    context: { warehouseDir: '/nowhere' },
    query: () => new Promise((resolve) => queries.push(resolve)),
  } as unknown as Warehouse
  let now = 0
  const answer = createArchiveAnswerer(warehouse, () => now)
  const first = answer(QUESTION)
  void answer(QUESTION)
  const late = answer(QUESTION)
  await vi.waitFor(() => expect(queries).toHaveLength(2), 5_000)
  now = ARCHIVE_TIMEOUT_MS + 1
  const dropped = expect(late).rejects.toThrow('no longer waits')
  // The first request ends after both of its queries: for the vintage, then for the oldest one.
  queries[0]!([])
  await vi.waitFor(() => expect(queries).toHaveLength(3), 5_000)
  queries[2]!([])
  expect(await first).toEqual({ subject: 'forecast', vintage: null, oldest_issued_at: null })
  await dropped
  expect(queries).toHaveLength(3)
})
