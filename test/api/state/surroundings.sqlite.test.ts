import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { issueKey } from '../../../accounts/keys/keys.ts'
import { openState } from '../../../api/state/open.ts'
import { keepReserve, openWithReserve } from '../../../api/state/reserve.ts'
import { asStateError } from '../../../api/state/unreachable.ts'
import { checkState } from '../../../bin/doctor/check-folder.ts'
import { dataPaths, readSettings } from '../../../config/settings.ts'
import { NOW } from '../example-snapshot.ts'
import { openHarness, temporaryFolder } from '../harness.ts'

const { watchFault, writeFault } = vi.hoisted(() => ({
  watchFault: { code: null as string | null },
  writeFault: { code: null as string | null },
}))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    watch: (...args: Parameters<typeof fs.watch>) => {
      if (watchFault.code !== null) throw Object.assign(new Error(watchFault.code), { code: watchFault.code })
      return fs.watch(...args)
    },
    writeFileSync: (...args: Parameters<typeof fs.writeFileSync>) => {
      if (writeFault.code !== null) throw Object.assign(new Error(writeFault.code), { code: writeFault.code })
      return fs.writeFileSync(...args)
    },
  }
})

const faults: [string, (pepper: string) => void][] = [
  ['edited', (pepper) => writeFileSync(pepper, 'another secret of more than 16')],
  ['with one character more', (pepper) => writeFileSync(pepper, `${readFileSync(pepper, 'utf8')}x`)],
  ['damaged', (pepper) => writeFileSync(pepper, '{ "current": ')],
  ['empty', (pepper) => writeFileSync(pepper, '')],
  ['deleted', (pepper) => rmSync(pepper)],
]
test.each(faults)(
  'key-pepper that is %s under a running service changes nothing, and health and doctor say so',
  async (_, edit) => {
    const { app, dataDir, keys, state } = await openHarness()
    const { pepper } = dataPaths(dataDir)
    const original = readFileSync(pepper, 'utf8')
    const ask = () => app.inject({ url: '/api/agent/me', headers: { 'x-api-key': keys.pro.key } })
    expect((await ask()).statusCode).toBe(200)
    edit(pepper)
    expect(state.peppers.refresh()).toBe(false)
    expect((await ask()).statusCode).toBe(200)
    expect((await app.inject({ url: '/api/agent/me', headers: { 'x-api-key': 'hs_live_wrong' } })).statusCode).toBe(401)
    const health = (await app.inject('/health')).json() as { status: string; faults: { message: string }[] }
    expect(health.faults[0]?.message).toMatch(/key-pepper.* goes on with the secret that it loaded\. Put the file back/)
    expect(
      await checkState({ ...readSettings({}), data_dir: dataDir }).catch((error: Error) => ({ says: error.message })),
    ).toMatchObject({
      says: expect.stringContaining('key-pepper'),
    })
    writeFileSync(pepper, original)
    state.peppers.refresh()
    expect(((await app.inject('/health')).json() as { faults: unknown[] }).faults).toEqual([])
  },
)

test('key-pepper that cannot be read any more changes nothing', async () => {
  const data_dir = temporaryFolder()
  const state = await openState({ data_dir })
  onTestFinished(() => state.close())
  const { pepper } = dataPaths(data_dir)
  rmSync(pepper)
  mkdirSync(pepper)
  expect(state.peppers.refresh()).toBe(false)
  expect(state.peppers.fault()).not.toBeNull()
})

test.each(['EMFILE', 'ENOSPC'])(
  'without an inotify instance or watch (%s) the state opens, says so once, and sees each change of access',
  async (code) => {
    watchFault.code = code
    onTestFinished(() => {
      watchFault.code = null
    })
    const data_dir = temporaryFolder()
    const warnings: string[] = []
    const here = await openState({ data_dir, onWarning: (text) => warnings.push(text) })
    const there = await openState({ data_dir })
    onTestFinished(async () => {
      await here.close()
      await there.close()
    })
    await sleep(120)
    const before = await here.accessVersion()
    await issueKey(there, { tier: 'free' }, NOW)
    expect(await here.accessVersion()).toBeGreaterThan(before)
    expect(warnings).toEqual([expect.stringMatching(/no inotify (instance|watch) is left .*read at each request/)])
  },
)

test.each([
  ['EDQUOT', true],
  ['ENOSPC', true],
  ['EROFS', false],
  [null, false],
] as const)('where a folder answers a write with %s, the reserve is released: %s', async (code, isReleased) => {
  const reserve = join(temporaryFolder(), 'reserve')
  keepReserve(reserve)
  const { size } = statSync(reserve)
  writeFault.code = code
  onTestFinished(() => {
    writeFault.code = null
  })
  const opening = openWithReserve(reserve, async () => {
    // SQLite has the same code for a quota and for a broken disk.
    if (statSync(reserve).size > size / 2) throw asStateError({ code: 'SQLITE_IOERR_SHMSIZE' })
  })
  if (isReleased) await opening
  else await expect(opening).rejects.toMatchObject({ code: 'STATE_UNWRITABLE' })
  expect(statSync(reserve).size).toBe(isReleased ? size / 2 : size)
})
