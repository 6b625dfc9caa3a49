import type { Browser } from 'playwright-core'
import { type LaunchWay, launchBrowser, relaunchBrowser } from './launch-browser.ts'
import type { PageProxy } from './page-proxy.ts'

export interface SharedBrowserOptions {
  chromium_path: string | undefined
  idle_ms: number
  /** Opens the proxy that carries the browser's traffic; called once. */
  openProxy: () => Promise<PageProxy>
  /** Called once, with the first browser: why it runs without its sandbox. */
  onUnsandboxed?: ((reason: string) => void) | undefined
}

export interface SharedBrowser {
  /** Runs work with the browser, which is started when it is not running and closed when it has not been used for `idle_ms`. */
  use: <T>(work: (browser: Browser) => Promise<T>) => Promise<T>
  /** Closes the browser in the background: the next `use` starts a new one. */
  discard: () => void
  close: () => Promise<void>
}

/** Creates a browser that all callers share: at most one process. `use` throws FetchError BROWSER_UNAVAILABLE. */
export function createSharedBrowser(options: SharedBrowserOptions): SharedBrowser {
  let proxy: Promise<PageProxy> | null = null
  let known: LaunchWay | null = null
  let current: Promise<Browser> | null = null
  let users = 0
  let idleTimer: NodeJS.Timeout | undefined

  const discard = () => {
    const old = current
    current = null
    void old?.then((browser) => browser.close()).catch(() => undefined)
  }

  /** Finds what starts here by trying, the first time; afterwards starts the same again. */
  const launch = async (): Promise<Browser> => {
    proxy ??= options.openProxy()
    const { address } = await proxy
    if (known !== null) {
      const again = await relaunchBrowser(known, address).catch(() => null)
      if (again) return again
    }
    const { started, way } = await launchBrowser(options.chromium_path, address)
    if (known === null && way.unsandboxed !== null) options.onUnsandboxed?.(way.unsandboxed)
    known = way
    return started
  }

  const start = (): Promise<Browser> => {
    const starting = launch()
    // The next caller must not get a browser that crashed or did not start.
    const forget = () => {
      if (current === starting) current = null
    }
    starting.then((browser) => browser.on('disconnected', forget), forget)
    return starting
  }

  return {
    use: async (work) => {
      clearTimeout(idleTimer)
      users++
      try {
        current ??= start()
        return await work(await current)
      } finally {
        users--
        if (users === 0) idleTimer = setTimeout(discard, options.idle_ms).unref()
      }
    },
    discard,
    close: async () => {
      clearTimeout(idleTimer)
      const old = current
      current = null
      await old?.then((browser) => browser.close()).catch(() => undefined)
      const opened = proxy
      proxy = null
      await opened?.then(({ close }) => close()).catch(() => undefined)
    },
  }
}
