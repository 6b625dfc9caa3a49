import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addresses } from '../../config/addresses.ts'
import { SettingsError } from '../../config/errors.ts'
import { environmentName, readSettings, Settings } from '../../config/settings.ts'

function faultsOf(environment: Record<string, string>) {
  try {
    readSettings(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError)
    return (error as SettingsError).faults.map(({ parameter }) => parameter).sort()
  }
  throw new Error('these settings are valid')
}

/** An invalid value for each setting; settings that accept any text are not listed. */
const INVALID: Record<string, string> = {
  port: '65536',
  host: 'http://here',
  trusted_proxies: 'the proxy',
  site_url: 'here',
  mcp_url: 'here',
  auth_url: 'here',
  mcp_origins: 'https://agent.example/',
  contact: 'x',
  log_level: 'loud',
  key_pepper: 'short',
  key_pepper_former: 'short',
  redis_url: 'redis',
  simulated_world: 'yes',
  registrations_per_minute: '0',
  registrations_per_day: '1.5',
  live_min_age_seconds: '-1',
  publish_seconds: '0',
  drain_seconds: '61',
  raw_days: '0',
  raw_bytes: '-1',
  readings_days: 'many',
  warehouse_bytes: '1 GB',
  rollups_days: 'NaN',
  forecasts_days: '-3',
  snapshots_keep: '1',
  snapshots_bytes: '0',
  min_free_bytes: 'none',
  registry_name: 'holdshort',
  mcp_open_listing: 'sometimes',
  open_pages: 'all',
  open_pages_per_minute: '-1',
  sla_percent: 'all',
  metrics_from: '10.0.0.0/33',
  catalog_url: 'mysql://here/catalog',
  database_url: 'mysql://here/state',
  store: 's3:/bucket',
  store_addressing: 'host',
  aws_endpoint_url: 'localhost',
  aws_endpoint_url_s3: 'ftp://localhost',
  stripe_secret_key: 'pk_test_public',
  stripe_webhook_secret: 'secret',
  stripe_price_pro: 'prod_1',
  stripe_price_enterprise: '99',
  stripe_overage_price_pro: '3',
  stripe_overage_price_enterprise: 'prod_2',
  stripe_api_url: 'stripe',
  outward_allow: '10.0.0.0/99',
  client_registrations_per_minute: '0',
  client_registrations_per_day: '-1',
  open_data: 'all,readings',
  open_data_seconds: '59',
  open_data_per_minute: '-1',
  open_data_licence: 'mine',
  open_data_grants: 'import',
}

describe('settings', () => {
  it('all have defaults, so that an empty environment is valid', () => {
    expect(readSettings({})).toMatchObject({ host: '127.0.0.1', port: 8080, data_dir: resolve('data') })
  })

  it('are reported all at once by environment variable when they are invalid', () => {
    const environment = Object.fromEntries(
      Object.entries(INVALID).map(([name, value]) => [environmentName(name), value]),
    )
    expect(faultsOf(environment)).toEqual(Object.keys(environment).sort())
  })

  it('are reported when they are unknown, together with the invalid ones', () => {
    expect(faultsOf({ HOLDSHORT_PORTS: '80', HOLDSHORT_PORT: 'high', PATH: '/bin' })).toEqual([
      'HOLDSHORT_PORT',
      'HOLDSHORT_PORTS',
    ])
  })

  it('have bounds and digits where they are numbers', () => {
    const numeric = Object.entries(readSettings({})).filter(([, value]) => typeof value === 'number')
    expect(numeric.length).toBeGreaterThan(18)
    for (const [name] of numeric)
      for (const text of ['1e3', '0x10', ' 7', '-1', '9'.repeat(17), '99999999999999999999999', 'Infinity'])
        expect(faultsOf({ [environmentName(name)]: text }), `${name} ${text}`).toEqual([environmentName(name)])
  })

  it('treat an empty variable as not set', () => {
    expect(readSettings({ HOLDSHORT_PORT: '', REDIS_URL: '' })).toEqual(readSettings({}))
  })

  it('read REDIS_URL without prefix, and proxies as a list', () => {
    const settings = readSettings({
      REDIS_URL: 'redis://localhost:6379',
      HOLDSHORT_TRUSTED_PROXIES: '10.0.0.0/8, ::1/128,',
    })
    expect(settings).toMatchObject({ redis_url: 'redis://localhost:6379', trusted_proxies: ['10.0.0.0/8', '::1/128'] })
  })

  it('are all covered by the invalid values above, except those that accept any text', () => {
    const anyText = [
      'data_dir',
      'chromium_path',
      'swedavia_key',
      'stripe_meter_pro',
      'stripe_meter_enterprise',
      'access_log',
      'duckdb_extensions',
      'training_settings',
      'privacy_file',
      'terms_file',
      'imprint_file',
      'aws_region',
      'aws_access_key_id',
      'aws_secret_access_key',
      'aws_session_token',
    ]
    expect([...Object.keys(INVALID), ...anyText].sort()).toEqual(Object.keys(Settings.shape).sort())
  })
})

