/**
 * Errors are about this program: one class for each case that a caller handles differently.
 * Problems in a source's data are notices (rows), not errors.
 */

import { withoutMarkup } from './outside-text.ts'

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
  NOT_READY: { status: 503, title: 'No snapshot has been published yet' },
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
  FORECASTS_ENDED: { status: 503, title: 'No forecast reaches ahead' },
  SNAPSHOT_STALE: { status: 503, title: 'No new snapshot has been published' },
  PROCESS_SILENT: { status: 503, title: 'A process of the service gives no sign of life' },
  DATA_FOLDER_GONE: { status: 503, title: 'The data folder was moved or deleted' },
  OLD_LAYOUT: { status: 409, title: 'The data folder is from before the first release' },
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

/** What an operator reads about a code in docs/operate/errors.md: what happened, and what to do. The other codes are answers to a client. */
export const ERROR_MANUAL: Partial<Record<ErrorCode, { happened: string; todo: string }>> = {
  STATE_UNREACHABLE: {
    happened:
      'PostgreSQL is unreachable or rejects the connection, or another program holds the lock of `state.sqlite` for more than five seconds; calls that need it are answered 503 meanwhile',
    todo: 'check the database (the command line and the log say why); the api recovers by itself, and no counted call is lost',
  },
  STATE_UNWRITABLE: {
    happened:
      'the database of accounts and keys can be read but not written: its disk is full or read-only, or PostgreSQL is; whatever writes is answered 503, and nothing of it was stored',
    todo: 'free space or make it writable; everything recovers by itself',
  },
  STATE_DAMAGED: {
    happened:
      'the file of accounts and keys is damaged (cut, changed, or no database); `start`, `serve` and the commands that need it end with 1',
    todo: 'stop the service, keep the file, restore a backup into a new folder',
  },
  SITE_UNREACHABLE: {
    happened: 'a site, and so its robots.txt, is unreachable (no network, or the site is down)',
    todo: 'nothing; it is tried again within five minutes',
  },
  OUTWARD_REFUSED: {
    happened:
      'a client gave an address (client metadata, push endpoint) that is not public https, or a source, its redirect or its page lies in a private network',
    todo: 'nothing, or set `HOLDSHORT_OUTWARD_ALLOW`',
  },
  OUTWARD_FAILED: {
    happened: 'such an address gave no usable answer',
    todo: 'nothing',
  },
  SIGN_IN_FAILED: {
    happened: 'on a page: wrong email, password or passkey',
    todo: 'nothing',
  },
  FORM_REFUSED: {
    happened: 'on a page: the form was not sent from its own page',
    todo: 'nothing',
  },
  STRIPE_FAILED: {
    happened: 'Stripe gave no usable answer; its answer is in the log',
    todo: 'nothing is lost: events are sent again, overage is reported again; if it persists, check the key and the prices',
  },
  GATE_UNAVAILABLE: {
    happened: 'Redis is set and unreachable, so no call can be counted and no change of access announced',
    todo: 'restore Redis; everything recovers by itself. If a change was reported as stored, make it again',
  },
  FETCH_FAILED: {
    happened: 'a request failed, after its retries',
    todo: 'nothing; it is tried again',
  },
  FETCH_REFUSED: {
    happened: 'the source answered 401 or 403; fetching it stops for a while',
    todo: 'check its terms; switch it off if it does not want to be fetched',
  },
  FETCH_TOO_LARGE: {
    happened: 'a response was larger than the size limit',
    todo: 'open the address in a browser',
  },
  ROBOTS_DISALLOWED: {
    happened: 'robots.txt disallows the address',
    todo: 'switch the source off',
  },
  CIRCUIT_OPEN: {
    happened:
      'the source failed five times in a row; only the canary fetches it, after 5 minutes, then less and less often, up to every hour (every day, once it has been open for two days)',
    todo: 'nothing: it is collected again as soon as a probe can be parsed',
  },
  BROWSER_UNAVAILABLE: {
    happened: 'no browser could be started',
    todo: 'install Chromium, or `npm install --no-save @sparticuz/chromium` (x64 Linux), or set `HOLDSHORT_CHROMIUM_PATH`',
  },
  LIVE_TIMEOUT: {
    happened: 'a source did not answer a live request in time; the fetch continues and its readings are stored',
    todo: 'nothing; ask again in a minute',
  },
  EXPORT_UNAVAILABLE: {
    happened: 'a file of `/data` was not sent: the process has too many files open',
    todo: 'nothing; the reader tries again. If it persists, raise the limit of open files',
  },
  LIVE_UNAVAILABLE: {
    happened:
      'the pipeline is not running, or did not answer a live request within ten seconds; the snapshot is still served',
    todo: "check the pipeline's log; `start` restarts it by itself",
  },
  PRECONDITION_FAILED: {
    happened:
      'a reader of `/data` asked for parts of a file that was exported anew, or for bytes that it does not have',
    todo: 'nothing; the reader starts again from the manifest',
  },
  RANGE_NOT_SATISFIABLE: {
    happened:
      'a reader of `/data` asked for parts of a file that was exported anew, or for bytes that it does not have',
    todo: 'nothing; the reader starts again from the manifest',
  },
  PARSE_FAILED: {
    happened: 'the format of a payload has changed; the raw capture is retained',
    todo: 'repair the parser with `sources parse`, then `run replay`',
  },
  SOURCE_UNKNOWN: {
    happened: 'no source has this id, or the source is off',
    todo: '`npx holdshort sources`',
  },
  SOURCE_OFF: {
    happened: 'no source has this id, or the source is off',
    todo: '`npx holdshort sources`',
  },
  STATE_INCOMPLETE: {
    happened: 'the state or the pepper is missing, empty, older than it was, or another one',
    todo: 'put back `state.sqlite` with its `state.sqlite-wal`, or restore a backup; `holdshort state accept` goes on with what is there',
  },
  STATE_OF_OTHER_RELEASE: {
    happened:
      'a later release has changed the tables of accounts and keys, or they are of a time before 0.1.0; nothing was changed',
    todo: 'install the release that used them last, or restore a backup of before',
  },
  BACKUP_INVALID: {
    happened: 'a backup is not what was written, cut, or no backup; nothing was restored',
    todo: 'take an earlier one, or another copy',
  },
  RESTORE_UNFINISHED: {
    happened: 'a restore into this data folder was interrupted',
    todo: 'run `holdshort restore` again with the same folder',
  },
  DATA_FOLDER_IN_USE: {
    happened:
      'another process uses the data folder and this command needs it alone, or a second `start`, `demo` or `work` was started on it; the message names the process',
    todo: 'stop that process, or choose another folder',
  },
  DATA_FOLDER_UNUSABLE: {
    happened:
      'the data folder, or the folder of a backup, cannot be created or is no folder: the path is a file or lies below one, the file system is read-only, or this user may not write there',
    todo: 'choose another folder (`--data-dir`), or change its permissions',
  },
  DATA_FOLDER_GONE: {
    happened:
      'the data folder, its state or its snapshots were moved, deleted or replaced while a process used them; the process says so and stops with exit code 4, within two seconds (for snapshots: after two publishing intervals without a new one), and its supervisor with it',
    todo: 'put the folder back as it was, or restore a backup, then start again',
  },
  FORECASTS_ENDED: {
    happened: 'in `/health`: the hours of the newest forecast are over, though waits are still published',
    todo: "see the pipeline's log for why no forecast is made; `npx holdshort doctor` names models that cannot be read",
  },
  SNAPSHOT_STALE: {
    happened:
      'no snapshot has been published for two periods (`HOLDSHORT_PUBLISH_SECONDS`); `/health` and `/status` say why: a process holds the warehouse, the pipeline gives no answer, or it has not finished',
    todo: 'end the process that is named, or see the log of the pipeline; answers go on from the last snapshot, with its age',
  },
  PROCESS_SILENT: {
    happened:
      'a process of the service was stopped, or waits for what never comes (a disk that hangs, say); `/health` and the log name it',
    todo: 'nothing: after `HOLDSHORT_SILENCE_SECONDS` it is killed and started again; where it goes silent again, look at the disk and the memory of the machine',
  },
  WAREHOUSE_LOCKED: {
    happened:
      'another process has held the warehouse for more than half a minute; the message names it. The pipeline waits as long as it takes, says so in its log, and lands afterwards what was collected meanwhile',
    todo: 'wait for it, or end it',
  },
  OLD_LAYOUT: {
    happened: 'the data folder holds the Parquet folders of a time before the first release, which no release reads',
    todo: 'move these folders away, or name a new data folder',
  },
  WRITE_FENCED: {
    happened:
      'this process was frozen while it wrote (suspended machine, paused container), and another one took over; nothing was replaced and nothing acknowledged was lost',
    todo: 'nothing in the pipeline, which repeats the work; run a command again',
  },
  WAREHOUSE_CORRUPT: {
    happened: 'the warehouse file cannot be read, or a raw capture is not what was stored (it is skipped)',
    todo: 'stop the service and run `holdshort repair` (see *Backups*); check the disk',
  },
  WAREHOUSE_FOREIGN: {
    happened:
      'the warehouse file is empty or of another installation: it lacks the mark that this folder expects. Nothing was written to it',
    todo: 'put the right file back with its log (`warehouse.duckdb.wal`); or stop the service and run `holdshort repair`, which keeps the file under another name; if its rows are the right ones, `holdshort repair --from <file>`',
  },
  WAREHOUSE_LOG_MISMATCH: {
    happened:
      'the log `warehouse.duckdb.wal` is of another file or of an earlier state of this one, as after copying one of the two alone or without deleting what was gone. Nothing of it was applied',
    todo: 'put the file and the log of one moment back; or stop the service and run `holdshort repair`, which goes on without the log and parses the captures since then again',
  },
  WAREHOUSE_COPY_DIFFERS: {
    happened:
      'the daily copy lacks rows that the copy before had, and neither retention nor a rewritten day explains it. The copy before is kept as `warehouse/copy-<time>.duckdb`',
    todo: 'compare the two (`holdshort doctor` counts the rows); to go back, stop the service and run `holdshort repair --from <kept copy>`, which parses the captures since then again; then, or if the rows may go, delete the kept copy',
  },
  WORLD_MISMATCH: {
    happened: 'live and simulated data would share a folder, or `world.json` does not say what the rows are',
    todo: 'use another `--data-dir`, or correct `world.json` as the message says',
  },
  STORE_UNREACHABLE: {
    happened:
      'the bucket or the catalog database gave no usable answer in time, after retries; nothing was acknowledged that they do not have',
    todo: 'check them and the network; everything recovers by itself',
  },
  STORE_REFUSED: {
    happened:
      'the bucket or the catalog database refused a request: wrong credentials, bucket, region or clock, or `holdshort store create` was never run; the message has their own code',
    todo: 'correct the settings, or run it',
  },
  STORE_DAMAGED: {
    happened:
      'an object of the bucket that is published, or that is a file of the tables, is missing or not what was written; what is on the disks stays in use',
    todo: 'restore the object from an earlier version of the bucket; a published one comes again with the next publication. `holdshort doctor` names the files of the tables that are missing or cut',
  },
  EXTENSION_MISSING: {
    happened:
      'an extension of DuckDB cannot be loaded: it is not installed and extensions.duckdb.org cannot be reached',
    todo: 'run `holdshort store extensions <folder>` on a machine that reaches it, copy the folder, name it in `HOLDSHORT_DUCKDB_EXTENSIONS`',
  },
  LEAD_HELD: {
    happened:
      '`train`, `models pin`, `models promote` or `run publish` was run while the pipeline of another machine leads',
    todo: 'run it on that machine',
  },
  DISK_FULL: {
    happened: 'the disk is full; no stored data is lost',
    todo: 'free space, or lower the limits above',
  },
  SNAPSHOT_INVALID: {
    happened: 'a snapshot cannot be loaded; the one before is still served',
    todo: '`npx holdshort run publish`',
  },
  IMPORT_INVALID: {
    happened: 'a file to import is invalid',
    todo: 'the message names the column',
  },
  MODEL_INVALID: {
    happened: 'a model artifact cannot be loaded',
    todo: '`npx holdshort train`',
  },
  NOT_ENOUGH_HISTORY: {
    happened: 'there are too few hours to train on',
    todo: 'wait, or import history; `train --allow-none` accepts it',
  },
  DEMO_FAILED: {
    happened: 'the demo did not serve, or with `--once` was not whole in time; the message names what is missing',
    todo: 'read the lines above it; on a slow machine run it without `--once`',
  },
  SETTINGS_INVALID: {
    happened: 'a setting or an argument is invalid',
    todo: 'the message names it',
  },
  USAGE: {
    happened: 'a setting or an argument is invalid',
    todo: 'the message names it',
  },
}

export interface ParameterFault {
  parameter: string
  message: string
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
    const shown = faults.map(({ parameter, message }) => ({ parameter: withoutMarkup(parameter), message }))
    super('INVALID_PARAMETER', shown.map((fault) => `${fault.parameter}: ${fault.message}`).join('; '))
    this.faults = shown
  }

  static of(parameter: string, message: string): ParameterError {
    return new ParameterError([{ parameter, message }])
  }
}

/** No airport has a code. `successor`: the airport that took the place of the one that had it. */
export class AirportNotFoundError extends HoldshortError {
  readonly successor: string | null
  constructor(message: string, successor: string | null = null) {
    super('AIRPORT_NOT_FOUND', message)
    this.successor = successor
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
