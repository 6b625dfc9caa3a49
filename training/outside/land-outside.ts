import { UsageError } from '../../config/errors.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { outsideForecasts } from '../../warehouse/tables/outside-forecasts.ts'
import { CONTENDERS } from '../forecasters/contenders.ts'
import type { FileForecast } from '../scoring/forecast-file.ts'

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/
const OURS: readonly string[] = [...CONTENDERS, 'holdshort']

/** Checks the name of a forecaster from elsewhere. @throws UsageError for another form, and for the names of our own forecasters */
export function requireOutsideName(forecaster: string): void {
  if (!NAME.test(forecaster))
    throw new UsageError(`--forecaster: "${forecaster}" must be a short name of a to z, 0 to 9 and hyphens`)
  if (OURS.includes(forecaster))
    throw new UsageError(
      `--forecaster: ${forecaster} is one of our own (${OURS.join(', ')}); name whose forecasts these are`,
    )
}

export interface LandedForecasts {
  new_rows: number
  /** Those that were there and have other quantiles than what is stored, which stays. */
  differing_rows: number
}

/** Forecasts that are landed and compared at once: a file may have millions, and their rows take much more memory than they do. */
const AT_ONCE = 20_000

/**
 * Lands forecasts that were made elsewhere; each is known from `now` on (epoch ms). Those of one file land in several transactions: what a
 * kill leaves out lands when the file is imported again.
 */
export async function landOutside(
  warehouse: Warehouse,
  forecaster: string,
  forecasts: readonly FileForecast[],
  now: number,
): Promise<LandedForecasts> {
  const inOrder = [...forecasts].sort((a, b) => a.issued_ms - b.issued_ms)
  const landed = { new_rows: 0, differing_rows: 0 }
  for (let start = 0; start < inOrder.length; start += AT_ONCE) {
    const some = inOrder.slice(start, start + AT_ONCE)
    const new_rows = await landSome(warehouse, forecaster, some, now)
    landed.new_rows += new_rows
    if (new_rows < some.length) landed.differing_rows += await countDiffering(warehouse, forecaster, some)
  }
  return landed
}

function landSome(warehouse: Warehouse, forecaster: string, forecasts: readonly FileForecast[], now: number) {
  const available_at = isoUtc(now)
  return warehouse.land(
    outsideForecasts,
    forecasts.map(({ airport, issued_ms, valid_ms, p10, p50, p90 }) => ({
      forecaster,
      iata: airport,
      issued_at: isoUtc(issued_ms),
      valid_at: isoUtc(valid_ms),
      p10,
      p50,
      p90,
      available_at,
    })),
  )
}

/** How many forecasts, in the order of their issue, differ from what is stored. */
async function countDiffering(warehouse: Warehouse, forecaster: string, forecasts: readonly FileForecast[]) {
  const stored = await warehouse.query<FileForecast>(
    `SELECT iata AS airport, epoch_ms(issued_at)::DOUBLE AS issued_ms, epoch_ms(valid_at)::DOUBLE AS valid_ms, p10, p50, p90
     FROM outside_forecasts
     WHERE forecaster = $forecaster AND issued_at BETWEEN $from::TIMESTAMPTZ AND $to::TIMESTAMPTZ`,
    { forecaster, from: isoUtc(forecasts[0]!.issued_ms), to: isoUtc(forecasts.at(-1)!.issued_ms) },
  )
  const keyOf = ({ airport, issued_ms, valid_ms }: FileForecast) => `${airport} ${issued_ms} ${valid_ms}`
  const storedByKey = new Map(stored.map((row) => [keyOf(row), row]))
  return forecasts.filter((forecast) => {
    const row = storedByKey.get(keyOf(forecast))
    return row && (row.p10 !== forecast.p10 || row.p50 !== forecast.p50 || row.p90 !== forecast.p90)
  }).length
}
