import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { bundledChromium } from './bundled-chromium.ts'

/** A browser that may be started: where it is, and the arguments that this kind of it needs. */
export interface BrowserExecutable {
  /** For messages: how we came to it. */
  found_by: string
  executable: string
  args: string[]
  /** Variables of its environment besides ours. */
  env?: Record<string, string>
}

/** Where packages and installers put Chrome and Chromium. */
const INSTALL_PATHS = [
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/** Flags of a browser that only reads pages. The sandbox is given up only where Chrome refuses it: as root. */
export function plainArgs(uid: number | undefined): string[] {
  return [
    '--disable-gpu',
    '--in-process-gpu',
    '--disable-background-networking',
    ...(uid === 0 ? ['--no-sandbox'] : []),
  ]
}

/**
 * Browsers to try, best first: the path the operator named (then no other), the headless shell that comes with the npm
 * package (half the memory of a whole browser, and everywhere the same), an installed one, Playwright's own. Each is found only
 * when those before it did not start.
 */
export async function* browserExecutables(path: string | undefined): AsyncGenerator<BrowserExecutable> {
  const args = plainArgs(process.getuid?.())
  if (path !== undefined) {
    yield { found_by: 'HOLDSHORT_CHROMIUM_PATH', executable: path, args }
    return
  }
  const bundled = await bundledChromium()
  if (bundled !== null) yield { found_by: '@sparticuz/chromium', args, ...bundled }
  for (const executable of INSTALL_PATHS) if (existsSync(executable)) yield { found_by: 'installed', executable, args }
  const own = chromium.executablePath()
  if (existsSync(own)) yield { found_by: "Playwright's own", executable: own, args }
}
