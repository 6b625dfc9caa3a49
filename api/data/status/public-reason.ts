import { ERROR_CODES } from '../../../config/errors.ts'
import type { Source } from '../../../config/sources.ts'
import type { SourceHealth } from '../../../warehouse/serving/published/source-health.ts'

/** What stopped a source, for people. */
const WORDS: Record<string, string> = {
  FETCH_FAILED: 'the site could not be reached',
  SITE_UNREACHABLE: 'the site could not be reached',
  FETCH_REFUSED: 'the site refused our requests, so we stopped asking',
  FETCH_TOO_LARGE: 'the site sent far more than expected',
  ROBOTS_DISALLOWED: 'the site asks robots not to read it',
  CIRCUIT_OPEN: 'it failed several times in a row and is left alone for a while',
  BROWSER_UNAVAILABLE: 'it needs a browser, and none could be started here',
  PARSE_FAILED: 'the site has changed its form',
}

/** The error code of a source whose last run failed, if it is one of ours. */
export function publicCode({ state, last_error_code: code }: SourceHealth): string | null {
  const failed = state === 'failing' || state === 'open_circuit'
  return failed && code !== null && Object.hasOwn(ERROR_CODES, code) ? code : null
}

/**
 * Why a source is in its state, in words that anyone may read; null when it is healthy. What a failure said itself is
 * for the operator (`holdshort sources`): it can hold addresses and paths of this machine.
 */
export function publicReason(health: SourceHealth, { why_off }: Source): string | null {
  const code = publicCode(health)
  const fault = code === null ? 'it did not answer as it should' : (WORDS[code] ?? 'something went wrong on our side')
  switch (health.state) {
    case 'healthy':
      return null
    case 'degraded':
      return health.reason
    case 'failing':
      return `The last try failed: ${fault}.`
    case 'open_circuit':
      return `Asked only now and then, for it failed too often: ${fault}.`
    case 'not_asked':
      return 'It has not been asked yet.'
    case 'off':
      return why_off
  }
}
