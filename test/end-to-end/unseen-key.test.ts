import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { json } from './commands.ts'
import { CLI, startInstallation, until } from './installation.ts'

const keysOf = (folder: string) =>
  json<{ id: string; revoked_at: string | null; account_name: string }[]>(
    'keys',
    'list',
    '--json',
    '--data-dir',
    folder,
  )

const hasFull = existsSync('/dev/full')
const SETTINGS = { HOLDSHORT_SIMULATED_WORLD: 'http://127.0.0.1:9', HOLDSHORT_CHROMIUM_PATH: '/nowhere/chromium' }

/** The standard output of a process that nothing can be written to. */
function fullOutput() {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  return full
}

test.skipIf(!hasFull)('a key that cannot be shown is revoked, with the account that was made for it', async () => {
  const folder = await temporaryFolder()
  const full = fullOutput()
  const issue = (...words: string[]) =>
    spawnSync(process.execPath, [CLI, 'keys', 'issue', ...words, '--data-dir', folder], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
  const unseen = /^key_\S+ was shown to nobody and is revoked\nENOSPC: write is on a full disk; free some space\n$/
  const { status, stderr } = issue('--tier', 'pro')
  expect([status, stderr]).toEqual([1, expect.stringMatching(unseen)])
  expect(await keysOf(folder)).toEqual([])

  const { account_id } = await json<{ account_id: string }>(
    'keys',
    'issue',
    '--tier',
    'pro',
    '--json',
    '--data-dir',
    folder,
  )
  expect(issue('--account', account_id).stderr).toMatch(unseen)
  expect((await keysOf(folder)).map(({ revoked_at }) => revoked_at)).toEqual([null, expect.any(String)])
})

test('a first start that is cut off leaves no key, and the next one shows it', async () => {
  const folder = await temporaryFolder()
  const { supervisor, log } = await startInstallation(folder, SETTINGS)
  await until('it has started', () => log.find(({ name }) => name === 'start') ?? null)
  supervisor.kill('SIGKILL')
  await until('it has ended', () => supervisor.signalCode)
  expect(await keysOf(folder)).toEqual([])

  const next = await startInstallation(folder, SETTINGS)
  await next.healthy(() => true)
  const [key] = await until('the key is issued', async () => ((await keysOf(folder)).at(0) ? keysOf(folder) : null))
  expect(key).toMatchObject({ revoked_at: null, account_name: 'owner' })
}, 60_000)

test.skipIf(!hasFull)(
  'a first start that cannot show the key serves, and the next one shows it',
  async () => {
    const folder = await temporaryFolder()
    const first = await startInstallation(folder, SETTINGS, 'start', fullOutput())
    let errors = ''
    first.supervisor.stderr!.on('data', (chunk) => (errors += chunk))
    await until('the key is taken back', () => /was shown to nobody and is revoked/.exec(errors))
    await first.healthy(() => true)
    expect(await keysOf(folder)).toEqual([])
    first.supervisor.kill('SIGTERM')
    await until('it has ended', () => first.supervisor.exitCode !== null || first.supervisor.signalCode !== null)

    await startInstallation(folder, SETTINGS)
    await until('the key is issued', async () => (await keysOf(folder)).at(0) ?? null)
  },
  60_000,
)
