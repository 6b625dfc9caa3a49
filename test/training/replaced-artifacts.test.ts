import { AsyncLocalStorage } from 'node:async_hooks'
import promises, { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { abs, mul, sum } from '@tensorflow/tfjs-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkModels } from '../../bin/doctor/check-folder.ts'
import { projectFile } from '../../config/paths.ts'
import { dataPaths, readSettings } from '../../config/settings.ts'
import { type Artifact, loadArtifact, saveArtifact } from '../../training/artifacts/artifact.ts'
import { predictAll } from '../../training/predict.ts'
import { readRegistry, writeRegistry } from '../../training/registry/registry.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { sweepLeftovers } from '../../warehouse/storage/leftovers.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/**
 * Work that is stopped (SIGSTOP, a paused container, a suspended machine) at any step, while other work is done as if it were alone.
 * Steps are the calls of the file system, which is all that two processes share.
 */
const STEPS = ['mkdir', 'readdir', 'rename', 'rm', 'open', 'copyFile', 'writeFile', 'readFile', 'link', 'stat'] as const

/** Work that calls `stop` ahead of this step, and continues when the promise resolves. */
const stoppedWork = new AsyncLocalStorage<{ step: number; stop: () => Promise<void> }>()

const originals = STEPS.map((name) => [name, promises[name]] as const)
beforeAll(() => {
  for (const [name, original] of originals)
    Object.assign(promises, {
      [name]: async (...values: unknown[]) => {
        const work = stoppedWork.getStore()
        // Counted before it stops: a call that the work makes at the same time is another step.
        if (work !== undefined) work.step -= 1
        if (work?.step === -1) await stoppedWork.exit(work.stop)
        return (original as unknown as (...values: unknown[]) => Promise<unknown>)(...values)
      },
    })
  syncBuiltinESMExports()
})
afterAll(() => {
  Object.assign(promises, Object.fromEntries(originals))
  syncBuiltinESMExports()
})

/** Runs work until its step, then what happens meanwhile, then the rest of the work. */
const runStopping = <T>(step: number, stop: () => Promise<void>, work: () => Promise<T>): Promise<T> =>
  stoppedWork.run({ step, stop }, work)

/** Runs work that is killed at its step: nothing of it happens from then on, also nothing that it would tidy up. */
function runKilled(step: number, work: () => Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const killed = () => {
      resolve(true)
      return new Promise<void>(() => undefined)
    }
    runStopping(step, killed, work).then(() => resolve(false), reject)
  })
}

const FIXTURE = projectFile('test', 'training', 'fixtures', 'model-v4')

/** An artifact, and a sound one that takes its place when it is damaged: their nets and their cards differ. */
async function twoArtifacts(): Promise<[Artifact, Artifact]> {
  const [first, two] = [await loadArtifact(FIXTURE), await loadArtifact(FIXTURE)]
  const { network } = two.net
  network.setWeights(network.getWeights().map((weights) => mul(weights, 2)))
  return [first, { net: two.net, card: { ...two.card, rows: 1 } }]
}

/** What an artifact is: its card and the sum of its weights belong together. */
const identityOf = ({ card, net }: Artifact) => {
  const [size] = net.network.getWeights().map((weights) => sum(abs(weights)).dataSync()[0])
  return `${card.rows} ${size?.toFixed(3)}`
}

test('a version that is there is never replaced', async () => {
  const [first, two] = await twoArtifacts()
  const models = join(await temporaryFolder(), 'models')
  const folder = await saveArtifact(models, first)
  expect(await saveArtifact(models, two)).toBe(folder)
  expect(identityOf(await loadArtifact(folder))).toBe(identityOf(first))
})

/** Damages the card of a saved model; returns its folder. */
async function damaged(folder: string): Promise<string> {
  await writeFile(join(folder, 'card.json'), '{')
  return folder
}

test('a damaged model that is replaced while it is read is a failure with a code or the new one, at every step', async () => {
  const [first, two] = await twoArtifacts()
  const models = join(await temporaryFolder(), 'models')
  let steps = 0
  for (let isReached = true; isReached; steps += 1) {
    await rm(models, { recursive: true, force: true })
    const folder = await damaged(await saveArtifact(models, first))
    isReached = false
    const replace = async () => {
      isReached = true
      await saveArtifact(models, two)
    }
    const outcome = await runStopping(steps, replace, () => loadArtifact(folder).then(identityOf)).catch(
      (error) => error,
    )
    if (typeof outcome === 'string') expect(outcome, `step ${steps}`).toBe(identityOf(two))
    else expect(outcome, `step ${steps}`).toMatchObject({ code: 'MODEL_INVALID' })
  }
  expect(steps).toBeGreaterThan(4)
})

