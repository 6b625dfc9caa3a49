import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { publicNetwork } from '../../../config/public-network.ts'
import { openPageProxy } from '../../../pipeline/transport/page-proxy.ts'
import { createSharedBrowser } from '../../../pipeline/transport/shared-browser.ts'
import { hasBrowser } from '../real-browser.ts'

const found = await hasBrowser()

describe.skipIf(!found)('the shared browser', () => {
  it('is one process, is restarted after a crash, and is closed when idle', async () => {
    const shared = createSharedBrowser({
      chromium_path: process.env.HOLDSHORT_CHROMIUM_PATH,
      idle_ms: 200,
      openProxy: () => openPageProxy(publicNetwork([]), null),
    })
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
