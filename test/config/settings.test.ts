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
  heartbeat_url: 'ftp://here',
  log_level: 'loud',
  key_pepper: 'short',
  key_pepper_former: 'short',
  redis_url: 'redis',
  simulated_world: 'yes',
  registrations_per_minute: '0',
  registrations_per_day: '1.5',
  live_min_age_seconds: '-1',
  silence_seconds: '4',
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
  swedavia_key: 'a key of two words',
  data_go_kr_key: 'encoded%2Bkey%3D%3D',
  aws_region: 'eu central 1',
  aws_access_key_id: 'schlüssel',
  aws_secret_access_key: 'two words',
  aws_session_token: 'two words',
  stripe_meter_pro: 'two words',
  stripe_meter_enterprise: 'two words',
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
      'access_log',
      'duckdb_extensions',
      'training_settings',
      'privacy_file',
      'terms_file',
      'imprint_file',
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
  for (const name of ['/data/\uFFFD', './\uFFFD\uFFFD'])
    expect(() => readSettings({ HOLDSHORT_DATA_DIR: name })).toThrow(/HOLDSHORT_DATA_DIR: is not UTF-8.*rename it/)
  expect(readSettings({ HOLDSHORT_DATA_DIR: '/data/é–漢' }).data_dir).toBe('/data/é–漢')
})

it.each([
  ['HOLDSHORT_PROT', '1', /HOLDSHORT_PROT: is not a setting; did you mean HOLDSHORT_PORT\?/],
  ['HOLDSHORT_REDIS_URL', 'redis://localhost', /HOLDSHORT_REDIS_URL: is not a setting; did you mean REDIS_URL\?/],
  ['HOLDSHORT_KEY_PEPPER', 'short', /HOLDSHORT_KEY_PEPPER: must have at least 16 characters/],
  ['HOLDSHORT_COLOUR_OF_PAGES', '1', /is not a setting; docs\/operate\/settings\.md lists all/],
  ['HOLDSHORT_STORE', 's3://x/y', /the bucket "x" of 1 characters; the name of a bucket has 3 to 63/],
  ['HOLDSHORT_STORE', 's3://My_Bucket/y', /the bucket "My_Bucket"; the name of a bucket has small letters/],
  ['HOLDSHORT_STORE', 's3://bucket/a b', /the prefix "a b"/],
  ['HOLDSHORT_STORE', 'bucket', /must be folder, or s3:\/\/bucket\/prefix/],
])('%s=%s is refused with what is wrong', (name, value, message) => {
  expect(() => readSettings({ [name]: value })).toThrow(message)
})

