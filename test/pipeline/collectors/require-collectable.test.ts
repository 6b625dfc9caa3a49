import { expect, test } from 'vitest'
import { allSources, type Source, sourceById } from '../../../config/sources.ts'
import { requireCollectable } from '../../../pipeline/collectors/require-collectable.ts'

const faultsOf = (id: string, change: Partial<Source>) => {
  try {
    requireCollectable([{ ...sourceById(id), ...change }])
    return null
  } catch (error) {
    expect(error).toMatchObject({ code: 'SETTINGS_INVALID' })
    return (error as Error).message.replaceAll(`config/sources.json: ${id}: `, '')
  }
}

test('every entry of the catalogue can be collected', () => {
  expect(() => requireCollectable(allSources())).not.toThrow()
})

test.each<[string, string, Partial<Source>, string | RegExp]>([
  ['an unknown collector', 'mobi-cvg', { collector: 'moby' }, 'collector: there is no "moby"'],
  ['a source that is on without a collector', 'mobi-cvg', { collector: 'none' }, 'active: must be false'],
  ['an airport that the directory lacks', 'mobi-cvg', { airports: ['CVG', 'ZZZ'] }, 'airports: the directory has no'],
  [
    'an option of another collector',
    'mobi-cvg',
    { options: { row: 'checkpoints' } },
    'options: Unrecognized key: "row"',
  ],
  ['an option where there is none', 'sea-cwt', { options: { days: 3 } }, 'options: Unrecognized key: "days"'],
  ['a value that an option cannot have', 'aci-phx', { options: { wait_unit: 'second' } }, /^options: wait_unit: /],
  ['a path that is none', 'dtw-skyfii', { options: { name: 'a b', minutes: 'm' } }, 'options: name: must be keys'],
  ['an option that is missing', 'zensors-las', { options: {} }, /^options: journeys: /],
  [
    'an airport without its page',
    'panynj-graphql',
    { options: { JFK: 'https://a.example' } },
    /^options: LGA: .*\noptions: EWR: /,
  ],
  ['the code of an airport that is not asked for', 'cbp-awt', { airports: ['JFK'] }, /Unrecognized key: "code_DJT"/],
])('names the source and the field of %s', (_, id, change, fault) => {
  expect(faultsOf(id, change)).toMatch(fault)
})
