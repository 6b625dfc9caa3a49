import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** WebSocket address of the browser that all tests share; null where this machine has none. */
    chromium: string | null
  }
}

/** Starts one Chromium for all browser tests: starting one takes a second of a core. */
export default async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = process.env.HOLDSHORT_CHROMIUM_PATH ?? '/usr/bin/chromium'
  if (!existsSync(executablePath)) {
    process.stderr.write('Chromium is not installed: the browser tests are skipped\n')
    provide('chromium', null)
    return undefined
  }
  const server = await chromium.launchServer({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  provide('chromium', server.wsEndpoint())
  return () => server.close()
}
