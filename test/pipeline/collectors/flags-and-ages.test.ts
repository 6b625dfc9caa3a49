import { describe, expect, it } from 'vitest'
import { EXPIRY_SECONDS } from '../../../config/vocabulary.ts'
import { parseAs, sharedFile } from './context.ts'
import { JSON_CASES } from './payload-cases.ts'

const SPELLINGS = [
  { true: 'true', false: 'false' },
  { true: 'True', false: 'FALSE' },
  { true: 'yes', false: 'no' },
  { true: 'Y', false: 'N' },
  { true: '1', false: '0' },
  { true: 1, false: 0 },
]

/** A payload with the values under one key, of one type, sent in another form. */
const rewritten = (tree: unknown, name: string, type: 'boolean' | 'number', form: (value: unknown) => unknown) =>
  JSON.stringify(tree, (key, value: unknown) => (key === name && typeof value === type ? form(value) : value))

function keysOf(tree: unknown, type: 'boolean' | 'number'): Set<string> {
  const keys = new Set<string>()
  JSON.stringify(tree, (key, value: unknown) => {
    if (typeof value === type) keys.add(key)
    return value
  })
  return keys
}

describe.each(JSON_CASES)('%s reads %s alike', (source, _name, iata, payload) => {
  const tree: unknown = JSON.parse(payload)
  const rowsOf = (body: string) => parseAs(source, body, iata).readings
  const published = rowsOf(JSON.stringify(tree))

  it('when flags are sent as texts or digits, and numbers as texts', () => {
    for (const key of keysOf(tree, 'boolean'))
      for (const spelling of SPELLINGS)
        expect(
          rowsOf(rewritten(tree, key, 'boolean', (flag) => (flag === true ? spelling.true : spelling.false))),
          `${key} as ${JSON.stringify(spelling)}`,
        ).toEqual(published)
    for (const key of keysOf(tree, 'number'))
      expect(rowsOf(rewritten(tree, key, 'number', String)), `${key} as a text`).toEqual(published)
  })
})

const REAL = sharedFile('samples', 'sea-portseattle', 'checkpoint1-2026-03-24.json')

describe.skipIf(REAL === null)('the real payload of Seattle with an age beside its figure', () => {
  const LAST_UPDATED = Date.parse('2026-03-24T23:23:00.987Z')
  const fetched_at = new Date(LAST_UPDATED + 20_000).toISOString()
  const readAt = (fields: object) => {
    const [row] = JSON.parse(REAL ?? '[]') as object[]
    return parseAs('sea-cwt', JSON.stringify([{ ...row, ...fields }]), null, fetched_at)
  }
  const published = readAt({}).readings

  it('keeps the time of the payload when the age is 0', () => {
    expect(published).toMatchObject([{ wait_minutes: 3, observed_at_basis: 'source' }])
    expect(readAt({ MinutesSinceLastUpdate: '0' }).readings).toEqual(published)
  })

  it.each([600, '600'])('is as old as MinutesSinceLastUpdate %j says, and so expired', (MinutesSinceLastUpdate) => {
    const [row] = readAt({ MinutesSinceLastUpdate }).readings
    const age = Date.parse(fetched_at) - Date.parse(row?.observed_at ?? '')
    expect(Math.round(age / 60_000)).toBe(600)
    expect(age).toBeGreaterThan(EXPIRY_SECONDS * 1_000)
  })

  it('keeps the older of two times, and reports an age that cannot be read', () => {
    const LastUpdated = `/Date(${LAST_UPDATED - 3_600_000})/`
    const old = readAt({ LastUpdated, MinutesSinceLastUpdate: 2 }).readings
    expect(old[0]?.observed_at).toBe(new Date(Math.trunc(LAST_UPDATED - 3_600_000)).toISOString())
    for (const age of ['soon', -1]) {
      const { readings, notices } = readAt({ MinutesSinceLastUpdate: age })
      expect([readings, notices.map(({ code }) => code)]).toEqual([published, ['age_unreadable']])
    }
  })
})
