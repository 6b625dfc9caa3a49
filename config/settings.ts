import { join, resolve } from 'node:path'
import { closest, distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { faultOfContact } from './contact.ts'
import { type ParameterFault, SettingsError } from './errors.ts'
import { LICENCE_IDS } from './licences.ts'
import { isReadablePath, NOT_UTF_8 } from './readable-path.ts'
import { httpBase, postgresUrl, publicOrigin, redisUrl, serverOrigin } from './setting-urls.ts'
import {
  areNetworks,
  areOrigins,
  bytes,
  commaSeparated,
  DAY_SECONDS,
  days,
  GB,
  grantedLicences,
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
/** Names that Fastify knows for networks of proxies. */
const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** A host as it stands in an address: IPv6 in brackets. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/**
 * Every setting with its default and what it means; docs/operate/settings.md is generated from it. The environment variable
 * is HOLDSHORT_ followed by the name in capitals.
 */
export const Settings = z.object({
  data_dir: text
    .refine(isReadablePath, NOT_UTF_8)
    .default('./data')
    .describe('The folder that holds everything: warehouse, models, snapshots, accounts and keys.'),
  site_url: publicOrigin
    .optional()
    .describe(
      'Public address of the site and the REST API: a scheme, a host and perhaps a port, because the service needs a host name of its own. Without it: `http://` with host and port.',
    ),
  contact: z
    .string()
    .superRefine((text, context) => {
      const message = faultOfContact(text)
      if (message !== null) context.addIssue({ code: 'custom', message })
    })
    .default('https://github.com/holdshort/holdshort')
    .describe(
      "The operator's contact: an email address, or an `https:`, `mailto:` or `tel:` URI. It is sent to every source in the User-Agent, and served in `/.well-known/security.txt`. Reserved names, such as `example.com` or `localhost`, and names without a domain are refused.",
    ),
  privacy_file: z
    .string()
    .min(1)
    .optional()
    .describe('A Markdown file with your text for `/privacy`, in place of a plain one.'),
  terms_file: z
    .string()
    .min(1)
    .optional()
    .describe('A Markdown file with your text for `/terms`, in place of a plain one.'),
  imprint_file: z
    .string()
    .min(1)
    .optional()
    .describe('A Markdown file that says who you are, for `/imprint`, in place of a plain text.'),
  host: z
    .string()
    .transform((text) => text.replace(/^\[(.*)\]$/, '$1'))
    .refine(
      (text) => /^[\w.:-]+$/.test(text) && URL.canParse(`http://${hostInUrl(text)}:80`),
      'must be a name or an address of this machine, such as 127.0.0.1, :: or ::1',
    )
    .default('127.0.0.1')
    .describe('Address to listen on.'),
  port: port.default(8080).describe('Port to listen on.'),
  mcp_url: publicOrigin.optional().describe("Public address of the MCP server, if it is not the site's."),
  auth_url: publicOrigin.optional().describe("Public address of sign-in, if it is not the MCP server's."),
  mcp_origins: commaSeparated
    .refine(areOrigins, 'must be origins like https://agent.example, separated by commas')
    .describe(
      'Origins of other sites whose pages may call `/mcp` from a browser, like `https://agent.example`, separated by commas. The origins of this service and of this machine are always allowed.',
    ),
  mcp_open_listing: z
    .stringbool()
    .default(false)
    .describe(
      '`true` lets anyone list the MCP server without a key, 60 requests a minute from one address: `initialize`, the lists of tools, prompts and resources, and reading prompts and resources. Directories of MCP servers need it. Tool calls still need a key, and a client begins OAuth at its first call instead of at the connection. `/.well-known/mcp/tools.json` lists the tools in any case.',
    ),
  registry_name: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/, 'must be a namespace and a name, like io.github.owner/holdshort')
    .optional()
    .describe(
      'Name of the MCP server in registries, in `/server.json`. Without it: the reversed host name of the MCP address, like `com.example/holdshort`.',
    ),
  open_pages: z
    .enum(['airports', 'none'])
    .default('airports')
    .describe(
      'What people see on pages and pictures without an account. `airports`: each airport as a whole, now, the next 24 hours and the 24 before; `none`: no figures. What an account sees beyond that follows its tier.',
    ),
  open_pages_per_minute: wholeNumber(0, 100_000)
    .default(600)
    .describe(
      "Pages and pictures that one network (an IPv4 address, or a /64 of IPv6) may request in a minute without an account; then `rate_limited`. Many travellers share the address of an airport's own network. `0`: no limit.",
    ),
  sla_percent: number(50, 100)
    .optional()
    .describe(
      'The availability that you promise to Enterprise, like `99.5`. It is shown with the plans and, beside what was measured over 30 days, on `/status`. Without it nothing is promised.',
    ),
  heartbeat_url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .optional()
    .describe(
      'An address that is called every minute while `/health` says ok, such as that of a watchdog service: when it hears nothing it tells you. Of several processes each calls it.',
    ),
  access_log: text
    .optional()
    .describe(
      'A file, or `stdout`, that gets a line of JSON for each answered request; see [the access log](routine.md#access-log).',
    ),
  log_level: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('info')
    .describe('`silent`, `error`, `warn`, `info` or `debug`: JSON lines on stderr.'),
  key_pepper: z
    .string()
    .min(MIN_PEPPER_LENGTH)
    .optional()
    .describe(
      'Secret for the hashes of API keys, at least 16 characters. Without it: generated and stored in the data folder. With `DATABASE_URL` it is required, unless the folder has one.',
    ),
  key_pepper_former: commaSeparated
    .refine(
      (peppers) => peppers.every((pepper) => pepper.length >= MIN_PEPPER_LENGTH),
      `must be values of at least ${MIN_PEPPER_LENGTH} characters, separated by commas`,
    )
    .describe(
      'Former values of the pepper, separated by commas, under which keys stay valid; see [replacing secrets](people.md#replace-a-secret).',
    ),
  swedavia_key: word
    .optional()
    .describe(
      "Your own free key of Swedavia's developer portal, for the source `swedavia-keyed`, which is off until you activate its entry in `config/sources.json`.",
    ),
  data_go_kr_key: word
    .min(MIN_SOURCE_KEY_LENGTH)
    .refine((key) => !key.includes('%'), 'must be the decoded key of the portal, without %')
    .optional()
    .describe(
      'Your own free key of the Korean public data portal (data.go.kr), the decoded one, for the sources `kac-process-time` and `kac-congestion`, which are off until you activate their entries in `config/sources.json`.',
    ),
  trusted_proxies: commaSeparated
    .refine(
      (networks) => areNetworks(networks.filter((network) => !NAMED_NETWORKS.has(network))),
      'must be addresses or CIDRs, separated by commas',
    )
    .describe(
      'CIDRs of proxies whose `X-Forwarded-For` is trusted, separated by commas; `loopback`, `linklocal` and `uniquelocal` are names for networks.',
    ),
  metrics_from: commaSeparated
    .refine(areNetworks, 'must be addresses or CIDRs, separated by commas')
    .describe('CIDRs that may read `/metrics`, separated by commas. Without it: only this machine.'),
  chromium_path: text
    .optional()
    .describe(
      'Browser for the sources that need one. Without it: that of the npm package `@sparticuz/chromium` where it is installed, otherwise an installed one.',
    ),
  redis_url: redisUrl
    .optional()
    .describe(
      'Redis for jobs (BullMQ), calls to the pipeline and limits, so that several machines share the work and several api processes share the limits; see [several machines](several-machines.md).',
    ),
  database_url: postgresUrl
    .optional()
    .describe(
      'PostgreSQL for accounts, keys and all other state, instead of a SQLite file. Every process then needs the same `HOLDSHORT_KEY_PEPPER`.',
    ),
  store: storePlace
    .default('folder')
    .describe(
      'Where tables, models, raw captures and snapshots are: `folder` (the data folder) or `s3://bucket/prefix`, for several machines.',
    ),
  catalog_url: postgresUrl
    .optional()
    .describe(
      'The PostgreSQL database of the catalog of the tables in a bucket; it holds nothing else. Without it: that of `DATABASE_URL` with `_warehouse` after its name.',
    ),
  duckdb_extensions: text
    .optional()
    .describe(
      "A folder with DuckDB's extensions, for machines that cannot reach extensions.duckdb.org; `holdshort store extensions <folder>` fills it elsewhere. Without it: those that DuckDB has installed, or installs.",
    ),
  store_addressing: z
    .enum(['path', 'virtual'])
    .optional()
    .describe(
      'Whether the bucket stands in the path of an address (`path`) or in its host name (`virtual`). Without it: `path` where an endpoint is set, otherwise `virtual`.',
    ),
  aws_endpoint_url_s3: serverOrigin
    .optional()
    .describe('Address of the S3-compatible store; it wins over `AWS_ENDPOINT_URL`. Without both: AWS.'),
  aws_endpoint_url: serverOrigin.optional().describe('Address of the S3-compatible store.'),
  aws_region: word.optional().describe('Region of the bucket. Without it: `us-east-1`.'),
  aws_access_key_id: word
    .optional()
    .describe('Credentials of the bucket. Without them: what the AWS SDK finds (role, web identity, SSO) and renews.'),
  aws_secret_access_key: word.optional().describe('The secret of these credentials.'),
  aws_session_token: word.optional().describe('The session of these credentials, if they are temporary.'),
  stripe_secret_key: word
    .regex(/^[sr]k_./, 'must begin with sk_ or rk_ and go on')
    .optional()
    .describe(
      'Sells the paid tiers through Stripe; see [money](money.md). Without it, plans can only be granted with `holdshort accounts grant`.',
    ),
  stripe_webhook_secret: stripeValue('whsec_').describe("Signing secret of Stripe's webhook endpoint."),
  stripe_price_pro: stripeValue('price_').describe('Id of the monthly price of Pro.'),
  stripe_price_enterprise: stripeValue('price_').describe('Id of the monthly price of Enterprise.'),
  stripe_meter_pro: word
    .optional()
    .describe('Event name of the billing meter that calls beyond the monthly quota of Pro are reported to.'),
  stripe_meter_enterprise: word.optional().describe('The same for Enterprise.'),
  stripe_overage_price_pro: stripeValue('price_').describe(
    'Id of the metered price that bills those calls. Set it together with the meter or not at all.',
  ),
  stripe_overage_price_enterprise: stripeValue('price_').describe('The same for Enterprise.'),
  stripe_api_url: serverOrigin.optional().describe("Another address for Stripe's API, for tests only."),
  outward_allow: commaSeparated
    .refine(areNetworks, 'must be addresses or CIDRs, separated by commas')
    .describe(
      'Private networks, separated by commas, in which addresses given by clients (client metadata, push endpoints), sources and the pages of sources may lie.',
    ),
  simulated_world: httpBase
    .optional()
    .describe('Address of the simulated world, for the demo only. Every answer then says `"simulated": true`.'),
  registrations_per_minute: wholeNumber(1, 1_000_000)
    .default(5)
    .describe('Anonymous registrations from one IP address (IPv6: a /64) in a minute.'),
  registrations_per_day: wholeNumber(1, 1_000_000).default(20).describe('The same in a day.'),
  client_registrations_per_minute: wholeNumber(1, 1_000_000)
    .default(10)
    .describe(
      'Registrations of MCP clients from one IP address in a minute, and, counted separately, new documents of client metadata that are fetched for it.',
    ),
  client_registrations_per_day: wholeNumber(1, 1_000_000).default(100).describe('The same in a day.'),
  drain_seconds: number(0, 60)
    .default(0)
    .describe(
      'How long a stopping api goes on answering while `/health/ready` says 503, so that a proxy can send requests elsewhere first.',
    ),
  silence_seconds: number(5, 3_600)
    .default(120)
    .describe(
      'A process of the service that gives no sign of life for so many seconds (it was stopped, or its disk hangs) is killed and started again. The time in which the whole machine slept does not count.',
    ),
  publish_seconds: number(1, DAY_SECONDS).default(60).describe('Seconds between two snapshots.'),
  training_settings: text
    .optional()
    .describe(
      'A JSON file of settings for the daily training; `holdshort train --print-settings` prints all of them. Without it: those of the release.',
    ),
  live_min_age_seconds: number(0, DAY_SECONDS)
    .default(60)
    .describe(
      "A live request does not fetch a source that was fetched less than this many seconds ago. The source's own pace is the minimum.",
    ),
  open_data: commaSeparated
    .refine(
      (names) => names.length < 2 || !names.some((name) => name === 'off' || name === 'all'),
      'must be off, all, or names of tables separated by commas',
    )
    .refine(
      (names) => names.every((name) => /^[a-z_]+$/.test(name)),
      'must be off, all, or names of tables separated by commas',
    )
    .transform((names) => (names.length === 0 ? ['off'] : names))
    .describe(
      'Tables that are exported and served at `/data`: `off`, `all`, or names separated by commas; see [open data](../use/open-data.md).',
    ),
  open_data_seconds: number(60, 7 * DAY_SECONDS)
    .default(3_600)
    .describe('Seconds between two exports.'),
  open_data_per_minute: wholeNumber(0, 100_000)
    .default(1_200)
    .describe(
      'Requests for files at `/data` that one network (an IPv4 address, or a /64 of IPv6) may send to one api in a minute; then `rate_limited`. `0`: no limit.',
    ),
  open_data_licence: z
    .enum(LICENCE_IDS)
    .default('CC-BY-4.0')
    .describe('The licence of what your installation computes itself, and of simulated figures.'),
  open_data_grants: grantedLicences.describe(
    'Licences that you have for sources whose terms the catalogue does not know, like `import=CC-BY-4.0,sea-cwt=CC0-1.0`.',
  ),
  raw_days: days
    .default(30)
    .describe('Days that raw captures are kept, unless they reach `HOLDSHORT_RAW_BYTES` earlier.'),
  raw_bytes: bytes.default(10 * GB).describe('Bytes of raw captures that are kept; the oldest are deleted first.'),
  readings_days: days.default(400).describe('Days that readings, delays, weather, notices and runs are kept.'),
  rollups_days: days
    .default(1_100)
    .describe(
      'Days that rollups and what they were before corrections, throughput, map places, and hours and states of the sources are kept.',
    ),
  forecasts_days: days.default(120).describe('Days that forecast vintages and backtests are kept.'),
  warehouse_bytes: bytes
    .default(20 * GB)
    .describe(
      'Bytes that the warehouse file may hold; beyond it the oldest readings are deleted first, then forecasts, then rollups. The engine frees groups of 122,880 rows as a whole, so the limit should hold some days at least.',
    ),
  snapshots_keep: wholeNumber(2, 10_000).default(5).describe('Published snapshots that are kept.'),
  snapshots_bytes: bytes.default(2 * GB).describe('Bytes of snapshots that are kept.'),
  min_free_bytes: bytes
    .default(GB / 2)
    .describe(
      'With less free disk space the doctor finds a fault. Nothing is deleted because something else filled the disk.',
    ),
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
    .filter((name) => name.startsWith('HOLDSHORT_') && !known.has(name))
    .map((parameter) => {
      const meant = closestOf(parameter, [...known])
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
  if (!isReadablePath(data_dir)) throw new SettingsError([{ parameter: 'HOLDSHORT_DATA_DIR', message: NOT_UTF_8 }])
  return { ...parsed.data, data_dir }
}

/** What no setting can have: it comes from a file with other line ends, or from a copied line, and changes names, paths and secrets unseen. */
function faultOfText(value: string): string | null {
  if (value.trim() !== value) return 'has white space at its beginning or end; remove it'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(value)) return 'has a line break, tab or other control character; remove it'
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
    /** Which installation the tables are of, as the file itself says too. */
    warehouse_mark: join(dataDir, 'warehouse', 'mark.json'),
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