/** Values that look right and that the service cannot honour as a whole, by setting. */
const NOT_HONOURABLE: Record<string, string[]> = {
  data_dir: ['s3://bucket/holdshort', 'file:///srv/holdshort', '~/holdshort'],
  heartbeat_url: ['https://user:word@watchdog.example.net/ping', 'https://watchdog.example.net/ping#1', 'https://*'],
  site_url: [
    'https://*.example.net',
    'https://waits.example.net/airports',
    'https://waits.example.net/airports/',
    'https://waits.example.net//',
    'https://user:word@waits.example.net',
    'https://user@waits.example.net',
    'https://@waits.example.net',
    'https://waits.example.net?lang=en',
    'https://waits.example.net/?',
    'https://waits.example.net#top',
    'https://waits.example.net/#',
    'ftp://waits.example.net',
    'waits.example.net',
    'waits.example.net:443',
    '//waits.example.net',
    'https:waits.example.net',
    'mailto:ops@waits.example.net',
    'javascript:alert(1)',
    'https://waits.example.net:70000',
    'https://waits.example.net:0',
    'https://waits example.net',
    'https://',
  ],
  mcp_url: ['https://mcp.example.net/mcp', 'https://user:word@mcp.example.net', 'ws://mcp.example.net'],
  auth_url: ['https://sign-in.example.net/oauth', 'https://user:word@sign-in.example.net'],
  mcp_origins: [
    'https://a.example,,https://b.example',
    ',',
    'ftp://a.example',
    'https://a.example/app',
    'null',
    '*',
    'https://*.a.example',
  ],
  redis_url: [
    'http://127.0.0.1:6379',
    'redis://127.0.0.1:6379/accounts',
    'redis://127.0.0.1:0',
    'redis://127.0.0.1:66000',
    'redis://',
    'redis://127.0.0.1/0#1',
    'redis://:100%@127.0.0.1/0',
    'localhost:6379',
    '/run/redis.sock',
  ],
  database_url: [
    'postgresql://host',
    'postgresql://host/',
    'postgresql://host/a/b',
    'postgresql://a,b/state',
    'postgresql://host:0/state',
    'postgresql://host:99999/state',
    'postgresql:///state',
    'postgresql://user:100%@host/state',
    'postgresql://host/state#1',
    'jdbc:postgresql://host/state',
    'host=127.0.0.1 dbname=state',
  ],
  catalog_url: ['postgresql://host', 'postgresql://host/a/b', 'redis://host/catalog'],
  store: [
    's3://bucket/..',
    's3://bucket/a/../b',
    's3://bucket//a',
    's3://bucket/a//b',
    's3://bucket/./a',
    's3://a..b/x',
    's3://10.0.0.1/x',
    's3://bucket/a?b',
    'S3://bucket/a',
    'gs://bucket/a',
    './bucket',
  ],
  aws_endpoint_url_s3: [
    'https://store.example.net/s3',
    'https://user:word@store.example.net',
    'https://store.example.net?region=x',
    'store.example.net:9000',
  ],
  aws_endpoint_url: ['https://store.example.net/s3', 'http://:word@store.example.net'],
  stripe_api_url: ['https://api.example.net/v1', 'file:///etc/passwd'],
  simulated_world: ['file:///etc', 'http://user:word@127.0.0.1:9', 'http://127.0.0.1:9?x=1'],
  outward_allow: [
    '::ffff:10.0.0.0/8',
    '10.0.0.0/8,,192.168.0.0/16',
    ',10.0.0.0/8',
    '10.0.0.0/8/8',
    '10.0.0.0-10.0.0.9',
  ],
  trusted_proxies: ['10.0.0.0/8,,loopback', ',', ' , ', 'local', '0.0.0.0/0', 'loopback,::/0', '10.0.0.0/00'],
  metrics_from: ['::ffff:10.0.0.0/95', ',', '127.0.0.1,,::1'],
  open_data: ['readings,,delays', ',', 'off,readings', 'Readings'],
  open_data_grants: [
    ',',
    'import=CC0-1.0,,crowd=CC0-1.0',
    'import=mine',
    '=CC0-1.0',
    'import=CC0-1.0,import=CC-BY-4.0',
    'sea-ctw=CC0-1.0',
  ],
  key_pepper_former: [',', 'a former pepper of 24 ch,,another former pepper'],
  port: ['65536', '-1', '8080.5', '1e3', '080 80', '0x50'],
  publish_seconds: ['0', '0.5', '-60', '1e3', 'NaN', 'Infinity', '1m', '60s', '٦٠', '1,5'],
  drain_seconds: ['-1', '60.1', '1e1'],
  raw_days: ['0', '0.001', '36501', '-1', '30d'],
  // Bytes in another unit would delete everything.
  raw_bytes: ['0', '1.5', '10GB', '1e16', '10'],
  warehouse_bytes: ['20', '20480'],
  snapshots_bytes: ['2'],
  snapshots_keep: ['0', '1', '2.5'],
  sla_percent: ['0', '101', '99,5', '99.5%'],
  stripe_secret_key: ['sk_', 'sk_test two'],
  stripe_price_pro: ['price_', 'price_a b'],
  host: ['127.0.0.1:80', 'a/b', 'user@host'],
}