describe('addresses', () => {
  it('write an IPv6 host in brackets in every address, however it is given', () => {
    for (const host of ['::1', '[::1]']) {
      const settings = readSettings({ HOLDSHORT_HOST: host })
      expect(settings.host).toBe('::1')
      expect(addresses(settings)).toMatchObject({
        site_url: 'http://[::1]:8080',
        base_url: 'http://[::1]:8080/api/v1',
        mcp_url: 'http://[::1]:8080',
      })
    }
    for (const host of ['a b', 'http://here', '1:2', '::1/64'])
      expect(faultsOf({ HOLDSHORT_HOST: host }), host).toEqual(['HOLDSHORT_HOST'])
  })

  it('share one origin unless set separately', () => {
    const site = 'https://waits.example.org'
    expect(addresses(readSettings({ HOLDSHORT_SITE_URL: `${site}/` }))).toEqual({
      site_url: site,
      base_url: `${site}/api/v1`,
      mcp_url: site,
      auth_url: site,
    })
    const separate = readSettings({ HOLDSHORT_SITE_URL: site, HOLDSHORT_MCP_URL: 'https://mcp.example.org' })
    expect(addresses(separate)).toMatchObject({ site_url: site, auth_url: 'https://mcp.example.org' })
  })
})

it('refuses a data folder whose name is not UTF-8, because it would be another folder', () => {
  for (const name of ['/data/\uFFFD', './\uFFFD\uFFFD', '/data\0/x'])
    expect(() => readSettings({ HOLDSHORT_DATA_DIR: name })).toThrow(/HOLDSHORT_DATA_DIR: is not UTF-8.*rename it/)
  expect(readSettings({ HOLDSHORT_DATA_DIR: '/data/é–漢' }).data_dir).toBe('/data/é–漢')
})

it.each([
  ['HOLDSHORT_PROT', '1', /HOLDSHORT_PROT: is not a setting; did you mean HOLDSHORT_PORT\?/],
  ['HOLDSHORT_COLOUR_OF_PAGES', '1', /is not a setting; docs\/operate\/settings\.md lists all/],
  ['HOLDSHORT_STORE', 's3://x/y', /the bucket "x" of 1 characters; the name of a bucket has 3 to 63/],
  ['HOLDSHORT_STORE', 's3://My_Bucket/y', /the bucket "My_Bucket"; the name of a bucket has small letters/],
  ['HOLDSHORT_STORE', 's3://bucket/a b', /the prefix "a b"/],
  ['HOLDSHORT_STORE', 'bucket', /must be folder, or s3:\/\/bucket\/prefix/],
])('%s=%s is refused with what is wrong', (name, value, message) => {
  expect(() => readSettings({ [name]: value })).toThrow(message)
})
