import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { run } from './commands.ts'

const REFUSED: [string, (folder: string) => Record<string, string>, RegExp][] = [
  [
    'a password in the site address',
    () => ({ HOLDSHORT_SITE_URL: 'https://a:secret@waits.aero' }),
    /HOLDSHORT_SITE_URL: .*without a user/,
  ],
  ['no file of the imprint', () => ({ HOLDSHORT_IMPRINT_FILE: '/nowhere/x.md' }), /HOLDSHORT_IMPRINT_FILE: ENOENT/],
  ['a folder in its place', (folder) => ({ HOLDSHORT_TERMS_FILE: folder }), /HOLDSHORT_TERMS_FILE: .* is not a file/],
  [
    'a pipe in its place',
    (folder) => {
      execFileSync('mkfifo', [join(folder, 'pipe')])
      return { HOLDSHORT_PRIVACY_FILE: join(folder, 'pipe') }
    },
    /HOLDSHORT_PRIVACY_FILE: .* is not a file/,
  ],
  [
    'bytes that are no text',
    (folder) => {
      writeFileSync(join(folder, 'bytes'), Buffer.from([0xff, 0xfe, 0xff]))
      return { HOLDSHORT_PRIVACY_FILE: join(folder, 'bytes') }
    },
    /HOLDSHORT_PRIVACY_FILE: .* is not UTF-8/,
  ],
  [
    'a log without a folder',
    () => ({ HOLDSHORT_ACCESS_LOG: '/nowhere/log' }),
    /HOLDSHORT_ACCESS_LOG: .* cannot be written/,
  ],
  ['a folder as log', (folder) => ({ HOLDSHORT_ACCESS_LOG: folder }), /HOLDSHORT_ACCESS_LOG: .* cannot be written/],
  ['a table that stays', () => ({ HOLDSHORT_OPEN_DATA: 'runs' }), /HOLDSHORT_OPEN_DATA: runs is never exported/],
  [
    'no settings of training',
    () => ({ HOLDSHORT_TRAINING_SETTINGS: '/nowhere/x.json' }),
    /HOLDSHORT_TRAINING_SETTINGS: \/nowhere\/x\.json: ENOENT/,
  ],
  [
    'one price of two tiers',
    () => ({
      STRIPE_SECRET_KEY: 'sk_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      STRIPE_PRICE_PRO: 'price_1',
      STRIPE_PRICE_ENTERPRISE: 'price_1',
    }),
    /STRIPE_PRICE_ENTERPRISE: is the price of Pro/,
  ],
  [
    'prices without the key',
    () => ({ STRIPE_WEBHOOK_SECRET: 'whsec_x', STRIPE_PRICE_PRO: 'price_1' }),
    /STRIPE_SECRET_KEY: must be set beside STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_PRO: nothing is sold without it/,
  ],
  [
    'a catalog without a bucket',
    () => ({ HOLDSHORT_CATALOG_URL: 'postgresql://user:secret@h/c' }),
    /HOLDSHORT_STORE: must name the bucket of HOLDSHORT_CATALOG_URL/,
  ],
  ['a bucket without a catalog', () => ({ HOLDSHORT_STORE: 's3://bucket/x' }), /DATABASE_URL: must be set/],
  [
    'no extensions',
    () => ({
      HOLDSHORT_STORE: 's3://bucket/x',
      HOLDSHORT_CATALOG_URL: 'postgresql://h/c',
      HOLDSHORT_DUCKDB_EXTENSIONS: '/no',
    }),
    /HOLDSHORT_DUCKDB_EXTENSIONS: \/no is no folder/,
  ],
]

test.each(REFUSED)(
  '%s: start, serve and work end with the reason, and the doctor says it',
  async (_what, made, reason) => {
    const folder = await temporaryFolder()
    const settings = {
      HOLDSHORT_CHROMIUM_PATH: '/no-browser',
      HOLDSHORT_SIMULATED_WORLD: 'http://127.0.0.1:9',
      ...made(folder),
    }
    for (const [name, value] of Object.entries({
      HOLDSHORT_PORT: '0',
      HOLDSHORT_DATA_DIR: join(folder, 'data'),
      ...settings,
    }))
      vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const command of ['start', 'work', 'serve']) {
      const { code, stderr } = await run(command)
      expect([command, code]).toEqual([command, 2])
      expect(stderr).toMatch(reason)
      expect(stderr).toContain('SETTINGS_INVALID')
      expect(stderr).not.toContain('secret@')
    }
    const { code, stdout } = await run('doctor', '--json')
    const found = JSON.parse(stdout) as { check: string; ok: boolean; says: string }[]
    expect(code).toBe(1)
    expect(found.find(({ check }) => check === 'settings')).toMatchObject({
      ok: false,
      says: expect.stringMatching(reason),
    })
    expect(stdout).not.toContain('secret@')
  },
)
