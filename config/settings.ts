import { join, resolve } from 'node:path'
import { z } from 'zod'
import { SettingsError } from './errors.ts'
import { isLicenceId, LICENCE_IDS, type LicenceId } from './licences.ts'
import { networkList } from './networks.ts'
import { isReadablePath, NOT_UTF_8 } from './readable-path.ts'
import { reservedHostOf } from './reserved-hosts.ts'

/** A number in digits, as people write it, with or without a fraction: not 1e3, 0x10 or nothing at all. */
export const isPlainNumber = (text: string): boolean => /^\d{1,16}(\.\d{1,16})?$/.test(text)

const readNumber = (text: unknown) => (typeof text === 'string' && isPlainNumber(text) ? Number(text) : Number.NaN)

/** Every number has both bounds: a timer of a month and more would fire at once. */
function number(min: number, max: number, message = `must be a number from ${min} to ${max}`) {
  return z.preprocess(readNumber, z.number(message).min(min, message).max(max, message))
}

function wholeNumber(min: number, max: number, message = `must be a whole number from ${min} to ${max}`) {
  return z.preprocess(readNumber, z.number(message).int(message).min(min, message).max(max, message))
}

const port = wholeNumber(0, 65_535, 'must be a port number, 0 to 65535')
const httpUrl = z.url({ protocol: /^https?$/ })
const DAY_SECONDS = 86_400
const days = number(0.01, 36_500)
const bytes = wholeNumber(1, 1e15)
const GB = 1_073_741_824
const MIN_PEPPER_LENGTH = 16
const commaSeparated = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )

function areNetworks(networks: string[]): boolean {
  try {
    networkList(networks)
    return true
  } catch {
    return false
  }
}

/** Names that Fastify knows for networks of proxies. */
const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** `source=licence` pairs, as a map. */
const grantedLicences = commaSeparated
  .refine(
    (pairs) => pairs.every((pair) => /^[a-z0-9-]+=/.test(pair) && isLicenceId(pair.slice(pair.indexOf('=') + 1))),
    `must be pairs like import=CC-BY-4.0, separated by commas; the licences are ${LICENCE_IDS.join(', ')}`,
  )
  .transform((pairs) => new Map(pairs.map((pair) => pair.split('=') as [string, LicenceId])))

const areOrigins = (origins: string[]) => origins.every((text) => URL.canParse(text) && new URL(text).origin === text)

