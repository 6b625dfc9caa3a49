import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, vi } from 'vitest'
import type { AccountDependencies } from '../../accounts/dependencies.ts'
import { type IssuedKey, insertAccountWithKey } from '../../accounts/keys/keys.ts'
import type { OpenApiDocument } from '../../api/rest/openapi-types.ts'
import { openState, openStateAt } from '../../api/state/open.ts'
import type { State } from '../../api/state/state.ts'
import { openLog } from '../../bin/runtime/log.ts'
import { openGate } from '../../bin/runtime/open-gate.ts'
import { buildApp } from '../../bin/service/app.ts'
import { dataPaths, readSettings } from '../../config/settings.ts'
import type { Tier } from '../../config/vocabulary.ts'
import { createCallClient, unavailable } from '../../jobs/calls/define-call.ts'
import { type LiveAnswer, type LiveRequest, liveCall } from '../../jobs/calls/live.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { freePort } from '../free-port.ts'
import { liveAnswer } from '../jobs/calls/live-answer.ts'
import { DIRECTORY } from './airport-directory.ts'
import { NOW, snapshotAt } from './example-snapshot.ts'
import { openApiChecker } from './openapi-checker.ts'

/** Answers a live request in place of the pipeline; `stop` fires when the caller waits no longer. */
export type AnswerLive = (request: LiveRequest, stop: AbortSignal) => Promise<LiveAnswer>

export interface Harness {
  app: FastifyInstance
  state: State
  dataDir: string
  keys: Record<Tier, IssuedKey>
  /** The newest snapshot, the current time (epoch ms) and the pipeline's answer to live requests, as the app sees them; tests set them. */
  controls: { snapshot: Snapshot | null; now: number; answerLive: AnswerLive }
  /** One call with the key of a tier (or with none), its answer checked against the OpenAPI document. */
  call: (tier: Tier | null, url: string, options?: InjectOptions) => Promise<LightMyRequestResponse>
}

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdshort-api-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A migrated, empty SQLite state: copying it takes a tenth of the time of migrating a new one. */
let migrated: Buffer | null = null
beforeAll(async () => {
  if (migrated) return
  const folder = mkdtempSync(join(tmpdir(), 'holdshort-api-'))
  const { state: file } = dataPaths(folder)
  await (await openStateAt(file, 'pepper')).close()
  migrated = readFileSync(file)
  rmSync(folder, { recursive: true })
})

/** OpenAPI checkers by settings: apps with the same settings have the same document, and making it takes longer than most tests. */
const checkers = new Map<string, ReturnType<typeof openApiChecker>>()

function checkerOf(environment: Record<string, string>, app: FastifyInstance) {
  const key = JSON.stringify(environment)
  const made: ReturnType<typeof openApiChecker> = (...answer) => {
    const check = checkers.get(key) ?? openApiChecker(app.swagger() as unknown as OpenApiDocument)
    checkers.set(key, check)
    check(...answer)
  }
  return made
}

const issueKeys = (state: State): Promise<Harness['keys']> =>
  state.changeAccess(async (transaction) => ({
    free: await insertAccountWithKey(transaction, state.pepper, { tier: 'free', name: 'free test' }, NOW),
    pro: await insertAccountWithKey(transaction, state.pepper, { tier: 'pro' }, NOW),
    enterprise: await insertAccountWithKey(transaction, state.pepper, { tier: 'enterprise' }, NOW),
  }))
const firstControls = (): Harness['controls'] => ({
  snapshot: snapshotAt(),
  now: NOW,
  answerLive: async () => liveAnswer(),
})

async function startHarness(
  environment: Record<string, string>,
  over: Partial<AccountDependencies>,
  { keys, controls }: Pick<Harness, 'keys' | 'controls'> = { keys: {} as Harness['keys'], controls: firstControls() },
): Promise<Harness & { close: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdshort-api-'))
  const settings = readSettings({ HOLDSHORT_DATA_DIR: dataDir, ...environment })
  const { state: file } = dataPaths(dataDir)
  if (migrated) writeFileSync(file, migrated)
  const state = await openState(settings)
  Object.assign(keys, await issueKeys(state))
  const gate = await openGate(settings, state, openLog({ log_level: 'silent' }, 'test'))
  const app = await buildApp({
    settings,
    state,
    directory: DIRECTORY,
    ...gate.dependencies,
    holder: { current: () => controls.snapshot },
    pipelineClient: createCallClient(async (call, request, stop) => {
      if (call.name !== liveCall.name) throw unavailable(call, 'is not running')
      return controls.answerLive(request as LiveRequest, stop)
    }),
    clock: () => controls.now,
    ...over,
  })
  const check = checkerOf(environment, app)
  return {
    app,
    state,
    dataDir,
    keys,
    controls,
    async call(tier, url, { method = 'GET', headers = {}, ...options } = {}) {
      const authorization = tier === null ? {} : { authorization: `Bearer ${keys[tier].key}` }
      const answer = await app.inject({ method, url, headers: { ...authorization, ...headers }, ...options })
      check(method, url, answer)
      return answer
    },
    async close() {
      // Clients keep their connections open for seconds.
      app.server.closeAllConnections()
      await app.close()
      gate.close()
      await state.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The whole app in a temporary folder with a fixed clock and a key of each tier; `over` replaces dependencies. */
export async function openHarness(
  environment: Record<string, string> = {},
  over: Partial<AccountDependencies> = {},
): Promise<Harness> {
  const harness = await startHarness(environment, over)
  onTestFinished(harness.close)
  return harness
}

/** A harness that listens on its own port, which its public address names; with that address. */
export async function openListening(environment: Record<string, string> = {}, over: Partial<AccountDependencies> = {}) {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const harness = await openHarness({ HOLDSHORT_SITE_URL: address, ...environment }, over)
  await harness.app.listen({ host: '127.0.0.1', port })
  return { harness, address }
}

/**
 * One harness for the tests of a file, or of a `describe`, that leave nothing behind. A test after one that has used it gets the same
 * app, with new keys and the first controls.
 */
export function shareHarness(
  environment: Record<string, string> = {},
  over: Partial<AccountDependencies> = {},
): Harness {
  const shown = { keys: {} as Harness['keys'], controls: firstControls() }
  let started: Awaited<ReturnType<typeof startHarness>>
  let isUsed = false
  const use = () => {
    isUsed = true
    return started
  }
  beforeAll(async () => {
    started = await startHarness(environment, over, shown)
  })
  beforeEach(async () => {
    Object.assign(shown.controls, firstControls())
    if (isUsed) Object.assign(shown.keys, await issueKeys(started.state))
    isUsed = false
  })
  afterAll(() => started.close())
  return {
    ...shown,
    get app() {
      return use().app
    },
    get state() {
      return use().state
    },
    get dataDir() {
      return use().dataDir
    },
    call: (...words) => use().call(...words),
  }
}

/**
 * Expects what the account of a tier was billed this month, by endpoint. On a busy machine an overview does not wait until all
 * counted calls are stored, so it is asked again.
 */
export const expectBilled = ({ call }: Pick<Harness, 'call'>, tier: Tier, calls: Record<string, number>) =>
  vi.waitFor(async () => expect((await call(tier, '/api/agent/me')).json().usage.by_endpoint).toEqual(calls), {
    timeout: 10_000,
    interval: 500,
  })
