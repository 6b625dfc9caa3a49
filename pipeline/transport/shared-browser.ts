import { type Browser, chromium } from 'playwright-core'
import { FetchError } from '../../config/errors.ts'
import { browserExecutables } from './browser-executables.ts'

const LAUNCH_MS = 30_000

export interface SharedBrowser {
  /** Lends the one browser, starting it when there is none; it is closed when nobody has borrowed it for a while. */
  use: <T>(work: (browser: Browser) => Promise<T>) => Promise<T>
  /** Throws the browser away: the next borrower gets a new one. */
  discard: () => void
  close: () => Promise<void>
}

/** Keeps at most one browser process. @throws FetchError BROWSER_UNAVAILABLE, from borrow */
export function createSharedBrowser(options: { chromium_path: string | undefined; idle_ms: number }): SharedBrowser {
  let current: Promise<Browser> | null = null
  let borrowers = 0
  let idle: NodeJS.Timeout | undefined

  const discard = () => {
    const old = current
    current = null
    void old?.then((browser) => browser.close()).catch(() => undefined)
  }

  const start = (): Promise<Browser> => {
    const starting = launch(options.chromium_path)
    // A crash, or a failed start, must not be handed to the next borrower.
    const forget = () => {
      if (current === starting) current = null
    }
    starting.then((browser) => browser.on('disconnected', forget), forget)
    return starting
  }

  return {
    use: async (work) => {
      clearTimeout(idle)
      borrowers++
      try {
        current ??= start()
        return await work(await current)
      } finally {
        borrowers--
        if (borrowers === 0) idle = setTimeout(discard, options.idle_ms).unref()
      }
    },
    discard,
    close: async () => {
      clearTimeout(idle)
      const old = current
      current = null
      await old?.then((browser) => browser.close()).catch(() => undefined)
    },
  }
}

async function launch(path: string | undefined): Promise<Browser> {
  const tried: string[] = []
  for await (const { found_by: from, executable, args, env } of browserExecutables(path)) {
    try {
      return await chromium.launch({
        executablePath: executable,
        args,
        headless: true,
        timeout: LAUNCH_MS,
        ...(env ? { env: { ...process.env, ...env } } : {}),
      })
    } catch (error) {
      tried.push(`${executable} (${from}): ${String(error).split('\n')[0]}`)
    }
  }
  const found = tried.length === 0 ? 'none was found' : `none started: ${tried.join('; ')}`
  const advice = 'Install Chromium or Chrome, or set HOLDSHORT_CHROMIUM_PATH to one.'
  throw new FetchError('BROWSER_UNAVAILABLE', `A browser is needed, but ${found}. ${advice}`, { retryable: false })
}