/** A host as it stands in an address: IPv6 in brackets. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Every setting with its default. The environment variable is HOLDSHORT_ followed by the name in capitals. */
export const Settings = z.object({
  /** One folder holds everything: warehouse, models, snapshots, state. */
  data_dir: z.string().min(1).refine(isReadablePath, NOT_UTF_8).default('./data'),
  host: z
    .string()
    .transform((text) => text.replace(/^\[(.*)\]$/, '$1'))
    .refine(
      (text) => URL.canParse(`http://${hostInUrl(text)}:80`),
      'must be a name or an address of this machine, such as 127.0.0.1, :: or ::1',
    )
    .default('127.0.0.1'),
  port: port.default(8080),
  /** Public address of the site and the REST API; by default http://host:port. */
  site_url: z.url().optional(),
  mcp_url: z.url().optional(),
  auth_url: z.url().optional(),
  /** Origins of other sites whose pages may call /mcp; none by default. */
  mcp_origins: commaSeparated.refine(areOrigins, 'must be origins like https://agent.example, separated by commas'),
  /** Lets directories list the MCP server: `initialize`, the lists, prompts and resources need no key, tool calls still do. */
  mcp_open_listing: z.stringbool().default(false),
  /** What people see without an account: `airports`, each airport as a whole, now and the next 24 hours; or `none`. */
  open_pages: z.enum(['airports', 'none']).default('airports'),
  /** Pages and pictures that one network may request in a minute without an account; 0: as many as it likes. */
  open_pages_per_minute: wholeNumber(0, 100_000).default(600),
  /** The availability in percent that the operator promises to Enterprise; without it nothing is promised. */
  sla_percent: number(50, 100).optional(),
  /** The operator's contact: sent in the User-Agent to every source and to push services, and served in security.txt. */
  contact: z
    .string()
    .min(3)
    .refine(
      (text) => reservedHostOf(text) === null,
      'leads to a reserved name (such as example.com, .test, .local or localhost), where nobody can reach you: push services refuse it',
    )
    .default('https://github.com/holdshort/holdshort'),
  /** Markdown files of the operator in place of the plain texts of /privacy, /terms and /imprint. */
  privacy_file: z.string().min(1).optional(),
  terms_file: z.string().min(1).optional(),
  imprint_file: z.string().min(1).optional(),
  /** Name of the MCP server in registries, like io.github.owner/holdshort; by default the reversed host name of mcp_url. */
  registry_name: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/, 'must be a namespace and a name, like io.github.owner/holdshort')
    .optional(),
  /** A file, or `stdout`, that gets a line of JSON for each answered request; none by default. */
  access_log: z.string().min(1).optional(),
  log_level: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  /** Secret that API keys are hashed with; if not set, one is generated and stored in the data folder. */
  key_pepper: z.string().min(MIN_PEPPER_LENGTH).optional(),
  /** Former values of key_pepper, under which credentials stay valid; separated by commas. */
  key_pepper_former: commaSeparated.refine(
    (peppers) => peppers.every((pepper) => pepper.length >= MIN_PEPPER_LENGTH),
    `must be values of at least ${MIN_PEPPER_LENGTH} characters, separated by commas`,
  ),
  /** The operator's own key of Swedavia's developer portal, for the source `swedavia-keyed`. */
  swedavia_key: z.string().min(1).optional(),
  /** CIDRs of proxies whose X-Forwarded-For is trusted; none by default, so that clients cannot forge an address. */
  trusted_proxies: commaSeparated.refine(
    (networks) => areNetworks(networks.filter((network) => !NAMED_NETWORKS.has(network))),
    'must be addresses or CIDRs, separated by commas',
  ),
  /** Networks that may read /metrics; by default only this machine. */
  metrics_from: commaSeparated.refine(areNetworks, 'must be addresses or CIDRs, separated by commas'),
  chromium_path: z.string().optional(),
  /** Runs jobs (BullMQ), calls and the gate over Redis instead of in one process: required for several api processes. */
  redis_url: z.url().optional(),
  /** PostgreSQL for the state instead of a SQLite file; every process of the installation then needs the same key_pepper. */
  database_url: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** The database of the warehouse's catalog where `store` is a bucket; by default that of database_url with `_warehouse` after its name. */
  catalog_url: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** A folder with DuckDB's extensions as files; by default they are those that DuckDB has installed, or installs. */
  duckdb_extensions: z.string().min(1).optional(),
  /** Where everything but the state lives: `folder` (the data folder), or a bucket, whose tables have their catalog in PostgreSQL. */
  store: z
    .string()
    .regex(
      /^(folder|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9._/-]*)?)$/,
      'must be folder, or s3://bucket/prefix',
    )
    .default('folder'),
  /** How the bucket is addressed: in the path, or as a host name; by default in the path when an endpoint is set. */
  store_addressing: z.enum(['path', 'virtual']).optional(),
  /** The usual variables of S3 clients, for the bucket of `store`. */
  aws_endpoint_url: httpUrl.optional(),
  /** Wins over aws_endpoint_url. */
  aws_endpoint_url_s3: httpUrl.optional(),
  aws_region: z.string().min(1).optional(),
  aws_access_key_id: z.string().min(1).optional(),
  aws_secret_access_key: z.string().min(1).optional(),
  aws_session_token: z.string().min(1).optional(),
  /** Without Stripe's secret key, only the operator can grant plans. */
  stripe_secret_key: z
    .string()
    .regex(/^[sr]k_/, 'must begin with sk_ or rk_')
    .optional(),
  stripe_webhook_secret: z
    .string()
    .regex(/^whsec_/, 'must begin with whsec_')
    .optional(),
  /** Ids of the monthly prices of the two paid tiers. */
  stripe_price_pro: z
    .string()
    .regex(/^price_/, 'must begin with price_')
    .optional(),
  stripe_price_enterprise: z
    .string()
    .regex(/^price_/, 'must begin with price_')
    .optional(),
  /** Ids of the metered prices that bill calls beyond the monthly quota. */
  stripe_overage_price_pro: z
    .string()
    .regex(/^price_/, 'must begin with price_')
    .optional(),
  stripe_overage_price_enterprise: z
    .string()
    .regex(/^price_/, 'must begin with price_')
    .optional(),
  /** Names of the billing meters that calls beyond the monthly quota are reported to. */
  stripe_meter_pro: z.string().min(1).optional(),
  stripe_meter_enterprise: z.string().min(1).optional(),
  /** Another address for Stripe's API, for tests. */
  stripe_api_url: z.url().optional(),
  /**
   * Private networks that may be requested; none by default. Addresses given by clients (client metadata, push endpoints), the
   * sources and the pages of sources may lie in them.
   */
  outward_allow: commaSeparated.refine(areNetworks, 'must be addresses or CIDRs, separated by commas'),
  /** Demo only: address of the simulated world. Every answer then says `"simulated": true`. */
  simulated_world: z.url().optional(),
  registrations_per_minute: wholeNumber(1, 1_000_000).default(5),
  registrations_per_day: wholeNumber(1, 1_000_000).default(20),
  /** The same limits for MCP clients, which register themselves at every sign-in, and for new metadata documents. */
  client_registrations_per_minute: wholeNumber(1, 1_000_000).default(10),
  client_registrations_per_day: wholeNumber(1, 1_000_000).default(100),
  /** How long a stopping api still answers new requests while it says that it is not ready, so that a proxy can turn away. */
  drain_seconds: number(0, 60).default(0),
  publish_seconds: number(1, DAY_SECONDS).default(60),
  /** A JSON file of settings that scheduled training uses; by default those of the release. */
  training_settings: z.string().min(1).optional(),
  /** A live request does not fetch a source that was fetched less than this long ago; the source's pace is the minimum. */
  live_min_age_seconds: number(0, DAY_SECONDS).default(60),
  /** Tables that are exported and served at /data as open data: `off`, `all`, or their names. */
  open_data: commaSeparated
    .refine(
      (names) => names.length < 2 || !names.some((name) => name === 'off' || name === 'all'),
      'must be off, all, or names of tables separated by commas',
    )
    .refine(
      (names) => names.every((name) => /^[a-z_]+$/.test(name)),
      'must be off, all, or names of tables separated by commas',
    )
    .transform((names) => (names.length === 0 ? ['off'] : names)),
  /** Seconds between two exports of the open data. */
  open_data_seconds: number(60, 7 * DAY_SECONDS).default(3_600),
  /** Requests for files of the open data that one network may send in a minute; 0: as many as it likes. */
  open_data_per_minute: wholeNumber(0, 100_000).default(1_200),
  /** The licence of this installation's own figures: forecasts, scores and the like. */
  open_data_licence: z.enum(LICENCE_IDS).default('CC-BY-4.0'),
  /** Licences that the operator has for sources whose terms the catalogue does not know, such as imports. */
  open_data_grants: grantedLicences,
  raw_days: days.default(30),
  raw_bytes: bytes.default(10 * GB),
  readings_days: days.default(400),
  rollups_days: days.default(1_100),
  forecasts_days: days.default(120),
  /** What the file of the warehouse may hold; beyond it the oldest readings are deleted, then forecasts, then rollups. */
  warehouse_bytes: bytes.default(20 * GB),
  snapshots_keep: wholeNumber(2, 10_000).default(5),
  snapshots_bytes: bytes.default(2 * GB),
  /** With less free disk space the doctor finds a fault. */
  min_free_bytes: bytes.default(GB / 2),
})
export type Settings = z.infer<typeof Settings>

