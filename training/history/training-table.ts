import { examplesOf } from '../../forecasting/features/examples.ts'
import { OWN_COLUMNS } from '../../forecasting/features/features.ts'
import { FEATURES } from '../../forecasting/features/inputs.ts'
import type { PreparedSeries } from '../../forecasting/features/profile.ts'
import type { FileColumn } from '../../warehouse/storage/table-file.ts'

/** The examples of a series in a training table. */
export interface TableRequest {
  /** Origins from `from_ms` (included) to `to_ms`, epoch ms; nothing that became available later than `to_ms` is used. */
  from_ms: number
  to_ms: number
  step_hours: number
  /** Whether the waits are simulated; every row says so. */
  simulated: boolean
}

/** The name of a column of FeatureRows in a training table: the quantiles that the net corrects are those of the rule. */
const tableColumn = (name: string) => (/^p\d/.test(name) ? `rule_${name}` : name)

/**
 * The examples that a training makes of a series, as columns: by the function that trains, so that a row here is a row there.
 * Null when there is none.
 */
export function trainingTable(
  series: PreparedSeries,
  { from_ms, to_ms, step_hours, simulated }: TableRequest,
): FileColumn[] | null {
  const { inputs, truth, issued_ms, valid_ms, truth_available_ms } = examplesOf(series, to_ms, step_hours)
  const first = issued_ms.findIndex((issued) => issued >= from_ms)
  if (first === -1) return null
  const rows = truth.length - first
  const width = FEATURES.length
  const text = (name: string, value: string): FileColumn => ({ name, type: 'text', values: Array(rows).fill(value) })
  return [
    text('iata', series.iata),
    text('terminal', series.terminal),
    text('direction', series.direction ?? ''),
    { name: 'simulated', type: 'boolean', values: Array<boolean>(rows).fill(simulated) },
    { name: 'issued_at', type: 'instant', values: issued_ms.subarray(first) },
    { name: 'valid_at', type: 'instant', values: valid_ms.subarray(first) },
    { name: 'horizon_hours', type: 'integer', values: inputs.horizon.subarray(first) },
    { name: 'wait_minutes', type: 'double', values: truth.subarray(first) },
    { name: 'truth_available_at', type: 'instant', values: truth_available_ms.subarray(first) },
    ...OWN_COLUMNS.map(
      (name): FileColumn => ({ name: tableColumn(name), type: 'double', values: inputs[name].subarray(first) }),
    ),
    ...FEATURES.map(
      (name, k): FileColumn => ({
        // Some inputs have the name of a column in minutes.
        name: `x_${name}`,
        type: 'float',
        values: Float32Array.from({ length: rows }, (_, row) => inputs.x[(first + row) * width + k]!),
      }),
    ),
  ]
}