describe('a value that parses and that the service cannot honour', () => {
  for (const [name, values] of Object.entries(NOT_HONOURABLE))
    it.each(values)(`${environmentName(name)}=%s is refused by name`, (value) => {
      const parameter = environmentName(name)
      expect(faultsOf({ [parameter]: value })).toEqual([parameter])
      // The value may hold a password.
      expect(() => readSettings({ [parameter]: value })).not.toThrow(/user:word|100%@/)
    })

  it.each(Object.keys(Settings.shape))(
    'white space or quotes around it or a control character in it: %s is refused',
    (name) => {
      const parameter = environmentName(name)
      for (const value of [
        ' 10',
        '10 ',
        '10\t',
        '10\r',
        '10\n',
        '\u00a010',
        '/a\nb',
        'a\u0000b',
        ' ',
        '"/var/lib/holdshort"',
        "'10'",
      ])
        expect(faultsOf({ [parameter]: value }), JSON.stringify(value)).toEqual([parameter])
    },
  )

  it('says what is allowed', () => {
    const refused = (value: string) => () => readSettings({ HOLDSHORT_SITE_URL: value })
    expect(refused('https://waits.aero/x')).toThrow(
      'HOLDSHORT_SITE_URL: must be like https://waits.airport.aero, without a path',
    )
    expect(refused('https://a:b@waits.aero')).toThrow('without a user or password')
    expect(refused('https://waits.aero?x')).toThrow('without a query')
    expect(refused('https://waits.aero#x')).toThrow('without a fragment')
    expect(refused('ftp://waits.aero')).toThrow('begins with https:// or http://')
    expect(() => readSettings({ HOLDSHORT_OPEN_DATA_GRANTS: 'sea-ctw=CC0-1.0' })).toThrow(
      '"sea-ctw" is no source; did you mean sea-cwt?',
    )
    expect([
      ...readSettings({ HOLDSHORT_OPEN_DATA_GRANTS: 'sea-cwt=CC0-1.0,import-b=ODbL-1.0' }).open_data_grants,
    ]).toEqual([
      ['sea-cwt', 'CC0-1.0'],
      ['import-b', 'ODbL-1.0'],
    ])
  })

  it('is each of several settings that are used together', () => {
    expect(faultsOf({ AWS_ACCESS_KEY_ID: 'a' })).toEqual(['AWS_SECRET_ACCESS_KEY'])
    expect(faultsOf({ AWS_SECRET_ACCESS_KEY: 'a' })).toEqual(['AWS_ACCESS_KEY_ID'])
    expect(faultsOf({ AWS_SESSION_TOKEN: 'a' })).toEqual(['AWS_SESSION_TOKEN'])
  })
})

it.each([
  ['HOLDSHORT_SITE_URL', 'HTTPS://Waits.Example.NET:443/', 'https://waits.example.net'],
  ['HOLDSHORT_SITE_URL', 'https://wäits.example.net', null],
  ['HOLDSHORT_SITE_URL', 'http://[::1]:8080', 'http://[::1]:8080'],
  ['REDIS_URL', 'rediss://user:p%40ss@redis.example.net:6380/3?family=6', undefined],
  ['DATABASE_URL', 'postgresql://user:p%40ss@[::1]:5432/state?sslmode=require', undefined],
  ['DATABASE_URL', 'postgres://%2Frun%2Fpostgresql/state', undefined],
  ['DATABASE_URL', 'postgres:///state?host=/run/postgresql', undefined],
  ['HOLDSHORT_STORE', 's3://bucket/a/b/', undefined],
  ['HOLDSHORT_STORE', 's3://bucket', undefined],
  ['AWS_ENDPOINT_URL', 'http://127.0.0.1:9000/', undefined],
])('%s=%s is read', (parameter, value, read) => {
  const settings = () => readSettings({ [parameter]: value })
  if (read === null) return expect(settings).toThrow(parameter)
  expect(Object.values(settings())).toContain(read ?? value)
})
