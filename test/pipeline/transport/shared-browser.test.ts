import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { plainArgs } from '../../../pipeline/transport/browser-executables.ts'
import { createSharedBrowser } from '../../../pipeline/transport/shared-browser.ts'
import { hasBrowser } from '../real-browser.ts'

const found = await hasBrowser()

describe.skipIf(!found)('the shared browser', () => {
  it('is one process, is restarted after a crash, and is closed when idle', async () => {
    const shared = createSharedBrowser({ chromium_path: process.env.HOLDSHORT_CHROMIUM_PATH, idle_ms: 200 })
    const first = await shared.use(async (browser) => browser)
    const again = await shared.use(async (browser) => browser)
    expect(again).toBe(first)

    await first.close()
    const second = await shared.use(async (browser) => browser)
    expect(second).not.toBe(first)
    expect(second.isConnected()).toBe(true)

    for (let tries = 0; second.isConnected() && tries < 50; tries++) await wait(100)
    expect(second.isConnected()).toBe(false)
    await shared.close()
  })
})

describe('the sandbox', () => {
  it('is disabled only for root', () => {
    expect(plainArgs(0)).toContain('--no-sandbox')
    expect(plainArgs(1_000)).not.toContain('--no-sandbox')
    expect(plainArgs(undefined)).not.toContain('--no-sandbox')
  })
})
