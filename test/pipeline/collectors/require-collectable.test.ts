import { expect, test } from 'vitest'
import { allSources, type Source, sourceById } from '../../../config/sources.ts'
import { requireCollectable } from '../../../pipeline/collectors/require-collectable.ts'
import { testValues } from '../../values.ts'

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

testValues('pipeline/collectors/require-collectable.json', {
  faultsOf: (_: string, id: string, change: Partial<Source>) => faultsOf(id, change),
})
