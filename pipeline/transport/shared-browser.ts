import { type Browser, chromium } from 'playwright-core'
import { FetchError } from '../../config/errors.ts'
import { browserExecutables } from './browser-executables.ts'

const LAUNCH_TIMEOUT_MS = 30_000

export interface SharedBrowser {
  /** Runs work with the browser, which is started when it is not running and closed when it has not been used for `idle_ms`. */
  use: <T>(work: (browser: Browser) => Promise<T>) => Promise<T>
  /** Closes the browser in the background: the next `use` starts a new one. */
  discard: () => void
  close: () => Promise<void>
}

/** Creates a browser that all callers share: at most one process. `use` throws FetchError BROWSER_UNAVAILABLE. */
export function createSharedBrowser(options: { chromium_path: string | undefined; idle_ms: number }): SharedBrowser {
  let current: Promise<Browser> | null = null
  let users = 0
  let idleTimer: NodeJS.Timeout | undefined

  const discard = () => {
    const old = current
    current = null
    void old?.then((browser) => browser.close()).catch(() => undefined)
  }

  const start = (): Promise<Browser> => {
    const starting = launch(options.chromium_path)
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
    },
  }
}

/** Starts the first executable that works. @throws FetchError BROWSER_UNAVAILABLE */
async function launch(path: string | undefined): Promise<Browser> {
  const failures: string[] = []
  for await (const { origin, executable, args, env } of browserExecutables(path)) {
    try {
      return await chromium.launch({
        executablePath: executable,
        args,
        headless: true,
        timeout: LAUNCH_TIMEOUT_MS,
        ...(env ? { env: { ...process.env, ...env } } : {}),
      })
    } catch (error) {
      failures.push(`${executable} (${origin}): ${String(error).split('\n')[0]}`)
    }
  }
  const found = failures.length === 0 ? 'none was found' : `none started: ${failures.join('; ')}`
  const advice = 'Install Chromium or Chrome, or set HOLDSHORT_CHROMIUM_PATH to one.'
  throw new FetchError('BROWSER_UNAVAILABLE', `A browser is needed, but ${found}. ${advice}`, { retryable: false })
}
