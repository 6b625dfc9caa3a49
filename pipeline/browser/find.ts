import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

/** A browser that may be started: where it is, and the arguments that this kind of it needs. */
export interface BrowserChoice {
  /** For messages: how we came to it. */
  from: string
  executable: string
  args: string[]
}

/** Where packages and installers put Chrome and Chromium. */
const USUAL_PLACES = [
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
  return ['--disable-gpu', '--disable-background-networking', ...(uid === 0 ? ['--no-sandbox'] : [])]
}

/**
 * Browsers to try, best first: the path the operator named (then no other), an installed one, Playwright's own, the one
 * that comes with the npm package. Each is found only when those before it did not start.
 */
export async function* browserChoices(path: string | undefined): AsyncGenerator<BrowserChoice> {
  const args = plainArgs(process.getuid?.())
  if (path !== undefined) {
    yield { from: 'HOLDSHORT_CHROMIUM_PATH', executable: path, args }
    return
  }
  for (const executable of USUAL_PLACES) if (existsSync(executable)) yield { from: 'installed', executable, args }
  const own = chromium.executablePath()
  if (existsSync(own)) yield { from: "Playwright's own", executable: own, args }
  const bundled = await bundledChromium()
  if (bundled !== null) yield bundled
}

/** Flags of the package that fit its home (a function in the cloud) and break a machine like ours. */
const NOT_HERE = /^--(single-process|no-zygote|headless|no-sandbox|disable-setuid-sandbox|disable-web-security)\b/

/** The Chromium inside `@sparticuz/chromium`: x64 Linux only, unpacked to the temporary folder at first use. */
async function bundledChromium(): Promise<BrowserChoice | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const before = process.env.AWS_EXECUTION_ENV
  // Read at import: without it the package leaves out the shared libraries that a bare machine lacks.
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x'
  try {
    const { default: sparticuz } = await import('@sparticuz/chromium')
    const args = sparticuz.args.filter((arg) => !NOT_HERE.test(arg))
    const executable = await sparticuz.executablePath()
    return { from: '@sparticuz/chromium', executable, args: [...args, ...plainArgs(process.getuid?.())] }
  } catch {
    return null
  } finally {
    if (before === undefined) delete process.env.AWS_EXECUTION_ENV
    else process.env.AWS_EXECUTION_ENV = before
  }
}
