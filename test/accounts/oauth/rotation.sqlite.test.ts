import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { keyedHash } from '../../../api/state/key-format.ts'
import { openState } from '../../../api/state/open.ts'
import { dataPaths } from '../../../config/settings.ts'
import { temporaryFolder } from '../../api/harness.ts'
import { endWithTest } from '../../child-process.ts'
import { json, run } from '../../end-to-end/commands.ts'
import { CLI, holdshort, until } from '../../end-to-end/installation.ts'
import { EXHAUSTIVE, repetitions } from '../../exhaustive.ts'
import { freePort } from '../../free-port.ts'
import {
  authorizeUrl,
  begin,
  CALLBACK,
  challengeOf,
  decide,
  locationOf,
  mcp,
  openConnected,
  openOauth,
  postForm,
  RESOURCE,
  refresh,
  verifier,
} from './flow.ts'

const ROUNDS = repetitions(1, 2)

interface RotatedFile {
  current: string
  former: string[]
}

test('keys, sessions, tokens and sign-ins under way outlive rotations of pepper and signing key by another process', async () => {
  const harness = await openOauth()
  const { person, client } = await openConnected(harness)
  const { app, dataDir, keys, state } = harness
  const me = (key: string) => app.inject({ url: '/api/agent/me', headers: { 'x-api-key': key } })
  const code_verifier = verifier()
  const page = await begin(person, authorizeUrl(client.client_id, { code_challenge: challengeOf(code_verifier) }))

  for (let round = 1; round <= ROUNDS; round += 1) {
    await json('keys', 'rotate-pepper', '--data-dir', dataDir, '--json')
    await json('keys', 'rotate-signing-key', '--data-dir', dataDir, '--json')
    // Issued under a pepper that the running server has not seen yet.
    const issued = await json<{ key: string }>('keys', 'issue', '--tier', 'pro', '--data-dir', dataDir, '--json')
    for (const key of [keys.pro.key, keys.free.key, issued.key])
      expect([round, (await me(key)).statusCode]).toEqual([round, 200])
    expect((await person.get('/account')).statusCode).toBe(200)
    expect((await mcp(harness, client.access_token)).statusCode).toBe(200)
    const renewed = await refresh(harness, client)
    expect(renewed.statusCode, renewed.body).toBe(200)
    Object.assign(client, renewed.json())
    expect((await mcp(harness, client.access_token)).statusCode).toBe(200)
  }

  const back = await person.get(await decide(person, page))
  const code = locationOf(back).searchParams.get('code') ?? ''
  const fields = { grant_type: 'authorization_code', client_id: client.client_id, code, redirect_uri: CALLBACK }
  const answer = await postForm(app, '/token', { ...fields, code_verifier, resource: RESOURCE })
  expect(answer.statusCode, answer.body).toBe(200)
  await until('the server signs with the new key', async () => {
    const { keys: shown } = (await app.inject('/jwks')).json() as { keys: { kid: string; d?: string }[] }
    expect(shown.every(({ d }) => d === undefined)).toBe(true)
    return shown.length === 1 + ROUNDS ? shown : null
  })
  const renewed = await refresh(harness, client)
  expect((await mcp(harness, renewed.json().access_token)).statusCode).toBe(200)

  // A key that was used since no longer needs a former pepper.
  const { pepper } = dataPaths(dataDir)
  const { current, former } = JSON.parse(readFileSync(pepper, 'utf8')) as RotatedFile
  expect(former).toHaveLength(ROUNDS)
  await until('the key is stored under the current pepper', async () => {
    await me(keys.pro.key)
    const row = await state.db.selectFrom('keys').select('hash').where('id', '=', keys.pro.key_id).executeTakeFirst()
    return row?.hash === keyedHash(keys.pro.key, current) ? row : null
  })
  writeFileSync(pepper, JSON.stringify({ current, former: [] }))
  expect(state.peppers.refresh()).toBe(true)
  expect((await me(keys.pro.key)).statusCode).toBe(200)
  expect((await mcp(harness, renewed.json().access_token)).statusCode).toBe(200)
}, 60_000)

test('a pepper of the settings is replaced in two steps, and the command says so', async () => {
  const data_dir = temporaryFolder()
  const [current, two] = ['the first pepper, 16 and more', 'the second pepper, 16 and more']
  const first = await openState({ data_dir, key_pepper: current, key_pepper_former: [two] })
  const second = await openState({ data_dir, key_pepper: two, key_pepper_former: [current] })
  onTestFinished(async () => {
    await first.close()
    await second.close()
  })
  expect([first.peppers.all, second.peppers.all]).toEqual([
    [current, two],
    [two, current],
  ])
  process.env['HOLDSHORT_KEY_PEPPER'] = current
  try {
    const { code, stderr } = await run('keys', 'rotate-pepper', '--data-dir', data_dir)
    expect([code, stderr]).toEqual([2, expect.stringContaining('HOLDSHORT_KEY_PEPPER_FORMER')])
  } finally {
    delete process.env['HOLDSHORT_KEY_PEPPER']
  }
})

test.runIf(EXHAUSTIVE)(
  'no request to a running server fails while pepper and signing key are rotated',
  async () => {
    const data_dir = temporaryFolder()
    const settings = { HOLDSHORT_DATA_DIR: data_dir, HOLDSHORT_PORT: String(await freePort()) }
    const { stdout } = await holdshort(['keys', 'issue', '--tier', 'enterprise'], settings)
    const server = spawn(process.execPath, [CLI, 'serve'], { env: { ...process.env, ...settings }, stdio: 'ignore' })
    endWithTest(server)
    const address = `http://127.0.0.1:${settings.HOLDSHORT_PORT}`
    await until('the server answers', () => fetch(`${address}/health`).catch(() => null))
    const statuses = new Map<number, number>()
    let running = true
    const ask = async () => {
      for (; running; await sleep(25)) {
        const { status, body } = await fetch(`${address}/api/agent/me`, { headers: { 'x-api-key': stdout.trim() } })
        await body?.cancel()
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const asking = Promise.all([ask(), ask(), ask(), ask()])
    const issued: string[] = []
    for (let round = 0; round < 3; round += 1) {
      for (const command of ['rotate-pepper', 'rotate-signing-key'])
        expect((await holdshort(['keys', command], settings)).code).toBe(0)
      issued.push((await holdshort(['keys', 'issue', '--tier', 'pro'], settings)).stdout.trim())
      for (const key of issued)
        expect((await fetch(`${address}/api/agent/me`, { headers: { 'x-api-key': key } })).status).toBe(200)
      const { keys } = (await (await fetch(`${address}/jwks`)).json()) as { keys: object[] }
      expect(keys.length).toBeGreaterThan(0)
    }
    running = false
    await asking
    // The limit per minute may be reached; nothing else is refused.
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([])
    expect(statuses.get(200)).toBeGreaterThan(300)
  },
  120_000,
)
