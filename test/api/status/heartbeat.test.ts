import { expect, test } from 'vitest'
import { heartbeatTask } from '../../../api/status/health.ts'
import { readSettings } from '../../../config/settings.ts'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import { serveLocally } from '../../local-server.ts'
import { HEALTH } from '../../site/source-health.ts'
import { DIRECTORY } from '../airport-directory.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { openHarness } from '../harness.ts'

async function watchdog() {
  const calls: string[] = []
  const origin = await serveLocally((request, response) => {
    calls.push(request.url ?? '')
    response.end()
  })
  return { calls, url: `${origin}/ping/secret` }
}

/** A healthy service, and one whose newest forecast is over, with a watchdog at an address. */
async function beats(address?: string) {
  const { state, app, controls } = await openHarness()
  const settings = readSettings(address === undefined ? {} : { HOLDSHORT_HEARTBEAT_URL: address })
  const healthy = HEALTH.filter(({ state: name }) => name === 'healthy')
  return async (ownForecastsEnd: number) => {
    const snapshot = snapshotAt(NOW, { health: healthy, ownForecastsEnd })
    controls.snapshot = snapshot
    await heartbeatTask.run({ settings, state, directory: DIRECTORY, holder: { current: () => snapshot } }, NOW)
    return (await app.inject('/health')).json()
  }
}

test('the heartbeat is sent while the service is healthy, and not when its forecasts are over', async () => {
  const { calls, url } = await watchdog()
  const beat = await beats(url)
  expect((await beat(NOW + HOUR_MS)).status).toBe('ok')
  expect(calls).toEqual(['/ping/secret'])
  expect(await beat(NOW - HOUR_MS)).toMatchObject({ status: 'degraded', faults: [{ code: 'FORECASTS_ENDED' }] })
  expect(calls).toHaveLength(1)
})

test('without an address, and with a watchdog that is away, nothing fails', async () => {
  expect((await (await beats())(NOW + HOUR_MS)).status).toBe('ok')
  expect((await (await beats('http://127.0.0.1:9/ping'))(NOW + HOUR_MS)).status).toBe('ok')
})
