import { expect, it } from 'vitest'
import { parseAs, sharedFile } from './context.ts'

const parse = (body: string) => parseAs('ams-schiphol', body, null)
const REAL = sharedFile('samples', 'ams-schiphol', 'excerpt-2023-07.csv')

it.skipIf(REAL === null)('ams-schiphol knows every filter of the real readings of 2023', () => {
  const rows = (REAL ?? '').trim().split('\n').slice(1)
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) {
    const [, filter = '', seconds = ''] = row.trim().split(',')
    const { readings, notices } = parse(JSON.stringify({ [filter]: { waitTimeInSeconds: Number(seconds) } }))
    expect(readings.map((one) => one.wait_minutes)).toEqual(
      filter.startsWith('V') ? [seconds === '0' ? null : Number(seconds) / 60] : [],
    )
    expect(notices.map(({ code }) => code)).toEqual(seconds === '0' ? ['filler_value'] : [])
  }
})
