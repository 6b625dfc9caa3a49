import { z } from 'zod'
import { nullableMinutes } from '../../config/answer-schemas.ts'
import { securityEstimateFields } from './queue-waits.ts'

/**
 * The security wait in answers about more than it: of an estimate, these fields. The separate provenance of the status is left out: a
 * closed queue has the provenance of its closure in `basis`, `observed_at` and `source`, and any other that of its wait.
 */
export const BriefSecurity = z.object({ wait_minutes: nullableMinutes, ...securityEstimateFields }).omit({
  status_basis: true,
  status_observed_at: true,
  status_age_seconds: true,
  status_source: true,
  reopens_days: true,
})
