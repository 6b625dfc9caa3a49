import { join, resolve } from 'node:path'
import { closest, distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { faultOfContact } from './contact.ts'
import { type ParameterFault, SettingsError } from './errors.ts'
import { LICENCE_IDS } from './licences.ts'
import { proxyList } from './networks.ts'
import { isReadablePath, NOT_UTF_8, pathFault } from './readable-path.ts'
import { httpBase, postgresUrl, publicOrigin, redisUrl, requestedUrl, serverOrigin } from './setting-urls.ts'
import {
  areOrigins,
  bytes,
  commaSeparated,
  DAY_SECONDS,
  days,
  GB,
  grantedLicences,
  networks,
  number,
  port,
  storePlace,
  stripeValue,
  text,
  wholeNumber,
  word,
} from './setting-values.ts'

const MIN_PEPPER_LENGTH = 16
/** A shorter key in an address would not be redacted, as it may be part of any word. */
const MIN_SOURCE_KEY_LENGTH = 8

/** A host as it stands in an address: IPv6 in brackets. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/**
 * Every setting with its default; docs/operate/settings.md says what each means. The environment variable is HOLDSHORT_ followed by
 * the name in capitals.
 */
export const Settings = z.object({
  data_dir: text
    .refine(isReadablePath, NOT_UTF_8)
    .refine(
      (path) => !/^(~|[a-z][a-z0-9+.-]+:\/\/)/i.test(path),
      'must be the path of a folder: not an address (a bucket is HOLDSHORT_STORE), and ~ is not expanded',
    )
    .default('./data'),
  site_url: publicOrigin.optional(),
  contact: z
    .string()
    .superRefine((text, context) => {
      const message = faultOfContact(text)
      if (message !== null) context.addIssue({ code: 'custom', message })
    })
    .default('https://github.com/holdshort/holdshort'),
  privacy_file: z.string().min(1).optional(),
  terms_file: z.string().min(1).optional(),
  imprint_file: z.string().min(1).optional(),
  host: z
    .string()
    .transform((text) => text.replace(/^\[(.*)\]$/, '$1'))
    .refine(
      (text) => /^[\w.:-]+$/.test(text) && URL.canParse(`http://${hostInUrl(text)}:80`),
      'must be a name or an address of this machine, such as 127.0.0.1, :: or ::1',
    )
    .default('127.0.0.1'),
  port: port.default(8080),
  mcp_url: publicOrigin.optional(),
  auth_url: publicOrigin.optional(),
  mcp_origins: commaSeparated.refine(areOrigins, 'must be origins like https://agent.example, separated by commas'),
  mcp_open_listing: z.stringbool().default(false),
  registry_name: z
    .string()
    .max(200, 'must have at most 200 characters')
    .regex(/^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/, 'must be a namespace and a name, like io.github.owner/holdshort')
    .optional(),
  open_pages: z.enum(['airports', 'none']).default('airports'),
  open_pages_per_minute: wholeNumber(0, 100_000).default(600),
  sla_percent: number(50, 100).optional(),
  heartbeat_url: requestedUrl.optional(),
  access_log: text.optional(),
  log_level: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  key_pepper: z.string().min(MIN_PEPPER_LENGTH, `must have at least ${MIN_PEPPER_LENGTH} characters`).optional(),
  key_pepper_former: commaSeparated.refine(
    (peppers) => peppers.every((pepper) => pepper.length >= MIN_PEPPER_LENGTH),
    `must be values of at least ${MIN_PEPPER_LENGTH} characters, separated by commas`,
  ),
  swedavia_key: word.optional(),
  data_go_kr_key: word
    .min(MIN_SOURCE_KEY_LENGTH, `must have at least ${MIN_SOURCE_KEY_LENGTH} characters`)
    .refine((key) => !key.includes('%'), 'must be the decoded key of the portal, without %')
    .optional(),
  trusted_proxies: networks(proxyList),
  metrics_from: networks(),
  chromium_path: text.optional(),
  redis_url: redisUrl.optional(),
  database_url: postgresUrl.optional(),
  store: storePlace.default('folder'),
  catalog_url: postgresUrl.optional(),
  duckdb_extensions: text.optional(),
  store_addressing: z.enum(['path', 'virtual']).optional(),
  aws_endpoint_url_s3: serverOrigin.optional(),
  aws_endpoint_url: serverOrigin.optional(),
  aws_region: word.optional(),
  aws_access_key_id: word.optional(),
  aws_secret_access_key: word.optional(),
  aws_session_token: word.optional(),
  stripe_secret_key: word.regex(/^[sr]k_./, 'must begin with sk_ or rk_ and go on').optional(),
  stripe_webhook_secret: stripeValue('whsec_'),
  stripe_price_pro: stripeValue('price_'),
  stripe_price_enterprise: stripeValue('price_'),
  stripe_meter_pro: word.optional(),
  stripe_meter_enterprise: word.optional(),
  stripe_overage_price_pro: stripeValue('price_'),
  stripe_overage_price_enterprise: stripeValue('price_'),
  stripe_api_url: serverOrigin.optional(),
  outward_allow: networks(),
  simulated_world: httpBase.optional(),
  registrations_per_minute: wholeNumber(1, 1_000_000).default(5),
  registrations_per_day: wholeNumber(1, 1_000_000).default(20),
  client_registrations_per_minute: wholeNumber(1, 1_000_000).default(10),
  client_registrations_per_day: wholeNumber(1, 1_000_000).default(100),
  drain_seconds: number(0, 60).default(0),
  silence_seconds: number(5, 3_600).default(120),
  publish_seconds: number(1, DAY_SECONDS).default(60),
  training_settings: text.optional(),
  live_min_age_seconds: number(0, DAY_SECONDS).default(60),
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
  open_data_seconds: number(60, 7 * DAY_SECONDS).default(3_600),
  open_data_per_minute: wholeNumber(0, 100_000).default(1_200),
  open_data_licence: z.enum(LICENCE_IDS).default('CC-BY-4.0'),
  open_data_grants: grantedLicences,
  raw_days: days.default(30),
  raw_bytes: bytes.default(10 * GB),
  readings_days: days.default(400),
  rollups_days: days.default(1_100),
  forecasts_days: days.default(120),
  warehouse_bytes: bytes.default(20 * GB),
  snapshots_keep: wholeNumber(2, 10_000).default(5),
  snapshots_bytes: bytes.default(2 * GB),
  min_free_bytes: wholeNumber(1, 1e15).default(GB / 2),
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
  const unclean: ParameterFault[] = []
  for (const name of Object.keys(Settings.shape)) {
    const parameter = environmentName(name)
    const value = environment[parameter]
    if (value === undefined || value === '') continue
    const message = faultOfText(value)
    if (message === null) values[name] = value
    else unclean.push({ parameter, message })
  }
  const known = new Set(Object.keys(Settings.shape).map(environmentName))
  const unknown = Object.keys(environment)
    .filter((name) =>
      isFileOfSetting(name, known) ? isUnread(name, environment) : name.startsWith('HOLDSHORT_') && !known.has(name),
    )
    .map((parameter) => {
      if (isFileOfSetting(parameter, known))
        return { parameter, message: `is not a setting, and none is read from a file; set ${withoutFile(parameter)}` }
      const conventional = parameter.replace('HOLDSHORT_', '')
      const meant = known.has(conventional) ? conventional : closestOf(parameter, [...known])
      const hint = meant === null ? 'docs/operate/settings.md lists all' : `did you mean ${meant}?`
      return { parameter, message: `is not a setting; ${hint}` }
    })
  const faults = [...unknown, ...unclean]
  const parsed = Settings.safeParse(values)
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const parameter = environmentName(String(issue.path[0]))
      // The first rule that a setting breaks says what is wrong; later ones rest on it.
      if (!faults.some((fault) => fault.parameter === parameter)) faults.push({ parameter, message: issue.message })
    }
  } else faults.push(...faultsOfPairs(parsed.data))
  if (!parsed.success || faults.length > 0) throw new SettingsError(faults)
  const data_dir = resolve(parsed.data.data_dir)
  // A relative path is below the current folder, whose name may be the unreadable one.
  const fault = pathFault(data_dir)
  if (fault !== null) throw new SettingsError([{ parameter: 'HOLDSHORT_DATA_DIR', message: fault }])
  return { ...parsed.data, data_dir }
}

