import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { EXAMPLE_BYTES } from '../../../forecasting/features/examples.ts'
import { FEATURES, INPUT_GROUPS, usedFeatures } from '../../../forecasting/features/inputs.ts'
import { withinMemory } from '../../../training/settings/kinds.ts'
import {
  DEFAULT_TRAINING_SETTINGS,
  digestOfSettings,
  readTrainingSettings,
  trainingSettings,
} from '../../../training/settings/training-settings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { readCases } from '../../values.ts'

async function settingsFile(content: string): Promise<string> {
  const path = join(await temporaryFolder(), 'run.json')
  await writeFile(path, content)
  return path
}

test('a file names only what differs from the defaults', async () => {
  const settings = readTrainingSettings(await settingsFile('{ "seeds": [7], "fit": { "epochs": 2 } }'))
  expect(settings).toEqual({
    ...DEFAULT_TRAINING_SETTINGS,
    seeds: [7],
    fit: { ...DEFAULT_TRAINING_SETTINGS.fit, epochs: 2 },
  })
  expect(readTrainingSettings(await settingsFile('{}'))).toEqual(DEFAULT_TRAINING_SETTINGS)
  expect(readTrainingSettings(await settingsFile('\uFEFF{}\r\n'))).toEqual(DEFAULT_TRAINING_SETTINGS)
  expect(digestOfSettings(settings)).not.toBe(digestOfSettings(DEFAULT_TRAINING_SETTINGS))
  expect(digestOfSettings(trainingSettings({ fit: { epochs: 2 }, seeds: [7] }))).toBe(digestOfSettings(settings))
})

const { refused } = readCases<{ refused: [content: string, message: string][] }>('training/settings/refused.json')

test.each(refused)('the error for %s names the field and what is allowed', async (content, message) => {
  const path = await settingsFile(content)
  expect(() => readTrainingSettings(path)).toThrow(new RegExp(message))
  expect(() => readTrainingSettings(path)).toThrow(expect.objectContaining({ code: 'SETTINGS_INVALID' }))
})

test('a file that is missing is named', () => {
  expect(() => readTrainingSettings('/absent/run.json')).toThrow(/\/absent\/run\.json/)
})

test('the settings of the demo are valid and cheaper than the defaults', () => {
  const demo = readTrainingSettings(projectFile('config', 'training', 'demo.json'))
  expect(demo.seeds).toHaveLength(1)
  expect(demo.backtest.hold_out_days).toBeLessThan(DEFAULT_TRAINING_SETTINGS.backtest.hold_out_days)
})

test('every group has inputs, and every input one name and one group', () => {
  const unused = INPUT_GROUPS.map((group) => usedFeatures([group]).map((used) => !used))
  expect(new Set(FEATURES).size).toBe(FEATURES.length)
  for (const group of unused) expect(group).toContain(true)
  for (const [k, name] of FEATURES.entries())
    expect([name, unused.filter((group) => group[k]).length]).toEqual([name, 1])
})

test('on a small machine a training has as many examples as a twelfth of the memory has room for, and all on a larger one', () => {
  const GB = 2 ** 30
  expect(withinMemory(DEFAULT_TRAINING_SETTINGS, 8 * GB)).toBe(DEFAULT_TRAINING_SETTINGS)
  const { fit, ...others } = withinMemory(DEFAULT_TRAINING_SETTINGS, GB)
  const { fit: whole, ...same } = DEFAULT_TRAINING_SETTINGS
  expect(others).toEqual(same)
  const bytes = (fit.airport_examples + fit.lane_examples) * EXAMPLE_BYTES
  expect(bytes).toBeLessThanOrEqual(GB / 12)
  expect(bytes).toBeGreaterThan(GB / 13)
  expect(fit.airport_examples / fit.lane_examples).toBeCloseTo(whole.airport_examples / whole.lane_examples, 3)
  expect(withinMemory(DEFAULT_TRAINING_SETTINGS, 1_000).fit).toMatchObject({
    airport_examples: 1_000,
    lane_examples: 0,
  })
})
