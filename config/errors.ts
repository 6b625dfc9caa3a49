/**
 * Errors are about this program: one class for each case that a caller handles differently.
 * Problems in a source's data are notices (rows), not errors.
 */

import { withoutMarkup } from './untrusted-text.ts'

/** Every stable error code, with the HTTP status a client gets and a title that clients see. */
export const ERROR_CODES = {
  INVALID_PARAMETER: { status: 400, title: 'Invalid parameter' },
  INVALID_API_KEY: { status: 401, title: 'Missing or invalid API key' },
  PREMIUM_REQUIRED: { status: 403, title: 'A higher tier is required' },
  WRITING_NOT_ALLOWED: { status: 403, title: 'The app may not write in the name of the account' },
  AIRPORT_NOT_FOUND: { status: 404, title: 'No airport has this code' },
  SIGN_IN_FAILED: { status: 401, title: 'Sign-in failed' },
  FORM_REFUSED: { status: 403, title: 'The form was not sent from its own page' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  NOT_ACCEPTABLE: { status: 406, title: 'Not acceptable' },
  CONFLICT: { status: 409, title: 'Conflict' },
  PRECONDITION_FAILED: { status: 412, title: 'The file is another one by now' },
  RANGE_NOT_SATISFIABLE: { status: 416, title: 'The file has no such bytes' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'Payload too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Unsupported media type' },
  rate_limited: { status: 429, title: 'Rate limit exceeded' },
  INTERNAL: { status: 500, title: 'Internal error' },
  NOT_READY: { status: 503, title: 'Not ready' },
  STATE_UNREACHABLE: { status: 503, title: 'The database of accounts and keys cannot be reached' },
  STATE_UNWRITABLE: { status: 503, title: 'Accounts and keys cannot be changed at the moment' },
  STATE_DAMAGED: { status: 503, title: 'The database of accounts and keys is damaged' },
  STATE_INCOMPLETE: { status: 503, title: 'The database of accounts and keys lacks data that it had' },
  STATE_OF_OTHER_RELEASE: { status: 503, title: 'The database of accounts and keys is of another release' },
  GATE_UNAVAILABLE: { status: 503, title: 'Keys and limits are temporarily unavailable' },
  EXPORT_UNAVAILABLE: { status: 503, title: 'Open data is temporarily unavailable' },
  LIVE_UNAVAILABLE: { status: 503, title: 'The pipeline is unavailable' },
  LIVE_TIMEOUT: { status: 504, title: 'A source did not answer in time' },
  SETTINGS_INVALID: { status: 500, title: 'Settings are invalid' },
  USAGE: { status: 400, title: 'The command was misused' },
  OUTWARD_REFUSED: { status: 502, title: 'The service may not fetch an address in a private network' },
  OUTWARD_FAILED: { status: 502, title: 'An address given by a client gave no usable answer' },
  STRIPE_FAILED: { status: 502, title: 'Stripe gave no usable answer' },
  FETCH_FAILED: { status: 502, title: 'A source could not be reached' },
  SITE_UNREACHABLE: { status: 502, title: 'A site cannot be reached' },
  FETCH_REFUSED: { status: 502, title: 'A source rejected our requests; fetching it has stopped' },
  FETCH_TOO_LARGE: { status: 502, title: 'A response was larger than the size limit' },
  ROBOTS_DISALLOWED: { status: 502, title: "A site's robots.txt disallows the address" },
  CIRCUIT_OPEN: { status: 502, title: 'Fetching a source is paused after repeated failures' },
  BROWSER_UNAVAILABLE: { status: 502, title: 'No browser could be started' },
  PARSE_FAILED: { status: 502, title: 'The format of a payload has changed' },
  SOURCE_UNKNOWN: { status: 404, title: 'No source has this id' },
  SOURCE_OFF: { status: 409, title: 'The source is switched off' },
  WAREHOUSE_LOCKED: { status: 503, title: 'Another process holds the warehouse' },
  DATA_FOLDER_IN_USE: { status: 409, title: 'Another process uses the data folder' },
  DATA_FOLDER_UNUSABLE: { status: 500, title: 'The data folder cannot be used' },
  SNAPSHOT_AHEAD: { status: 503, title: 'Clocks differ' },
  FORECASTS_ENDED: { status: 503, title: 'No forecast reaches ahead' },
  SNAPSHOT_STALE: { status: 503, title: 'No new snapshot has been published' },
  PROCESS_SILENT: { status: 503, title: 'A process of the service gives no sign of life' },
  DATA_FOLDER_GONE: { status: 503, title: 'The data folder was moved or deleted' },
  WRITE_FENCED: { status: 503, title: 'Another process took over writing' },
  WAREHOUSE_CORRUPT: { status: 500, title: 'The warehouse file is damaged' },
  WAREHOUSE_FOREIGN: { status: 500, title: 'The warehouse file is not that of this installation' },
  WAREHOUSE_LOG_MISMATCH: { status: 500, title: 'The log of the warehouse belongs to another file' },
  WAREHOUSE_COPY_DIFFERS: { status: 500, title: 'The warehouse lacks rows that an earlier copy has' },
  BACKUP_INVALID: { status: 500, title: 'A backup cannot be used' },
  RESTORE_UNFINISHED: { status: 409, title: 'Restoring the data folder was interrupted' },
  WORLD_MISMATCH: { status: 409, title: 'Simulated and live data must not share a folder' },
  STORE_UNREACHABLE: { status: 503, title: 'The object store cannot be reached' },
  STORE_REFUSED: { status: 502, title: 'The object store refused a request' },
  STORE_DAMAGED: { status: 500, title: 'An object of the store is missing or not what was written' },
  EXTENSION_MISSING: { status: 500, title: 'An extension of DuckDB cannot be loaded' },
  LEAD_HELD: { status: 409, title: 'The pipeline of another machine leads' },
  DISK_FULL: { status: 507, title: 'The disk is full' },
  SNAPSHOT_INVALID: { status: 500, title: 'A snapshot cannot be loaded' },
  IMPORT_INVALID: { status: 400, title: 'A file to import is invalid' },
  MODEL_INVALID: { status: 500, title: 'A model artifact cannot be loaded' },
  DEMO_FAILED: { status: 500, title: 'The demo did not work' },
  NOT_ENOUGH_HISTORY: { status: 409, title: 'Not enough history to train a model' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof ERROR_CODES

export interface ParameterFault {
  parameter: string
  message: string
  /** Set where no parameter has this name. */
  is_unknown?: true
  /** Set where the airport is understood, or the message names those to ask for: nothing is left to search. */
  airport_named?: true
}

/** The base class of all errors of this program: a stable `code`, a message for people, and the cause. */
export class HoldshortError extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** Invalid parameters: each fault names the parameter and says what is allowed. */
export class ParameterError extends HoldshortError {
  readonly faults: ParameterFault[]
  constructor(faults: ParameterFault[]) {
    // Callers choose the names; the messages are ours, and quote the caller's words without markup.
    const shown = faults.map((fault) => ({ ...fault, parameter: withoutMarkup(fault.parameter) }))
    super('INVALID_PARAMETER', shown.map((fault) => `${fault.parameter}: ${fault.message}`).join('; '))
    this.faults = shown
  }

  static of(parameter: string, message: string): ParameterError {
    return new ParameterError([{ parameter, message }])
  }

  /** A fault of an airport that is understood, or whose message names those to ask for. */
  static ofNamedAirport(parameter: string, message: string): ParameterError {
    return new ParameterError([{ parameter, message, airport_named: true }])
  }
}

interface AirportNamed {
  successor: string | null
  airport_named: boolean
}

/**
 * No airport has a code. `successor`: the airport that took the place of the one that had it. `airport_named`: as in a fault of a
 * parameter.
 */
export class AirportNotFoundError extends HoldshortError {
  readonly successor: string | null
  readonly airport_named: boolean
  constructor(message: string, { successor = null, airport_named = false }: Partial<AirportNamed> = {}) {
    super('AIRPORT_NOT_FOUND', message)
    this.successor = successor
    this.airport_named = airport_named
  }
}

/** The key is valid but its tier is too low; a retry cannot succeed. */
export class PremiumRequiredError extends HoldshortError {
  readonly requiredTier: 'pro' | 'enterprise'
  constructor(requiredTier: 'pro' | 'enterprise', message: string) {
    super('PREMIUM_REQUIRED', message)
    this.requiredTier = requiredTier
  }
}

/** A rate limit is exceeded: retry after `retryAfterSeconds`. */
export class RateLimitedError extends HoldshortError {
  readonly scope: string
  readonly retryAfterSeconds: number
  constructor(scope: string, retryAfterSeconds: number, message: string) {
    super('rate_limited', message)
    this.scope = scope
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A source could not be fetched. `retryable`: whether the next cycle may try again. */
export class FetchError extends HoldshortError {
  readonly retryable: boolean
  readonly status: number | null
  constructor(
    code: Extract<
      ErrorCode,
      | 'FETCH_FAILED'
      | 'SITE_UNREACHABLE'
      | 'FETCH_REFUSED'
      | 'FETCH_TOO_LARGE'
      | 'ROBOTS_DISALLOWED'
      | 'OUTWARD_REFUSED'
      | 'CIRCUIT_OPEN'
      | 'BROWSER_UNAVAILABLE'
    >,
    message: string,
    options: { cause?: unknown; retryable?: boolean; status?: number | null } = {},
  ) {
    super(code, message, options)
    this.retryable = options.retryable ?? code === 'FETCH_FAILED'
    this.status = options.status ?? null
  }
}

/** A payload no longer has the format its parser expects. No reading was stored; the raw capture is retained. */
export class ParseError extends HoldshortError {
  /** Id of the raw capture; set by the collecting code because the parser does not know it. */
  captureId: string | null = null
  readonly path: string
  constructor(path: string, message: string, options?: { cause?: unknown }) {
    super('PARSE_FAILED', `${path}: ${message}`, options)
    this.path = path
  }
}

export class SettingsError extends HoldshortError {
  readonly faults: ParameterFault[]
  constructor(faults: ParameterFault[]) {
    super('SETTINGS_INVALID', faults.map((fault) => `${fault.parameter}: ${fault.message}`).join('\n'))
    this.faults = faults
  }
}

/** The command line was misused: exit code 2. */
export class UsageError extends HoldshortError {
  constructor(message: string) {
    super('USAGE', message)
  }
}
