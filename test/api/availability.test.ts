import { expect, test } from 'vitest'
import { recordAvailabilityTask } from '../../api/status/availability.ts'
import { readSettings } from '../../config/settings.ts'
import { MINUTE_MS } from '../../config/vocabulary.ts'
import { DIRECTORY } from './airport-directory.ts'
import { NOW } from './example-snapshot.ts'
import { type Harness, openHarness, shareHarness } from './harness.ts'

const harness = shareHarness()

/** Runs the task as an api process does: three times a minute. */
async function serveMinutes({ state, controls }: Harness, minutes: number, snapshot = controls.snapshot) {
  const dependencies = { state, settings: readSettings({}), directory: DIRECTORY, holder: { current: () => snapshot } }
  for (let step = 0; step < 3 * minutes; step++) {
    await recordAvailabilityTask.run(dependencies, controls.now)
    controls.now += MINUTE_MS / 3
  }
}

const availabilityOf = async ({ call }: Harness) => (await call(null, '/status')).json().availability

test('the status shows the share of minutes in which a snapshot was served, and what the operator promises', async () => {
  const harness = await openHarness({ HOLDSHORT_SLA_PERCENT: '99.5' })
  expect(await availabilityOf(harness)).toEqual({
    promised_percent: 99.5,
    measured_percent: null,
    measured_since: null,
  })
  await serveMinutes(harness, 60)
  expect(await availabilityOf(harness)).toEqual({
    promised_percent: 99.5,
    measured_percent: 100,
    measured_since: new Date(NOW).toISOString().replace('.000', ''),
  })
  // Down for ten minutes, without a snapshot for ten, then another twenty: two processes record a minute once.
  harness.controls.now += 10 * MINUTE_MS
  await serveMinutes(harness, 10, null)
  await serveMinutes(harness, 20)
  harness.controls.now -= 20 * MINUTE_MS
  await serveMinutes(harness, 20)
  expect(await availabilityOf(harness)).toMatchObject({ measured_percent: 80 })
  const page = await harness.call(null, '/status', { headers: { accept: 'text/html' } })
  expect(page.body).toContain('99.5\u00a0% promised to Enterprise; 80\u00a0% measured since')
  expect((await harness.app.inject('/plans')).body).toMatch(/<dt>Availability promised<\/dt><dd>99\.5\s%/)
})

test('minutes older than 30 days do not count, and without the setting nothing is promised', async () => {
  await serveMinutes(harness, 5)
  harness.controls.now += 30 * 86_400_000
  expect(await availabilityOf(harness)).toEqual({
    promised_percent: null,
    measured_percent: null,
    measured_since: null,
  })
  await serveMinutes(harness, 2)
  expect(await availabilityOf(harness)).toMatchObject({ promised_percent: null, measured_percent: 100 })
  for (const url of ['/plans', '/status']) {
    const { body } = await harness.app.inject({ url, headers: { accept: 'text/html' } })
    expect(body, url).not.toMatch(/promised/)
  }
})
