import type { z } from 'zod'
import { HOUR_MS } from '../../../config/domain.ts'
import { fraction, nullableMinutes, provenance, type QueueWait, unavailableReason } from '../../../config/facts.ts'
import type { QueryContext } from './define.ts'
import { hourAt } from './forecast-hour.ts'
import { queueWaits } from './queue-waits.ts'

/** What stands beside one figure of a wait for now: where it comes from, and how sure it is where it was not observed. */
export const besideWait = {
  ...provenance,
  low: nullableMinutes.describe('Lower end of the 80 % interval of a predicted or typical wait; null when observed.'),
  high: nullableMinutes.describe('Upper end of it.'),
  probability: fraction
    .nullable()
    .describe('Of being within 5 minutes of a predicted or typical wait; null when observed.'),
  unavailable_reason: unavailableReason,
}

/** The security wait of an airport now as one figure, with what stands beside it. */
export function securityNow(code: string, { snapshot, now }: QueryContext) {
  const queue = queueWaits(snapshot.queue(code, 'security'), 'airport')
  const { average_wait_minutes: wait_minutes, terminals: _terminals, ...beside } = queue
  return { wait_minutes, ...beside, ...intervalOf(queue) }

  /** That of the forecast hour that the figure is of: the current one, or that of the snapshot while the next is on its way. */
  function intervalOf({ basis, average_wait_minutes: wait }: z.input<typeof QueueWait>) {
    const series = basis === 'predicted' || basis === 'typical' ? snapshot.forecast(code) : null
    const hours = [now, snapshot.generated_ms].map(
      (instant) => series && hourAt(series, Math.floor(instant / HOUR_MS) * HOUR_MS),
    )
    const {
      low = null,
      high = null,
      confidence: probability = null,
    } = hours.find((hour) => hour?.wait_minutes === wait) ?? {}
    return { low, high, probability }
  }
}
