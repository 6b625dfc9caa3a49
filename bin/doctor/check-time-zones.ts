import { type RulesVersions, rulesText } from '../../config/time-zones/rules.ts'
import { type Verdict, warning } from './finding.ts'

/** Which time zone rules the answers follow; a warning when Node.js has newer ones. */
export function checkTimeZones(versions: RulesVersions): Verdict {
  const { ours, runtime, is_runtime_newer } = versions
  if (!is_runtime_newer) return rulesText(versions)
  return warning(
    `local times follow time zone rules ${ours}, but Node's are newer (${runtime}): where clocks changed since, times are wrong; install a newer release of holdshort (in a checkout: update moment-timezone in config/time-zones/build and run npm run time-zones)`,
  )
}