/** Settings with a conventional name of their own, without our prefix. */
const UNPREFIXED = /^(redis_url|database_url|stripe_.*|aws_.*)$/
/** The environment variable of a setting. */
export const environmentName = (name: string) =>
  UNPREFIXED.test(name) ? name.toUpperCase() : `HOLDSHORT_${name.toUpperCase()}`

/**
 * Reads settings from environment variables; the error names every invalid one.
 * @throws SettingsError
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const values: Record<string, string> = {}
  for (const name of Object.keys(Settings.shape)) {
    const value = environment[environmentName(name)]
    if (value !== undefined && value !== '') values[name] = value
  }
  const known = new Set(Object.keys(Settings.shape).map(environmentName))
  const faults = Object.keys(environment)
    .filter((name) => name.startsWith('HOLDSHORT_') && !known.has(name))
    .map((parameter) => ({ parameter, message: 'is not a setting; see `holdshort doctor`' }))
  const parsed = Settings.safeParse(values)
  if (!parsed.success) {
    for (const issue of parsed.error.issues)
      faults.push({ parameter: environmentName(String(issue.path[0])), message: issue.message })
  }
  if (!parsed.success || faults.length > 0) throw new SettingsError(faults)
  const data_dir = resolve(parsed.data.data_dir)
  // A relative path is below the current folder, whose name may be the unreadable one.
  if (!isReadablePath(data_dir)) throw new SettingsError([{ parameter: 'HOLDSHORT_DATA_DIR', message: NOT_UTF_8 }])
  return { ...parsed.data, data_dir }
}

/** The paths inside the data folder; they are declared only here. */
export function dataPaths(dataDir: string) {
  return {
    root: dataDir,
    raw: join(dataDir, 'raw'),
    warehouse: join(dataDir, 'warehouse'),
    /** The tables, in one file of the engine. */
    warehouse_file: join(dataDir, 'warehouse', 'warehouse.duckdb'),
    /** A verified copy of it, made every night. */
    warehouse_copy: join(dataDir, 'warehouse', 'copy.duckdb'),
    models: join(dataDir, 'models'),
    snapshots: join(dataDir, 'snapshots'),
    state: join(dataDir, 'state.sqlite'),
    state_marker: join(dataDir, 'state.sqlite-marker'),
    pepper: join(dataDir, 'key-pepper'),
    world: join(dataDir, 'world.json'),
    scratch: join(dataDir, 'scratch'),
    locks: join(dataDir, 'locks'),
    live_socket: join(dataDir, 'live.sock'),
    /** What is served at /data. */
    open_data: join(dataDir, 'open-data'),
    /** Present while a backup is being restored into the folder. */
    unfinished_restore: join(dataDir, 'restore-unfinished.json'),
  }
}

/** The public addresses; all have the same origin unless set separately. */
export function addresses(settings: Settings) {
  const site = (settings.site_url ?? `http://${hostInUrl(settings.host)}:${settings.port}`).replace(/\/$/, '')
  return {
    site_url: site,
    base_url: `${site}/api/v1`,
    mcp_url: (settings.mcp_url ?? site).replace(/\/$/, ''),
    auth_url: (settings.auth_url ?? settings.mcp_url ?? site).replace(/\/$/, ''),
  }
}

/** The public addresses of the service, without a trailing slash. */
export type Addresses = ReturnType<typeof addresses>
