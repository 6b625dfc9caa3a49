import { bulkWaitTimes } from './bulk-wait-times.ts'
import type { Query } from './define.ts'
import { getCoverage } from './get-coverage.ts'
import { getDelays } from './get-delays.ts'
import { getHistorical } from './get-historical.ts'
import { getPredictions } from './get-predictions.ts'
import { getWaitTimes } from './get-wait-times.ts'
import { listAirports } from './list-airports.ts'

/** Every question of the REST API. Adding one is a file here and a line in this list. */
export const QUERIES: readonly Query[] = [
  listAirports,
  bulkWaitTimes,
  getWaitTimes,
  getPredictions,
  getDelays,
  getHistorical,
  getCoverage,
]
