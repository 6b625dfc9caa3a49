import type { Browser } from 'playwright-core'
import { FetchError } from '../../config/errors.ts'
import { type BrowserExecutable, BUNDLE, browserArgs, browserExecutables } from './browser-executables.ts'

const LAUNCH_TIMEOUT_MS = 30_000

/** A way to start the browser that works here, found by trying. */
export interface LaunchWay {
  browser: BrowserExecutable
  /** Why the browser runs without its sandbox; null when the sandbox is on. */
  unsandboxed: string | null
}

const AS_ROOT = 'Chromium refuses its sandbox to root; run Holdshort as another user'
const notHere = (reason: string) =>
  `it does not start with its sandbox (${reason}); allow unprivileged user namespaces, or install a Chromium with its setuid helper`

/** The first line of an error that says something. */
const reasonOf = (error: unknown) =>
  String(error)
    .split('\n')
    .find((line) => line.trim() !== '') ?? ''

async function startBrowser({ browser, unsandboxed }: LaunchWay, proxy: string): Promise<Browser> {
  const { executable, env } = browser
  // Half a second of processor time, which a process that opens no page never needs.
  const { chromium } = await import('playwright-core')
  return await chromium.launch({
    executablePath: executable,
    args: browserArgs(proxy),
    chromiumSandbox: unsandboxed === null,
    headless: true,
    timeout: LAUNCH_TIMEOUT_MS,
    ...(env ? { env: { ...process.env, ...env } } : {}),
  })
}

/** Starts a browser and opens an empty page: some kernels let the browser start, but not the processes in its sandbox. */
async function startAndProve(way: LaunchWay, proxy: string): Promise<Browser> {
  const browser = await startBrowser(way, proxy)
  try {
    const page = await browser.newPage()
    await page.close()
    return browser
  } catch (error) {
    await browser.close().catch(() => undefined)
    throw error
  }
}

/**
 * Starts the first browser that works with its sandbox. If none does, starts the first one that works without: Chromium refuses
 * its sandbox to root, and some kernels do not allow it.
 * @throws FetchError BROWSER_UNAVAILABLE
 */
export async function launchBrowser(
  path: string | undefined,
  proxy: string,
  uid = process.getuid?.(),
): Promise<{ started: Browser; way: LaunchWay }> {
  const failures: string[] = []
  const unsandboxed: LaunchWay[] = []
  const tryWay = async (way: LaunchWay) => {
    try {
      return { started: await startAndProve(way, proxy), way }
    } catch (error) {
      if (way.unsandboxed === null) unsandboxed.push({ ...way, unsandboxed: notHere(reasonOf(error)) })
      else failures.push(`${way.browser.executable} (${way.browser.origin}): ${reasonOf(error)}`)
      return null
    }
  }
  for await (const browser of browserExecutables(path)) {
    const launched = await tryWay({ browser, unsandboxed: uid === 0 ? AS_ROOT : null })
    if (launched) return launched
  }
  for (const way of unsandboxed) {
    const launched = await tryWay(way)
    if (launched) return launched
  }
  const found = failures.length === 0 ? 'none was found' : `none started: ${failures.join('; ')}`
  const advice = `Install Chromium or Chrome, add the package ${BUNDLE}, or set HOLDSHORT_CHROMIUM_PATH to one.`
  throw new FetchError('BROWSER_UNAVAILABLE', `A browser is needed, but ${found}. ${advice}`, { retryable: false })
}

/** Starts the browser that worked before. @throws Error when it no longer does */
export const relaunchBrowser = (way: LaunchWay, proxy: string): Promise<Browser> => startBrowser(way, proxy)
