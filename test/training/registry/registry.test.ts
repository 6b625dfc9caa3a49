import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS, isoUtc } from '../../../config/vocabulary.ts'
import { pruneArtifacts } from '../../../training/artifacts/artifact.ts'
import { challenged } from '../../../training/registry/challenge.ts'
import {
  challengerOf,
  championOf,
  EMPTY_REGISTRY,
  readRegistry,
  retainedFolders,
  servingFolder,
  servingOf,
  withChallengers,
  withChampions,
  withPin,
  writeRegistry,
} from '../../../training/registry/registry.ts'
import {
  compareTrainings,
  freeName,
  listTrainings,
  readTraining,
  saveTraining,
  skillOfTraining,
  type Training,
} from '../../../training/registry/trainings.ts'
import { DEFAULT_TRAINING_SETTINGS } from '../../../training/settings/training-settings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const START = Date.parse('2026-05-01T00:00:00Z')
const NOW = START + 30 * DAY_MS
const JFK = { kind: 'security', subject: 'JFK' } as const
const pinned_at = isoUtc(START)

async function addFolder(models: string, version: string): Promise<void> {
  const folder = join(models, 'security', 'JFK', `JFK@${version}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'card.json'), '{}')
}

async function foldersOf(days: number[]): Promise<string> {
  const models = await temporaryFolder()
  for (const day of days) await addFolder(models, `2026-05-0${day}T00Z`)
  return models
}

/** A model of JFK in the registry. */
const named = (version: string, promoted = NOW) => ({
  ...JFK,
  version: `JFK@${version}`,
  run: 'a-training',
  at: isoUtc(promoted),
  by: 'training',
})

const names = (folders: string[]) => folders.map((folder) => basename(folder).slice(4, 14))

/** A training of two airports over some days whose loss on each hour is `loss`, higher on odd days. */
function fakeTraining(name: string, loss: number, { days = 20, trained = 0, version = name } = {}): Training {
  return {
    format: 1,
    name,
    kind: 'security',
    trained_at: isoUtc(START + trained * DAY_MS),
    cutoff: isoUtc(START + trained * DAY_MS),
    settings: {},
    settings_digest: 'abc',
    airports: ['JFK', 'LGA'].map((subject) => ({
      subject,
      version: `${subject}@${version}`,
      held: null,
      days: Array.from({ length: days }, (_, day) => ({
        day: isoUtc(START + day * DAY_MS),
        from_hours: 24,
        samples: 10,
        error_minutes: 10 * loss * (1 + 0.1 * (day % 2)),
        pinball_minutes: 3 * loss * (1 + 0.1 * (day % 2)),
        baseline_error_minutes: 10 * (1 + 0.1 * (day % 2)),
        baseline_pinball_minutes: 3 * (1 + 0.1 * (day % 2)),
      })),
    })),
  }
}

test('a pin holds a version, its removal ends it, and pruning leaves what serves', async () => {
  const models = await foldersOf([1, 2, 3, 4])
  const none = await readRegistry(models)
  expect(names((await servingOf(models, none, JFK, NOW)).folders)).toEqual([
    '2026-05-04',
    '2026-05-03',
    '2026-05-02',
    '2026-05-01',
  ])
  await writeRegistry(models, withPin(none, { ...JFK, to: '2026-05-02T00Z', pinned_at }))
  const pinned = await readRegistry(models)
  expect(names((await servingOf(models, pinned, JFK, NOW)).folders)).toEqual(['2026-05-02', '2026-05-01'])
  for (const day of [5, 6, 7, 8]) await addFolder(models, `2026-05-0${day}T00Z`)
  const named = new Set<string>()
  await pruneArtifacts(models, 'security', 'JFK', await retainedFolders(models, pinned, JFK, { now: NOW, named }))
  const left = (await readdir(join(models, 'security', 'JFK'))).sort().map((name) => name.slice(4, 14))
  expect(left).toEqual(['2026-05-02', '2026-05-04', '2026-05-05', '2026-05-06', '2026-05-07', '2026-05-08'])
  const freed = withPin(pinned, { ...JFK, to: null, pinned_at })
  expect(names((await servingOf(models, freed, JFK, NOW)).folders)).toEqual(left.toReversed())
})

test('a pin of all holds every airport without an own pin, also on the rule or the baseline', async () => {
  const models = await foldersOf([1, 2])
  const all = withPin(await readRegistry(models), { kind: 'security', subject: '*', to: 'rule', pinned_at })
  expect(await servingOf(models, all, JFK, NOW)).toMatchObject({ contender: 'rule' })
  const own = withPin(all, { ...JFK, to: '2026-05-01T00Z', pinned_at })
  expect(await servingOf(models, own, JFK, NOW)).toMatchObject({
    contender: null,
    folders: [expect.stringContaining('05-01')],
  })
  expect(await servingOf(models, own, { kind: 'immigration', subject: 'JFK' }, NOW)).toMatchObject({
    contender: null,
    pin: null,
  })
})

test('the last champion serves whatever its cutoff, those before stand in, and a challenger never serves', async () => {
  const models = await temporaryFolder()
  const versions = ['2026-05-02T00Z-bbbbbbbb', '2026-05-02T00Z-aaaaaaaa', '2026-05-01T00Z-cccccccc']
  for (const version of [...versions, '2026-05-03T00Z-dddddddd']) await addFolder(models, version)
  const challenger = Object.assign(named('2026-05-03T00Z-dddddddd'), { reason: 'worse' })
  const champions = withChampions(
    await readRegistry(models),
    versions.toReversed().map((version) => named(version)),
  )
  await writeRegistry(models, withChallengers(champions, [challenger]))
  const registry = await readRegistry(models)
  const serving = (await servingOf(models, registry, JFK, NOW)).folders.map((folder) => basename(folder).slice(4))
  expect(serving).toEqual(versions)
  expect(championOf(registry, JFK)).toMatchObject({ version: 'JFK@2026-05-02T00Z-bbbbbbbb', by: 'training' })
  expect(challengerOf(registry, JFK)).toMatchObject({ reason: 'worse' })
  const pinned = withPin(registry, { ...JFK, to: '2026-05-02T00Z-aaaaaaaa', pinned_at })
  expect(await servingFolder(models, pinned, JFK, NOW)).toContain('aaaaaaaa')
  const ofCutoff = withPin(registry, { ...JFK, to: '2026-05-01T23Z', pinned_at })
  expect(await servingFolder(models, ofCutoff, JFK, NOW)).toContain('cccccccc')
  const promoted = withChampions(registry, [named('2026-05-03T00Z-dddddddd')])
  expect(await servingFolder(models, promoted, JFK, NOW)).toContain('dddddddd')
  expect(challengerOf(promoted, JFK)).toBeNull()
  const onlyChallenger = withChallengers(withPin(EMPTY_REGISTRY, { ...JFK, to: null, pinned_at }), [
    Object.assign(named('2026-05-02T00Z'), { reason: 'an experiment' }),
  ])
  expect(await servingFolder(await foldersOf([2]), onlyChallenger, JFK, NOW)).toBeNull()
})

test('a training that nobody named has a name of its own where it made other models', () => {
  const first = fakeTraining('2026-05-01T00Z-abc', 1)
  const other = fakeTraining('', 1, { version: '2026-05-01T00Z-bbbbbbbb' })
  expect(freeName(other, [first])).toBe('2026-05-01T00Z-abc.2')
  expect(freeName(first, [first])).toBe('2026-05-01T00Z-abc')
})

test('a training is shown with its hours, its baseline, and its skill on these hours', () => {
  const training = fakeTraining('training', 0.9)
  const shown = skillOfTraining(training)
  expect(shown).toMatchObject({ hours: 400, skill: { skill: expect.closeTo(0.1, 6) } })
  expect(shown.baseline_mae_minutes).toBeCloseTo(1.05, 6)
  const airports = training.airports.map((airport) => ({
    ...airport,
    days: airport.days.map(({ day, from_hours, samples, error_minutes, pinball_minutes }) => ({
      day,
      from_hours,
      samples,
      error_minutes,
      pinball_minutes,
    })),
  }))
  expect(skillOfTraining({ ...training, airports })).toMatchObject({ hours: 400, skill: null })
})

test('two trainings are compared on the days that both scored, with a sentence that says what the intervals allow', () => {
  const better = compareTrainings(fakeTraining('new', 0.9), fakeTraining('old', 1, { days: 12 }))
  expect(better).toMatchObject({ airports: 2, days: 12, pinball: { skill: expect.closeTo(0.1, 6) } })
  expect(better.sentence).toMatch(/^new is better than old: its pinball loss is 10\.0 % lower on 12 days at 2 airports/)
  expect(compareTrainings(fakeTraining('new', 1.2), fakeTraining('old', 1)).sentence).toMatch(
    /^new is worse than old: its pinball loss is 20\.0 % higher/,
  )
  expect(compareTrainings(fakeTraining('new', 1), fakeTraining('old', 1)).sentence).toMatch(/cannot be told apart/)
  expect(compareTrainings(fakeTraining('new', 1, { days: 0 }), fakeTraining('old', 1)).sentence).toMatch(
    /cannot be compared/,
  )
})

test('trainings that forecast other hours of the same days are compared by what the baseline lost on each', () => {
  const sixHourly = fakeTraining('six-hourly', 0.9)
  const daily = fakeTraining('daily', 1)
  // A quarter of the hours, each three times as hard.
  for (const sums of daily.airports.flatMap(({ days }) => days)) {
    sums.samples /= 4
    for (const loss of ['error_minutes', 'pinball_minutes'] as const) {
      sums[loss] *= 0.75
      sums[`baseline_${loss}`]! *= 0.75
    }
  }
  const compared = compareTrainings(sixHourly, daily)
  expect(compared).toMatchObject({ same_hours: false, mae: { skill: expect.closeTo(0.1, 6) } })
  expect(compared.pinball?.skill).toBeCloseTo(0.1, 6)
  expect(compared.sentence).toContain('other hours of these days')
  expect(compareTrainings(sixHourly, fakeTraining('old', 1))).toMatchObject({
    same_hours: true,
    sentence: expect.not.stringContaining('other hours'),
  })
})

test('a new model is held back only when it lost more than the margin on enough days', () => {
  const { challenger } = DEFAULT_TRAINING_SETTINGS
  const heldOf = (loss: number, champions: Training[]) =>
    challenged(fakeTraining('new', loss), champions, EMPTY_REGISTRY, challenger).airports.map(({ held }) => held)
  const champion = fakeTraining('old', 1)
  expect(heldOf(1.02, [champion])).toEqual([null, null])
  expect(heldOf(1.1, [champion])[0]).toMatch(/on 20 days .* 10\.0 % above that of old, more than the margin of 3\.0 %/)
  expect(heldOf(1.1, [])).toEqual([null, null])
  expect(heldOf(1.1, [fakeTraining('old', 1, { days: challenger.min_days - 1 })])).toEqual([null, null])
  const registry = withChampions(EMPTY_REGISTRY, [Object.assign(named('x'), { version: 'JFK@older' })])
  const others = [fakeTraining('older', 1.2), champion]
  expect(challenged(fakeTraining('new', 1.1), others, registry, challenger).airports[0]!.held).toBeNull()
  const isHeld = { ...champion, airports: champion.airports.map((airport) => ({ ...airport, held: 'worse' })) }
  expect(heldOf(1.1, [fakeTraining('older', 1.2), isHeld])).toEqual([null, null])
})

test('trainings are kept and read by name, and a name that is none is a misuse', async () => {
  const models = await temporaryFolder()
  await saveTraining(models, fakeTraining('wide', 1, { trained: 2 }))
  await saveTraining(models, fakeTraining('narrow', 1, { trained: 1 }))
  expect((await listTrainings(models, 'security')).map(({ name }) => name)).toEqual(['narrow', 'wide'])
  expect(await readTraining(models, 'security', 'wide')).toMatchObject({ name: 'wide' })
  await expect(readTraining(models, 'security', '../x')).rejects.toMatchObject({ code: 'USAGE' })
  await expect(readTraining(models, 'security', 'absent')).rejects.toMatchObject({ code: 'USAGE' })
})

test('a model that was trained while the clock was ahead serves only where there is no other, and pruning leaves what serves', async () => {
  const models = await foldersOf([1, 2, 8, 9])
  const none = await readRegistry(models)
  const now = START + 3 * DAY_MS
  expect(names((await servingOf(models, none, JFK, now)).folders)).toEqual([
    '2026-05-02',
    '2026-05-01',
    '2026-05-09',
    '2026-05-08',
  ])
  for (const day of [3, 4, 5, 6, 7]) await addFolder(models, `2026-05-0${day}T00Z`)
  const retained = await retainedFolders(models, none, JFK, { now: START + DAY_MS, named: new Set() })
  await pruneArtifacts(models, 'security', 'JFK', retained)
  expect(names((await servingOf(models, none, JFK, now)).folders)[0]).toBe('2026-05-02')
  // The clock was set back: models of the future are better than none.
  expect(names((await servingOf(await foldersOf([5]), none, JFK, now)).folders)).toEqual(['2026-05-05'])
})
