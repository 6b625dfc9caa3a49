import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { run } from './commands.ts'

test('commands that only read never create a data folder, and all but the list of sources say what to do without one', async () => {
  const folder = join(await temporaryFolder(), 'nothing')
  const listed = await run('sources', '--data-dir', folder)
  expect([listed.code, listed.stderr]).toEqual([0, ''])
  expect(listed.stdout).toContain('sea-cwt')
  expect((await run('doctor', '--data-dir', folder)).stdout).toContain('does not exist yet')
  for (const command of [
    ['query', 'SELECT 1'],
    ['keys', 'list'],
    ['keys', 'revoke', 'key_1'],
    ['accounts', 'list'],
    ['export-account', 'nobody@example.org'],
    ['publish'],
    ['rollup'],
  ]) {
    const { code, stderr, stdout } = await run(...command, '--data-dir', folder)
    expect([code, stdout], command.join(' ')).toEqual([2, ''])
    expect(stderr, command.join(' ')).toBe(
      `USAGE: data-dir: ${folder} does not exist; name the folder of an installation with --data-dir or HOLDSHORT_DATA_DIR\n`,
    )
  }
  expect(existsSync(folder)).toBe(false)
})

test('a port in use is one line with the address and what to do, before anything is opened', async () => {
  const folder = await temporaryFolder()
  const other = createServer().listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  for (const command of ['serve', 'start']) {
    const { code, stderr } = await run(command, '--port', String(port), '--data-dir', folder)
    expect([code, stderr], command).toEqual([
      1,
      `EADDRINUSE: 127.0.0.1, port ${port}, is in use by another program; stop it, or choose another port with --port or HOLDSHORT_PORT\n`,
    ])
  }
  expect(readdirSync(folder)).toEqual([])
})

test('wrong paths and numbers are one line each', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  mkdirSync(join(folder, 'empty'))
  for (const [command, code, words] of [
    [['sources', '--data-dir', file], 1, 'ENOTDIR: '],
    [['keys', 'issue', '--tier', 'free', '--data-dir', join(file, 'x')], 1, 'ENOTDIR: '],
    [
      ['import', join(folder, 'none.csv'), '--kind', 'security', '--data-dir', join(folder, 'empty')],
      1,
      'IMPORT_INVALID: ',
    ],
    [['serve', '--port', 'abc'], 2, 'SETTINGS_INVALID: HOLDSHORT_PORT: must be a port number'],
    [['parse', 'sea-cwt', join(folder, 'none.json')], 2, 'USAGE: file: '],
  ] as const) {
    const { code: exit, stderr } = await run(...command)
    expect(exit, stderr).toBe(code)
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr.startsWith(words), stderr).toBe(true)
  }
})
