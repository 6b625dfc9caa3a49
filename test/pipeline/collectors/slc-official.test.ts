import { expect, it } from 'vitest'
import { parseCsv } from '../../../pipeline/parsing/csv.ts'
import { fixture, parseAs, sharedFile } from './context.ts'
import { readingLine } from './feed-tests.ts'

const CAPTURES = ['2026-04-05_0858', '2026-04-06_0455', '2026-04-06_0547', '2026-04-07_0453', '2026-04-07_0820']
const POLLS = sharedFile('samples', 'slc-official', 'waittimes.csv')
const parse = (answer: object) => parseAs('slc-official', JSON.stringify(answer), 'SLC')

it('reads one number for the airport, and the status of PreCheck lanes', () => {
  const { readings, notices } = parseAs('slc-official', fixture('slc.json'), 'SLC')
  expect(notices).toEqual([])
  expect(readings.map((row) => [...readingLine(row), row.wait_text])).toEqual([
    ['', '', 'standard', 9, null, null, 'unknown', '8 minutes and 30 seconds'],
    ['Terminal 1', 'Checkpoint 1', 'precheck', null, null, null, 'open', null],
    ['Terminal 1', 'Checkpoint 2', 'precheck', null, null, null, 'closed', null],
  ])
  expect(readings.every((row) => row.observed_at_basis === 'fetch')).toBe(true)
})

it('reads no wait when the number is missing: the estimate for the hour is not an observation', () => {
  const { rightnow: _, ...rest } = JSON.parse(fixture('slc.json'))
  expect(parse(rest).readings[0]?.wait_minutes).toBeNull()
})

it('reports bad parts, reads the others and leaves out other airports', () => {
  const { readings, notices } = parse({
    code: 'SLC',
    rightnow: 'soon',
    precheck_checkpoints: { 'Terminal 1': 'Open', 'Terminal 2': { North: 'Perhaps' } },
  })
  expect(readings.map((row) => [row.wait_minutes, row.status])).toEqual([
    [null, 'unknown'],
    [null, 'unknown'],
  ])
  expect(notices.map(({ code }) => code)).toEqual(['value_not_a_number', 'row_unreadable'])
  expect(parse({ code: 'LAX', rightnow: 4 })).toMatchObject({
    readings: [],
    notices: [{ code: 'airport_unexpected' }],
  })
})

it.skipIf(POLLS === null).each(CAPTURES)('reads the capture of %s as its poller did', (name) => {
  const polls = parseCsv(POLLS ?? '')
  const poll = polls.find((row) => row.timestamp_mt?.startsWith(name.replace(/_(\d\d)(\d\d)$/, ' $1:$2')))
  const { readings, notices } = parseAs(
    'slc-official',
    sharedFile('samples', 'slc-official', `${name}.json`) ?? '',
    'SLC',
  )
  expect(notices).toEqual([])
  expect(String(readings[0]?.wait_minutes)).toBe(poll?.rightnow)
  expect(readings.slice(1).map((row) => row.status)).toEqual(
    [poll?.precheck_cp1, poll?.precheck_cp2].map((word) => word?.toLowerCase()),
  )
})
