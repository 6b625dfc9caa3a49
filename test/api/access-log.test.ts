import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../end-to-end/installation.ts'
import { openHarness, temporaryFolder } from './harness.ts'

/** The lines of a log as soon as there are so many. */
const linesOf = (file: string, count: number) =>
  until(
    `${count} lines in ${file}`,
    () => {
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
      return lines.length >= count ? lines : null
    },
    5_000,
  )

test('has one line for each answer, under the template of its route and without secrets, and follows a rotation', async () => {
  const file = join(temporaryFolder(), 'access.log')
  const umask = process.umask(0)
  const { app, keys } = await openHarness({ HOLDSHORT_ACCESS_LOG: file })
  process.umask(umask)
  const secret = keys.pro.key
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  await get('/api/v1/airports/JFK/delays', { 'x-api-key': secret })
  await get(`/api/v1/airports/JFK/delays?api_key=${secret}`, { authorization: 'Bearer hs_live_wrong' })
  await get(`/no/such/${secret}`)
  const lines = await linesOf(file, 3)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(parsed.map(({ method, route, status, tier, key_id }) => [method, route, status, tier, key_id])).toEqual([
    ['GET', '/api/v1/airports/:iata/delays', 200, 'pro', keys.pro.key_id],
    ['GET', '/api/v1/airports/:iata/delays', 401, null, null],
    ['GET', 'unknown', 404, null, null],
  ])
  for (const { time, ms, bytes, request_id } of parsed) {
    expect(Date.parse(String(time))).toBeGreaterThan(0)
    expect([typeof ms, typeof bytes, typeof request_id]).toEqual(['number', 'number', 'string'])
  }
  expect(lines.join('')).not.toContain(secret)

  renameSync(file, `${file}.1`)
  process.emit('SIGHUP')
  await until('the file is opened anew', () => statSync(file, { throwIfNoEntry: false }) ?? null, 5_000)
  await get('/health')
  expect((await linesOf(file, 1)).length).toBe(1)
  expect((await linesOf(`${file}.1`, 3)).length).toBe(3)
})

/** A service whose log is in a folder of its own, on a clock that the test moves. */
async function openLogInFolder() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const folder = join(temporaryFolder(), 'logs')
  const file = join(folder, 'access.log')
  mkdirSync(folder)
  const { app } = await openHarness({ HOLDSHORT_ACCESS_LOG: file })
  return { folder, file, app }
}

test('is written again within five seconds after the folder of the log is back, or a new one is in its place', async () => {
  const { folder, file, app } = await openLogInFolder()
  for (const away of ['first', 'second']) {
    await app.inject('/health')
    await linesOf(file, 1)
    renameSync(folder, `${folder}-${away}`)
    for (let look = 0; look < 3; look++) {
      vi.advanceTimersByTime(5_000)
      await sleep(20)
    }
    mkdirSync(folder)
    vi.advanceTimersByTime(5_000)
    await until('the file is opened anew', () => statSync(file, { throwIfNoEntry: false }) ?? null, 5_000)
  }
})

test('a folder that may not be entered ends nothing, and the log goes on once it may', async () => {
  const { folder, file, app } = await openLogInFolder()
  await app.inject('/health')
  await linesOf(file, 1)
  renameSync(folder, `${folder}-away`)
  // The system's error for a loop, because the tests may run as root, who may enter every folder.
  symlinkSync('logs', folder)
  vi.advanceTimersByTime(5_000)
  await sleep(20)
  rmSync(folder)
  renameSync(`${folder}-away`, folder)
  vi.advanceTimersByTime(5_000)
  await sleep(20)
  await app.inject('/health')
  await linesOf(file, 2)
})

test('is off by default, and a file that cannot be written is an error at start', async () => {
  const listeners = process.listenerCount('SIGHUP')
  await openHarness({})
  expect(process.listenerCount('SIGHUP')).toBe(listeners)
  await expect(openHarness({ HOLDSHORT_ACCESS_LOG: join(temporaryFolder(), 'none', 'access.log') })).rejects.toThrow(
    'ENOENT',
  )
})

test.each([
  ['https://wait.example', 'max-age=31536000'],
  ['http://wait.example', undefined],
  ['https://localhost:8443', undefined],
  ['https://127.0.0.1', undefined],
])('with the public address %s, Strict-Transport-Security is %s', async (address, expected) => {
  const { app } = await openHarness({ HOLDSHORT_SITE_URL: address })
  for (const url of ['/', '/health', '/api/v1/airports/JFK/delays', '/no/such'])
    expect((await app.inject(url)).headers['strict-transport-security'], url).toBe(expected)
})
