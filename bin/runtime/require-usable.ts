import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { HoldshortError, type ParameterFault, SettingsError } from '../../config/errors.ts'
import { environmentName, type Settings } from '../../config/settings.ts'

type Check = (settings: Settings) => unknown

const SOLD_WITH_STRIPE = [
  'stripe_webhook_secret',
  'stripe_price_pro',
  'stripe_price_enterprise',
  'stripe_meter_pro',
  'stripe_meter_enterprise',
  'stripe_overage_price_pro',
  'stripe_overage_price_enterprise',
] as const

/**
 * Faults that a process would find only in use, and then end with, again and again under a supervisor: unusable files, unknown
 * names, settings that need others, an entry of the sources. Each check is loaded only if its setting is set.
 */
const CHECKS: { isSet: (settings: Settings, collects: boolean) => boolean; check: Check }[] = [
  {
    isSet: () => true,
    check: async () => (await import('../../config/sources.ts')).allSources(),
  },
  {
    isSet: (_settings, collects) => collects,
    check: async () => {
      const [{ allSources }, { requireCollectable }] = await Promise.all([
        import('../../config/sources.ts'),
        import('../../pipeline/collectors/require-collectable.ts'),
      ])
      requireCollectable(allSources())
    },
  },
  {
    isSet: ({ privacy_file, terms_file, imprint_file }) =>
      [privacy_file, terms_file, imprint_file].some((file) => file !== undefined),
    check: async (settings) => {
      const { LEGAL_TEXT_SETTINGS, legalText } = await import('../../site/legal/legal-text.ts')
      return checkEach(LEGAL_TEXT_SETTINGS, (name) => legalText(settings, name))
    },
  },
  {
    isSet: ({ access_log }) => access_log !== undefined && access_log !== 'stdout',
    check: ({ access_log = '' }) => requireWritableFile('access_log', access_log),
  },
  {
    isSet: ({ training_settings }) => training_settings !== undefined,
    check: async (settings) => {
      const { trainingSettingsFlag } = await import('./training-flags.ts')
      try {
        trainingSettingsFlag(undefined, settings)
      } catch (error) {
        throw error instanceof SettingsError ? fault('training_settings', error.message) : error
      }
    },
  },
  {
    isSet: ({ open_data }) => open_data[0] !== 'off',
    check: async ({ open_data }) => (await import('../../warehouse/export/exported-tables.ts')).selectTables(open_data),
  },
  {
    isSet: ({ stripe_secret_key }) => stripe_secret_key !== undefined,
    check: async (settings) => (await import('../../accounts/billing/stripe-client.ts')).stripeOffers(settings),
  },
  {
    isSet: ({ stripe_secret_key }) => stripe_secret_key === undefined,
    check: (settings) => {
      const others = SOLD_WITH_STRIPE.filter((name) => settings[name] !== undefined).map(environmentName)
      if (others.length > 0)
        throw fault('stripe_secret_key', `must be set beside ${others.join(', ')}: nothing is sold without it`)
    },
  },
  {
    isSet: ({ store, catalog_url }) => store === 'folder' && catalog_url !== undefined,
    check: () => {
      throw fault(
        'store',
        `must name the bucket of HOLDSHORT_CATALOG_URL: without it the tables are in the data folder of this machine`,
      )
    },
  },
  {
    isSet: ({ store }) => store !== 'folder',
    check: async (settings) => {
      const { catalogUrl } = await import('../../warehouse/coordination/catalog-database.ts')
      catalogUrl(settings)
      const { duckdb_extensions: folder } = settings
      if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
        throw fault('duckdb_extensions', `${folder} is no folder; \`holdshort store extensions <folder>\` fills one`)
    },
  },
]

const fault = (name: keyof Settings, message: string) =>
  new SettingsError([{ parameter: environmentName(name), message }])

/** Does the check of each name, and throws the faults of all together. */
function checkEach<T>(names: readonly T[], check: (name: T) => unknown): void {
  const faults: ParameterFault[] = []
  for (const name of names)
    try {
      check(name)
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      faults.push(...error.faults)
    }
  if (faults.length > 0) throw new SettingsError(faults)
}

function requireWritableFile(name: keyof Settings, path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  try {
    if (found?.isDirectory()) throw new Error('is a folder')
    accessSync(found ? path : dirname(resolve(path)), constants.W_OK)
  } catch (error) {
    throw fault(name, `${path} cannot be written (${(error as Error).message}); it must be a file, or stdout`)
  }
}

/**
 * Refuses settings that are valid by themselves and that this installation cannot honour, all at once; `collects`: of a process that
 * collects, which has the collectors at hand.
 * @throws SettingsError
 */
export async function requireUsable(settings: Settings, { collects = false } = {}): Promise<void> {
  const faults: ParameterFault[] = []
  for (const { isSet, check } of CHECKS) {
    if (!isSet(settings, collects)) continue
    try {
      await check(settings)
    } catch (error) {
      if (error instanceof SettingsError) faults.push(...error.faults)
      else if (error instanceof HoldshortError && error.code === 'USAGE') faults.push(asFault(error))
      else throw error
    }
  }
  if (faults.length > 0) throw new SettingsError(faults)
}

/** The message of a misused name begins with what was misused. */
function asFault({ message }: Error): ParameterFault {
  const [parameter = '', ...rest] = message.split(': ')
  return { parameter, message: rest.join(': ') }
}
