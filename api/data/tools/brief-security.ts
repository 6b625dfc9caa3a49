import { z } from 'zod'
import { nullableMinutes } from '../../../config/facts.ts'
import { type securityEstimate, securityEstimateFields } from '../queries/queue-waits.ts'

/**
 * The security wait in answers about more than it. The separate provenance of the status is left out: a closed queue has the
 * provenance of its closure in `basis`, `observed_at` and `source`, and any other that of its wait.
 */
const fields = z.strictObject(securityEstimateFields).omit({
  status_basis: true,
  status_observed_at: true,
  status_age_seconds: true,
  status_source: true,
  reopens_basis: true,
  reopens_days: true,
}).shape

export const BriefSecurity = z.strictObject({ wait_minutes: nullableMinutes, ...fields })
export type BriefSecurity = z.output<typeof BriefSecurity>

/** The fields of an estimate that a brief answer has. */
export function briefSecurity(estimate: ReturnType<typeof securityEstimate>): z.input<typeof BriefSecurity> {
  const { wait_minutes, status, reopens_at, basis, observed_at, age_seconds, source, freshness } = estimate
  const { low, high, probability, unavailable_reason } = estimate
  return {
    wait_minutes,
    status,
    reopens_at,
    basis,
    observed_at,
    age_seconds,
    source,
    freshness,
    low,
    high,
    probability,
    unavailable_reason,
  }
}