const withoutFile = (name: string) => name.replace(/_FILE$/, '')

/** Whether a variable names the file of a setting, as containers are often given secrets. */
const isFileOfSetting = (name: string, known: ReadonlySet<string>): boolean =>
  name.endsWith('_FILE') && !known.has(name) && known.has(withoutFile(name))

/** Whether nothing has read such a file: the setting would be missing without a word. */
const isUnread = (name: string, environment: Record<string, string | undefined>): boolean =>
  !environment[withoutFile(name)] && environment[name] !== ''

/** Characters that no setting may have: they come from files with other line ends or rules, or from a copied line, and change names, paths and secrets unseen. */
function faultOfText(value: string): string | null {
  if (value.trim() !== value) return 'has white space at its beginning or end; remove it'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(value)) return 'has a line break, tab or other control character; remove it'
  // Docker's --env-file keeps the quotes of a line.
  if (/^(["']).*\1$/.test(value)) return 'is in quotes, which are part of the value here; remove them'
  return null
}

/** Settings that are used together or not at all. */
function faultsOfPairs({ aws_access_key_id: id, aws_secret_access_key: secret, aws_session_token }: Settings) {
  const faults: ParameterFault[] = []
  const missing = (name: string, message: string) => faults.push({ parameter: environmentName(name), message })
  if (id !== undefined && secret === undefined) missing('aws_secret_access_key', 'must be set beside AWS_ACCESS_KEY_ID')
  if (id === undefined && secret !== undefined) missing('aws_access_key_id', 'must be set beside AWS_SECRET_ACCESS_KEY')
  if (aws_session_token !== undefined && id === undefined && secret === undefined)
    missing('aws_session_token', 'needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY beside it')
  return faults
}

/** More typing errors than this are another name. */
const MAX_TYPING_ERRORS = 3

function closestOf(mistyped: string, names: readonly string[]): string | null {
  const name = closest(mistyped, names)
  return distance(mistyped, name) <= MAX_TYPING_ERRORS ? name : null
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
    /** Id of the installation that owns the tables, as the file itself has it too. */
    warehouse_mark: join(dataDir, 'warehouse', 'mark.json'),
    models: join(dataDir, 'models'),
    snapshots: join(dataDir, 'snapshots'),
    state: join(dataDir, 'state.sqlite'),
    /** Which state the folder uses, also where that is on PostgreSQL. */
    state_marker: join(dataDir, 'state.sqlite-marker'),
    /** Space that the state needs to be opened, kept for a full disk. */
    state_reserve: join(dataDir, 'state.sqlite-reserve'),
    pepper: join(dataDir, 'key-pepper'),
    world: join(dataDir, 'world.json'),
    scratch: join(dataDir, 'scratch'),
    locks: join(dataDir, 'locks'),
    live_socket: join(dataDir, 'live.sock'),
    /** Files served at /data. */
    open_data: join(dataDir, 'open-data'),
    /** Present while a backup is being restored into the folder. */
    unfinished_restore: join(dataDir, 'restore-unfinished.json'),
    /** Present while the warehouse is being repaired, and after a repair that was cut off. */
    unfinished_repair: join(dataDir, 'repair-unfinished.json'),
  }
}