test('a model that is removed while it is read is a failure with a code, or was read', async () => {
  const [first] = await twoArtifacts()
  const models = join(await temporaryFolder(), 'models')
  for (let step = 0, isReached = true; isReached; step += 1) {
    const folder = await saveArtifact(models, first)
    isReached = false
    const remove = async () => {
      isReached = true
      await rm(folder, { recursive: true })
    }
    const outcome = await runStopping(step, remove, () => loadArtifact(folder).then(identityOf)).catch((error) => error)
    if (typeof outcome !== 'string') expect(outcome).toMatchObject({ code: 'MODEL_INVALID' })
    else expect(outcome).toBe(identityOf(first))
  }
})

test('a training that is killed while it saves leaves a whole model or none, never half of one', async () => {
  const [first, two] = await twoArtifacts()
  const data = await temporaryFolder()
  const { models } = dataPaths(data)
  for (let step = 0, isKilled = true; isKilled; step += 1) {
    const folder = await damaged(await saveArtifact(models, first))
    isKilled = await runKilled(step, () => saveArtifact(models, two))
    const names = await readdir(dirname(folder))
    const read = await loadArtifact(folder).then(identityOf, ({ code }: { code: string }) => code)
    expect(isKilled ? ['MODEL_INVALID', identityOf(two)] : [identityOf(two)], `step ${step}`).toContain(read)
    // What is left is hidden, and swept when it is old and its process gone.
    for (const name of names.filter((other) => other !== basename(folder))) expect(name).toMatch(/^\./)
    await rm(models, { recursive: true })
  }
})

test('what somebody put into the folder of a model stays there when the model is replaced', async () => {
  const [first, two] = await twoArtifacts()
  const models = join(await temporaryFolder(), 'models')
  const folder = await damaged(await saveArtifact(models, first))
  await writeFile(join(folder, 'notes.txt'), 'good in June')
  await saveArtifact(models, two)
  expect(await readdir(folder)).toContain('notes.txt')
  expect(identityOf(await loadArtifact(folder))).toBe(identityOf(two))
  expect(await readdir(dirname(folder))).toEqual([basename(folder)])
})

test('a replaced model that a killed training left behind is swept', async () => {
  const data = await temporaryFolder()
  const left = join(dataPaths(data).models, 'security', 'JFK', '.JFK@2026-11-20T04Z-replaced.999999')
  await mkdir(left, { recursive: true })
  await writeFile(join(left, 'card.json'), '{}')
  await sweepLeftovers(data, Date.now() + 7_200_000)
  expect(await readdir(dirname(left))).toEqual([])
})

test.each(['', '{', '{"format":3}', '[]', '\0\0\0\0'])(
  'a damaged registry (%j) stops neither forecasts nor publishing, and is named',
  async (text) => {
    const data = await temporaryFolder()
    const { models } = dataPaths(data)
    await writeRegistry(models, { format: 2, pins: [], champions: [], challengers: [] })
    expect(await readRegistry(models)).toEqual({ format: 2, pins: [], champions: [], challengers: [] })
    await writeFile(join(models, 'registry.json'), text)
    const warehouse = await openWarehouse(data)
    const failures: unknown[] = []
    const onFailure = (_: string, error: unknown) => failures.push(error)
    expect(await predictAll(warehouse, { now: Date.now(), modelsDir: models, onFailure })).toBe(0)
    await warehouse.close()
    const named =
      /registry\.json is damaged \(.+\), so pins .* unknown .* restore it from a backup, or delete it and pin again/
    expect(failures[0]).toMatchObject({ code: 'MODEL_INVALID', message: expect.stringMatching(named) })
    expect(await checkModels({ ...readSettings({}), data_dir: data }, null)).toMatchObject({
      says: expect.stringMatching(named),
    })
  },
)

test('models that were trained and are gone are named, by the registry or by the published backtests', async () => {
  const data = await temporaryFolder()
  const { models } = dataPaths(data)
  const settings = { ...readSettings({}), data_dir: data }
  const published = { accuracy: () => ({ backtests: [{ iata: 'JFK' }, { iata: 'LAX' }] }) } as unknown as Snapshot
  expect(await checkModels(settings, null)).toBe('none trained yet')
  expect(await checkModels(settings, published)).toMatchObject({
    level: 'wrong',
    says: expect.stringMatching(/^trained, but missing in .*: security JFK, security LAX; .* run `holdshort train`/),
  })
  const named = { run: 'run', at: '2026-11-20T04:00:00Z', by: 'training' }
  const jfk = { kind: 'security', subject: 'JFK', version: 'JFK@2026-11-20T04Z-3fa9c1d2', ...named } as const
  const zrh = {
    kind: 'immigration',
    subject: 'ZRH/entry',
    version: 'ZRH-entry@2026-11-20T04Z-3fa9c1d2',
    ...named,
  } as const
  await writeRegistry(models, { format: 2, pins: [], champions: [jfk, zrh], challengers: [] })
  await cp(FIXTURE, join(models, 'security', 'JFK', jfk.version), { recursive: true })
  expect(await checkModels(settings, null)).toMatchObject({
    level: 'wrong',
    says: expect.stringMatching(/: immigration ZRH\/entry; /),
  })
  expect(
    await checkModels({ ...settings, store: 's3://models' }, published),
    'models are on the machines that train',
  ).toBe('1 model')
})
