import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openState } from '../../api/state/open.ts'
import { readSettings } from '../../config/settings.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { HIDDEN_WORDS } from '../hostile-words.ts'
import { run } from './commands.ts'

/** Characters that control a terminal or the direction of its text, and that no output may hold raw. */
const RAW = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
/** A line break belongs to a command's own layout, never to a word. */
const LINES = 'line\nbreak'

let folder = ''
beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'holdshort-test-')), 'data')
  await (await openState(readSettings({ HOLDSHORT_DATA_DIR: folder }))).close()
  await (await openWarehouse(folder)).close()
})
afterAll(() => rm(dirname(folder), { recursive: true, force: true }))

async function expectHarmless(...args: string[]): Promise<void> {
  const { stdout, stderr } = await run(...args)
  expect(stdout + stderr, args.join(' ')).not.toMatch(RAW)
  expect(stdout + stderr, args.join(' ')).not.toContain(LINES)
}

test('results of queries reach a terminal with every hidden character escaped', async () => {
  const values = HIDDEN_WORDS.map((word) => `('${word.replaceAll('\0', '').replaceAll('\ud800', '')}')`).join(', ')
  const header = '"a\u001b[2J\u202eb"'
  const isTerminal = process.stdout.isTTY
  process.stdout.isTTY = true
  try {
    for (const format of ['table', 'csv', 'json'])
      await expectHarmless(
        'query',
        `SELECT x, [x] AS list, {y: x} AS row, x AS ${header} FROM (VALUES ${values}) AS t(x)`,
        '--format',
        format,
        '--data-dir',
        folder,
      )
  } finally {
    process.stdout.isTTY = isTerminal
  }
})

/** Everyday, an escape of a terminal and a direction of text stand for the others. */
const TYPED = HIDDEN_WORDS.filter((word) => EXHAUSTIVE || word.startsWith('a\u001b[') || word.startsWith('a\u202e'))

test.each(TYPED)('what somebody typed is repeated escaped: %j', async (typed) => {
  const word = typed.replaceAll('\0', '')
  const dataDir = ['--data-dir', folder]
  await expectHarmless(word)
  await expectHarmless('sources', `--${word}`)
  await expectHarmless('sources', 'check', word)
  await expectHarmless('query', `SELECT '${word}' FROM "${word}"`, ...dataDir)
  await expectHarmless('query', 'SELECT 1', '--format', word, ...dataDir)
  await expectHarmless('query', 'SELECT 1', '--data-dir', join(folder, word))
  await expectHarmless('keys', 'issue', '--tier', word, ...dataDir)
  await expectHarmless('keys', 'issue', '--tier', 'free', '--name', word, ...dataDir)
  await expectHarmless('keys', 'revoke', word, ...dataDir)
  await expectHarmless('accounts', 'grant', word, '--tier', 'pro', ...dataDir)
  await expectHarmless('live', word, ...dataDir)
  await expectHarmless('run', 'collect', word, ...dataDir)
  await expectHarmless('sources', 'parse', word, join(folder, 'none'))
  await expectHarmless('sources', 'parse', 'sea-cwt', join(folder, word))
  await expectHarmless('import', join(folder, `${word}.csv`), '--kind', 'security', ...dataDir)
  await expectHarmless('measure', join(folder, word))
  await expectHarmless('demo', '--seed', word)
  await expectHarmless('backtest', '--from', word, '--to', word, '--out', word, ...dataDir)
})

test('keys, findings of the doctor and parsed payloads are escaped too', async () => {
  await expectHarmless('keys', 'list', '--data-dir', folder)
  await expectHarmless('accounts', 'list', '--data-dir', folder)
  const payload = join(folder, 'payload.json')
  for (const word of TYPED) {
    writeFileSync(
      payload,
      JSON.stringify([{ CheckpointID: 1, Name: word, WaitTimeMinutes: 5, IsOpen: true, [word]: word }]),
    )
    await expectHarmless('sources', 'parse', 'sea-cwt', payload)
    writeFileSync(payload, `<x>${word}`)
    await expectHarmless('sources', 'parse', 'sea-cwt', payload)
  }
})
