import { expect, test } from 'vitest'
import { openApiDocument } from '../../api/openapi-document.ts'
import { TOOLS } from '../../api/registry.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { MAX_STALL_MS, measureStalls } from './dearest.ts'
import { dearestOperations, dearestTools } from './dearest-questions.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')

test('every operation and every tool has a dearest question that is asked in the bench', async () => {
  const { paths } = await openApiDocument()
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  )
  expect(Object.keys(dearestOperations(NOW, ['JFK'])).sort()).toEqual(operations.sort())
  expect(Object.keys(dearestTools(NOW, ['JFK'])).sort()).toEqual(TOOLS.map(({ name }) => name).sort())
})

/** Timings belong into the bench. Here the limit is so wide that only work of another order exceeds it. */
const WIDE = 10

test.runIf(EXHAUSTIVE)(
  'the dearest questions hold the event loop for a moment only, and none fails',
  async () => {
    const warehouse = await openWarehouse(await temporaryFolder())
    try {
      const stalls = await measureStalls(warehouse, Math.floor(Date.now() / 1_000) * 1_000)
      const all = Object.entries(stalls).flatMap(([subject, found]) => found.map((stall) => ({ subject, ...stall })))
      expect(all.filter(({ median_ms }) => median_ms > WIDE * MAX_STALL_MS)).toEqual([])
      expect(all.filter(({ isFailure }) => isFailure)).toEqual([])
    } finally {
      await warehouse.close()
    }
  },
  300_000,
)
