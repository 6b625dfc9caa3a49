import { join, resolve } from 'node:path'
import { z } from 'zod'
import { SettingsError } from './errors.ts'
import { networkList } from './networks.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const days = z.coerce.number().min(0.01)
const bytes = z.coerce.number().int().min(1)
const GB = 1_073_741_824
const listed = z
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

/** Every setting with its default and the reason for it. The environment variable is HOLDSHORT_ + the name in capitals. */
export const Settings = z.object({
  /** One folder holds everything: warehouse, models, snapshots, state. */
  data_dir: z.string().min(1).default('./data'),
  host: z.string().min(1).default('127.0.0.1'),
  port: port.default(8080),
  /** Public address of site and REST API; default is where we listen. */
  site_url: z.url().optional(),
  mcp_url: z.url().optional(),
  auth_url: z.url().optional(),
  /** Who answers for this installation: sent in the User-Agent to every site we read, and served in security.txt. */
  contact: z.string().min(3).default('https://github.com/holdshort/holdshort'),
  /** Name of the MCP server in registries, like io.github.owner/holdshort; by default the host of mcp_url, from its end. */
  registry_name: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/, 'must be a namespace and a name, like io.github.owner/holdshort')
    .optional(),
  log_level: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  /** Secret that keys are hashed with; made and kept in the data folder when not set. */
  key_pepper: z.string().min(16).optional(),
  /** The operator's own key of Swedavia's developer portal, for the source `swedavia-keyed`. */
  swedavia_key: z.string().min(1).optional(),
  /** CIDRs whose X-Forwarded-For is believed; none by default, so that nobody can forge an address. */
  trusted_proxies: listed,
  /** Networks that may read /metrics, in place of this machine alone. */
  metrics_from: listed.refine(areNetworks, 'must be addresses or CIDRs, separated by commas'),
  chromium_path: z.string().optional(),
  /** Run jobs (BullMQ) and the gate over Redis instead of in one process: needed as soon as there are several of the api. */
  redis_url: z.url().optional(),
  /** PostgreSQL for the state in place of a SQLite file; every process of the installation then needs the same key_pepper. */
  database_url: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Stripe: without its secret key, plans are granted by the operator alone. */
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
  /** Ids of the metered prices that go with them and bill calls beyond the month's. */
  stripe_overage_price_pro: z
    .string()
    .regex(/^price_/, 'must begin with price_')
    .optional(),
  stripe_overage_price_enterprise: z
    .string()
    .regex(/^price_/, 'must begin with price_')
    .optional(),
  /** Names of the billing meters that calls beyond the month's are told to. */
  stripe_meter_pro: z.string().min(1).optional(),
  stripe_meter_enterprise: z.string().min(1).optional(),
  /** Where Stripe's API is, if not at Stripe: for tests. */
  stripe_api_url: z.url().optional(),
  /** Private networks that addresses given by callers (client metadata, push endpoints) may lie in; none by default. */
  outward_allow: listed.refine(areNetworks, 'must be addresses or CIDRs, separated by commas'),
  /** Demo only: address of the simulated world. Every answer then says `"simulated": true`. */
  simulated_world: z.url().optional(),
  registrations_per_minute: z.coerce.number().int().min(1).default(5),
  registrations_per_day: z.coerce.number().int().min(1).default(20),
  /** The same for MCP clients, which register themselves and do so at each sign-in of many; and for new metadata documents. */
  client_registrations_per_minute: z.coerce.number().int().min(1).default(10),
  client_registrations_per_day: z.coerce.number().int().min(1).default(100),
  publish_seconds: z.coerce.number().min(1).default(60),
  /** A source that was asked less than this long ago is not asked again by a live request; never less than its pace. */
  live_min_age_seconds: z.coerce.number().min(0).default(60),
  raw_days: days.default(30),
  raw_bytes: bytes.default(10 * GB),
  readings_days: days.default(400),
  readings_bytes: bytes.default(10 * GB),
  rollups_days: days.default(1_100),
  rollups_bytes: bytes.default(5 * GB),
  forecasts_days: days.default(120),
  forecasts_bytes: bytes.default(5 * GB),
  snapshots_keep: z.coerce.number().int().min(2).default(5),
  snapshots_bytes: bytes.default(2 * GB),
  /** With less free on the disk, raw captures are dropped, oldest days first, until this much is free again. */
  min_free_bytes: bytes.default(GB / 2),
})
export type Settings = z.infer<typeof Settings>

/** Settings whose names others have made. */
const PLAIN_NAME = /^(redis_url|database_url|stripe_.*)$/
export const environmentName = (name: string) =>
  PLAIN_NAME.test(name) ? name.toUpperCase() : `HOLDSHORT_${name.toUpperCase()}`

/**
 * Reads settings from an environment; every wrong one is named at once.
 * @throws SettingsError
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const given: Record<string, string> = {}
  for (const name of Object.keys(Settings.shape)) {
    const value = environment[environmentName(name)]
    if (value !== undefined && value !== '') given[name] = value
  }
  const known = new Set(Object.keys(Settings.shape).map(environmentName))
  const faults = Object.keys(environment)
    .filter((name) => name.startsWith('HOLDSHORT_') && !known.has(name))
    .map((parameter) => ({ parameter, message: 'is not a setting; see `holdshort doctor`' }))
  const parsed = Settings.safeParse(given)
  if (!parsed.success) {
    for (const issue of parsed.error.issues)
      faults.push({ parameter: environmentName(String(issue.path[0])), message: issue.message })
  }
  if (!parsed.success || faults.length > 0) throw new SettingsError(faults)
  return { ...parsed.data, data_dir: resolve(parsed.data.data_dir) }
}

/** Paths inside the data folder: the one place that knows them. */
export function dataPaths(dataDir: string) {
  return {
    root: dataDir,
    raw: join(dataDir, 'raw'),
    warehouse: join(dataDir, 'warehouse'),
    models: join(dataDir, 'models'),
    snapshots: join(dataDir, 'snapshots'),
    state: join(dataDir, 'state.sqlite'),
    pepper: join(dataDir, 'key-pepper'),
    world: join(dataDir, 'world.json'),
    scratch: join(dataDir, 'scratch'),
    live_socket: join(dataDir, 'live.sock'),
  }
}

/** The public addresses; all share one origin unless set apart. */
export function addresses(settings: Settings) {
  const site = (settings.site_url ?? `http://${settings.host}:${settings.port}`).replace(/\/$/, '')
  return {
    site_url: site,
    base_url: `${site}/api/v1`,
    mcp_url: (settings.mcp_url ?? site).replace(/\/$/, ''),
    auth_url: (settings.auth_url ?? settings.mcp_url ?? site).replace(/\/$/, ''),
  }
}

/** Where the service is for the world, each without a slash at its end. */
export type Addresses = ReturnType<typeof addresses>
