import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addresses } from '../../config/addresses.ts'
import { SettingsError } from '../../config/errors.ts'
import { environmentName, readSettings, Settings } from '../../config/settings.ts'
import { readCases, testValues } from '../values.ts'

/**
 * An invalid value for each setting (settings that accept any text are not listed), and values that look right and that the service
 * cannot honour as a whole: bytes in another unit would delete everything.
 */
const REFUSED = readCases<{
  invalid: Record<string, string>
  not_honourable: Record<string, string[]>
  spaced_or_quoted: string[]
  any_text: string[]
}>('config/refused-settings.json')

function faultsOf(environment: Record<string, string>) {
  try {
    readSettings(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError)
    return (error as SettingsError).faults.map(({ parameter }) => parameter).sort()
  }
  throw new Error('these settings are valid')
}

describe('settings', () => {
  it('all have defaults, so that an empty environment is valid', () => {
    expect(readSettings({})).toMatchObject({ host: '127.0.0.1', port: 8080, data_dir: resolve('data') })
  })

  it('are reported all at once by environment variable when they are invalid', () => {
    const environment = Object.fromEntries(
      Object.entries(REFUSED.invalid).map(([name, value]) => [environmentName(name), value]),
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
    expect([...Object.keys(REFUSED.invalid), ...REFUSED.any_text].sort()).toEqual(Object.keys(Settings.shape).sort())
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

it('refuses a data folder with a question mark in its path, where DuckDB looks for the log in another folder', () => {
  expect(() => readSettings({ HOLDSHORT_DATA_DIR: '/data/a?b' })).toThrow(/HOLDSHORT_DATA_DIR: .*question mark.*rename/)
  expect(readSettings({ HOLDSHORT_DATA_DIR: '/data/a %41#*[1]{x}' }).data_dir).toBe('/data/a %41#*[1]{x}')
})

describe('a value that parses and that the service cannot honour', () => {
  for (const [name, values] of Object.entries(REFUSED.not_honourable))
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
      for (const value of REFUSED.spaced_or_quoted)
        expect(faultsOf({ [parameter]: value }), JSON.stringify(value)).toEqual([parameter])
    },
  )

  it('open data may have a licence of each source', () => {
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

const read = (parameter: string, value: string) => readSettings({ [parameter]: value })

testValues('config/settings.json', {
  read,
  isReadAs: (parameter: string, value: string, expected: string) =>
    Object.values(read(parameter, value)).includes(expected),
})
