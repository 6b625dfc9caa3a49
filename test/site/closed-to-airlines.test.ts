import { expect, test } from 'vitest'
import { exampleContent, NOW, snapshotAt } from '../api/example-snapshot.ts'
import { CLOSED_AT_NIGHT, measured } from '../api/fake-snapshot.ts'
import { shareHarness } from '../api/harness.ts'
import { messagesOf, toolCall } from '../api/mcp/requests.ts'

/** A queue that a feed still measures, at an airport that no airline may use. */
const harness = shareHarness()
const closed = () => {
  const { LGA } = exampleContent().delays!
  const closure = { ...CLOSED_AT_NIGHT, closed_hours_utc: null, closed_hours_local: null, in_force: true }
  return snapshotAt(NOW, {
    delays: { LGA: { ...LGA!, status: 'closed', closures: [closure] } },
    queues: { 'LGA security': measured(NOW, 47) },
  })
}

test.each([
  '/airports/LGA',
  '/airports/LGA/embed',
  '/tv/LGA',
  '/airports/LGA/badge.svg',
  '/compare?airports=JFK,LGA',
  '/search?q=New+York',
  '/map.csv?colour=wait',
])('%s gives no wait while airlines are shut out', async (url) => {
  harness.controls.snapshot = closed()
  const { statusCode, body } = await harness.app.inject({ url, headers: { accept: 'text/html' } })
  expect(statusCode).toBe(200)
  const words = body.replace(/<[^>]+>/g, ' ').replace(/[\s\u00a0]+/g, ' ')
  expect(words).toMatch(/closed to airlines|,closed,measured,/i)
  expect(words).not.toMatch(/\b47 min/)
})

test.each([
  ['get_security_wait_estimate', { iata: 'LGA' }],
  ['get_airport_overview', { iata: 'LGA' }],
  ['compare_airports', { airports: ['JFK', 'LGA'] }],
])('%s gives no wait while airlines are shut out', async (tool, input) => {
  harness.controls.snapshot = closed()
  const { body } = await harness.call('free', '/mcp', toolCall(tool, input))
  const answer = JSON.stringify(messagesOf(body)[0]!.result)
  expect(answer).toMatch(/closed to airlines until/)
  expect(answer).not.toMatch(/\b47\b/)
})
