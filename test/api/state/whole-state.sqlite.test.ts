import { chmodSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { issueKey, listKeys } from '../../../accounts/keys/keys.ts'
import { openState } from '../../../api/state/open.ts'
import type { State } from '../../../api/state/state.ts'
import { dataPaths } from '../../../config/settings.ts'
import { run } from '../../end-to-end/commands.ts'
import { repetitions } from '../../exhaustive.ts'
import { NOW } from '../example-snapshot.ts'
import { temporaryFolder } from '../harness.ts'

/** A folder whose state was opened, written and closed. */
async function closedState(): Promise<ReturnType<typeof dataPaths>> {
  const data_dir = temporaryFolder()
  const state = await openState({ data_dir })
  await issueKey(state, { tier: 'pro' }, NOW)
  await state.close()
  return dataPaths(data_dir)
}

const codeOf = (opened: Promise<State>) =>
  opened.then(
    async (state) => {
      await state.close()
      return 'opened'
    },
    (error) => error.code as string,
  )

const remove = (...files: string[]) => {
  for (const file of files) rmSync(file, { force: true })
}

test('a stop leaves everything in the one file', async () => {
  const paths = await closedState()
  remove(`${paths.state}-wal`, `${paths.state}-shm`, paths.state_marker)
  const state = await openState({ data_dir: paths.root })
  expect((await listKeys(state)).length).toBe(1)
  await state.close()
})

test('a state without its log, an older, an empty and a missing one and a missing pepper are refused, until they are accepted', async () => {
  const { root, state, state_marker, pepper } = await closedState()
  const older = readFileSync(state)
  const open = await openState({ data_dir: root })
  await issueKey(open, { tier: 'pro' }, NOW)
  // As a copy of the one file would be while the service runs.
  const withoutLog = readFileSync(state)
  await open.close()
  const [newest, marker, secret] = [state, state_marker, pepper].map((file) => readFileSync(file))
  // A new file each time: connections that this process has closed live until they are collected.
  const put = (content: Buffer | string | null) => {
    const now = content ?? readFileSync(state)
    remove(state, `${state}-wal`, `${state}-shm`)
    writeFileSync(state, now)
  }
  const faults: [string, () => void][] = [
    ['without its log', () => put(withoutLog)],
    ['older', () => put(older)],
    ['empty', () => put('')],
    ['missing', () => remove(state)],
    [
      'missing with all its files',
      () => remove(state, `${state}-wal`, `${state}-shm`, `${state}-keys-changed`, state_marker),
    ],
    [
      'of another installation',
      () => writeFileSync(state_marker, JSON.stringify({ installation: 'other', version: 1 })),
    ],
    ['without a pepper', () => remove(pepper)],
    ['with an empty pepper', () => writeFileSync(pepper, '')],
  ]
  for (const [fault, cause] of faults) {
    put(null)
    cause()
    expect([fault, await codeOf(openState({ data_dir: root }))]).toEqual([fault, 'STATE_INCOMPLETE'])
    expect([fault, await codeOf(openState({ data_dir: root }))]).toEqual([fault, 'STATE_INCOMPLETE'])
    put(newest!)
    writeFileSync(state_marker, marker!)
    writeFileSync(pepper, secret!)
    expect(await codeOf(openState({ data_dir: root }))).toBe('opened')
  }
  // The state would never open with a new pepper: none is made, whether it is accepted or not.
  remove(pepper)
  for (const words of [
    ['keys', 'list'],
    ['state', 'accept'],
    ['keys', 'list'],
  ]) {
    const { code, stderr } = await run(...words, '--data-dir', root)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^STATE_INCOMPLETE: .*key-pepper is missing .*HOLDSHORT_KEY_PEPPER/),
    ])
    expect(stderr).not.toMatch(/state accept|-wal/)
  }
  expect(existsSync(pepper)).toBe(false)
  writeFileSync(pepper, secret!)
  put(older)
  writeFileSync(state_marker, marker!)
  const listed = await run('keys', 'list', '--data-dir', root)
  expect([listed.code, listed.stderr]).toEqual([1, expect.stringMatching(/^STATE_INCOMPLETE: .*state accept/)])
  expect(await run('state', 'accept', '--data-dir', root)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 account and 1 key\n'),
  })
  expect((await run('keys', 'list', '--data-dir', root)).code).toBe(0)
  remove(state, `${state}-wal`, `${state}-shm`, state_marker)
  expect((await run('keys', 'list', '--data-dir', root)).stderr).toMatch(/^STATE_INCOMPLETE: .*is missing/)
  expect((await run('state', 'accept', '--data-dir', root)).stdout).toContain('0 keys')
  expect((await run('keys', 'list', '--data-dir', root)).code).toBe(0)
})

test('a state that is cut or changed is refused with a code and no stack, or has every row', async () => {
  const { root, state } = await closedState()
  const whole = readFileSync(state)
  const damage = fc.oneof(
    fc.record({ kind: fc.constant('cut' as const), at: fc.integer({ min: 1, max: whole.length - 1 }) }),
    fc.record({ kind: fc.constant('noise' as const), at: fc.integer({ min: 0, max: whole.length - 600 }) }),
  )
  await fc.assert(
    fc.asyncProperty(damage, async ({ kind, at: position }) => {
      remove(state, `${state}-wal`, `${state}-shm`)
      writeFileSync(state, whole)
      if (kind === 'cut') truncateSync(state, position)
      else {
        const changed = Buffer.from(whole)
        for (let i = 0; i < 512; i += 1) changed[position + i] = (changed[position + i] ?? 0) ^ 0x5a
        writeFileSync(state, changed)
      }
      const { code, stdout, stderr } = await run('keys', 'list', '--json', '--data-dir', root)
      expect(stderr).not.toMatch(/\n {4}at |node_modules/)
      if (code === 1) expect(stderr).toMatch(/^STATE_(DAMAGED|INCOMPLETE): /)
      else expect([code, JSON.parse(stdout).length]).toEqual([0, 1])
    }),
    { numRuns: repetitions(6, 150), examples: [[{ kind: 'noise', at: 0 }], [{ kind: 'cut', at: 10 }]] },
  )
}, 120_000)

test('the state, its log, its pepper and its folder are for their owner only, whatever the umask is', async () => {
  const before = process.umask(0)
  try {
    const { root, state, state_marker, pepper } = await closedState()
    const files = [state, `${state}-wal`, `${state}-keys-changed`, state_marker, pepper]
    for (const file of files) expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600])
    for (const file of files) chmodSync(file, 0o644)
    await (await openState({ data_dir: root })).close()
    for (const file of files) expect([file, statSync(file).mode & 0o077]).toEqual([file, 0])
    const fresh = `${root}/new/data`
    await (await openState({ data_dir: fresh })).close()
    expect(statSync(fresh).mode & 0o777).toBe(0o700)
  } finally {
    process.umask(before)
  }
})
