import { expect, test } from 'vitest'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { shareHarness } from '../api/harness.ts'
import { messagesOf, toolCall } from '../api/mcp/requests.ts'
import { EIGHT, EIGHT_AIRPORTS, WHOLE_DIRECTORY } from './eight-airports.ts'

const harness = shareHarness({}, { directory: WHOLE_DIRECTORY })

/** The text of the card of an airport on its page. */
const cardOf = (body: string) => /<section id="now"[\s\S]*?<\/section>/.exec(body)![0].replace(/<[^>]*>/g, ' ')

test.each(Object.entries(EIGHT))('%s: the page, REST and MCP say the same wait', async (shape, iata) => {
  const { app, controls, call } = harness
  controls.snapshot = snapshotAt(NOW, EIGHT_AIRPORTS)
  const card = cardOf((await app.inject({ url: `/airports/${iata}`, headers: { accept: 'text/html' } })).body)
  const rest = (await call('enterprise', `/api/v1/airports/${iata}/wait-times`)).json().security
  const { body } = await call('free', '/mcp', toolCall('get_security_wait_estimate', { iata }))
  const mcp = messagesOf(body)[0]!.result!.structuredContent!
  const minutes = rest.average_wait_minutes as number | null
  expect(mcp.average_wait_minutes).toBe(minutes)
  expect(mcp.status).toBe(rest.status)
  if (rest.status === 'closed') expect(card).toContain('Security closed')
  else if (shape === 'no-service') expect(card).toContain('No scheduled flights')
  else if (rest.basis === 'typical') {
    // An estimate is a range, which the figure lies in.
    const [, low, high] = /about (\d+)(?:–(\d+))? min/.exec(card)!
    expect(Number(low)).toBeLessThanOrEqual(minutes!)
    expect(Number(high ?? low)).toBeGreaterThanOrEqual(minutes!)
  } else expect(card).toContain(`${minutes} min`)
})
