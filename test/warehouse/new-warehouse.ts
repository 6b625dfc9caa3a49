import { onTestFinished } from 'vitest'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { openOrCopy } from './empty-warehouse.ts'

/** Opens a new warehouse, in a temporary folder if none is named; it is closed when the test ends. */
export async function newWarehouse(folder?: string): Promise<Warehouse> {
  const warehouse = await openOrCopy(folder ?? (await temporaryFolder()))
  onTestFinished(warehouse.close)
  return warehouse
}
