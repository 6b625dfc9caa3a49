import { expect, test } from 'vitest'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { measured, NOTHING, preCheckOnly } from '../api/fake-snapshot.ts'
import { shareHarness } from '../api/harness.ts'
import { messagesOf, toolCall } from '../api/mcp/requests.ts'

const harness = shareHarness()
const limited = () =>
  snapshotAt(NOW, {
    delays: {},
    queues: { 'JFK security': preCheckOnly(NOW, 3), 'LGA security': preCheckOnly(NOW, 5) },
  })

test.each([
  ['/airports/JFK', 'PreCheck only'],
  ['/airports/JFK/embed', 'PreCheck only'],
  ['/tv/JFK', 'PreCheck only'],
  ['/airports/JFK/badge.svg', 'PreCheck only, 3 min at T4'],
  [
    '/compare?airports=JFK,LGA',
    'Only PreCheck is open at JFK, 3 min at T4. Only PreCheck is open at LGA, 5 min at T4.',
  ],
  ['/search?q=New+York', 'only, 3 min at T4'],
  ['/map.csv?colour=wait', ',closed,measured,'],
])('%s says that PreCheck alone is open', async (url, words) => {
  harness.controls.snapshot = limited()
  const { statusCode, body } = await harness.app.inject({ url, headers: { accept: 'text/html' } })
  expect(statusCode).toBe(200)
  expect(body.replaceAll('\u00a0', ' ')).toContain(words)
})

test('over REST the airport is closed, and its terminal says which lane alone is open', async () => {
  harness.controls.snapshot = limited()
  const { security } = (await harness.call('enterprise', '/api/v1/airports/JFK/wait-times')).json()
  expect(security).toMatchObject({ status: 'closed', unavailable_reason: 'closed' })
  expect(security.terminals[0]).toMatchObject({ unavailable_reason: 'only PreCheck is open' })
})

test.each(['get_security_wait_estimate', 'get_airport_overview'])('%s says which lane is open', async (tool) => {
  harness.controls.snapshot = limited()
  const { body } = await harness.call('free', '/mcp', toolCall(tool, { iata: 'JFK' }))
  expect(JSON.stringify(messagesOf(body)[0]!.result)).toMatch(
    /Only PreCheck is open at JFK security now, 3 min at T4\. For everybody else it is closed now/,
  )
})

/** A feed that has PreCheck alone: what is expected for everybody stands beside it. */
const reported = () => {
  const { terminals } = measured(NOW, 3)
  const estimate = { ...NOTHING, average_wait_minutes: 9, basis: 'typical' as const, unavailable_reason: null }
  return snapshotAt(NOW, {
    delays: {},
    queues: {
      'JFK security': {
        ...estimate,
        terminals: terminals.map((terminal) => ({
          ...terminal,
          wait_minutes: null,
          unavailable_reason: 'only PreCheck is reported',
          checkpoints: terminal.checkpoints.map((checkpoint) => ({ ...checkpoint, lane: 'precheck' as const })),
        })),
      },
    },
  })
}
const BESIDE = /PreCheck 3 min at T4 \(measured \d+ min ago by panynj\); no lane for everybody is observed/

test('an estimate for everybody stands beside the lane that is measured, over REST and in one figure', async () => {
  harness.controls.snapshot = reported()
  const { security } = (await harness.call('enterprise', '/api/v1/airports/JFK/wait-times')).json()
  expect(security).toMatchObject({
    basis: 'typical',
    average_wait_minutes: expect.any(Number),
    terminals: [
      { terminal: 'T4', wait_minutes: null, basis: 'measured', checkpoints: [{ lane: 'precheck', wait_minutes: 3 }] },
    ],
  })
  const pro = (await harness.call('pro', '/api/v1/airports/JFK/wait-times')).json()
  expect(pro.security).toMatchObject({ basis: 'typical', terminals: [] })
})

test.each([
  ['get_security_wait_estimate', { iata: 'JFK' }],
  ['get_airport_overview', { iata: 'JFK' }],
  ['compare_airports', { airports: ['JFK', 'LGA'] }],
])('%s says what is measured for PreCheck beside the estimate', async (tool, input) => {
  harness.controls.snapshot = reported()
  const { body } = await harness.call('free', '/mcp', toolCall(tool, input))
  const result = JSON.stringify(messagesOf(body)[0]!.result)
  expect(result).toMatch(BESIDE)
  expect(result).toContain(
    '"other_lanes":[{"lane":"precheck","shortest_minutes":3,"longest_minutes":3,"terminals":["T4"]',
  )
})

test('the card says it too', async () => {
  harness.controls.snapshot = reported()
  const { body } = await harness.app.inject({ url: '/airports/JFK', headers: { accept: 'text/html' } })
  expect(body.replaceAll('\u00a0', ' ')).toMatch(BESIDE)
})
