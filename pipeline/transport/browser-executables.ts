import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { lstat, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectFile } from '../../config/paths.ts'

/** A browser that may be started. */
export interface BrowserExecutable {
  /** Its origin, for messages. */
  origin: string
  executable: string
  /** Variables to add to the environment. */
  env?: Record<string, string>
}

/** The install folders of Chrome and Chromium. */
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

/**
 * Flags of a browser that only reads pages. Every connection goes through the proxy, also one to this machine: the browser
 * resolves no name itself, and WebRTC and QUIC, which could bypass a proxy, are off.
 */
export function browserArgs(proxy: string): string[] {
  return [
    '--disable-gpu',
    '--in-process-gpu',
    '--disable-background-networking',
    `--proxy-server=${proxy}`,
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
  ]
}

/**
 * Browsers to try, best first: the path that the operator configured (then no other), the headless shell of the npm package (half
 * the memory of a whole browser, and the same everywhere), an installed one, Playwright's own. The generator looks for each only
 * when the earlier ones did not start.
 */
export async function* browserExecutables(path: string | undefined): AsyncGenerator<BrowserExecutable> {
  if (path !== undefined) {
    yield { origin: 'HOLDSHORT_CHROMIUM_PATH', executable: path }
    return
  }
  const bundled = await bundledChromium()
  if (bundled !== null) yield { origin: BUNDLE, ...bundled }
  for (const executable of INSTALL_PATHS) if (existsSync(executable)) yield { origin: 'installed', executable }
  const { chromium } = await import('playwright-core')
  const own = chromium.executablePath()
  if (existsSync(own)) yield { origin: "Playwright's own", executable: own }
}

/** The npm package with a headless shell: optional, as it weighs 75 MB and one source needs a browser. */
export const BUNDLE = '@sparticuz/chromium'

/**
 * The headless shell of the npm package (x64 Linux only), unpacked once per version into a folder that only this user can access.
 * The package itself would unpack into the shared temporary folder, where other users could replace the program and two processes
 * could use a half-written file. Null if it cannot be used.
 */
export async function bundledChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const version = bundledVersion()
  if (version === null) return null
  const home = join(tmpdir(), `holdshort-chromium-${version}-${process.getuid?.()}`)
  try {
    if (!existsSync(home)) await unpackInto(home)
    const { uid, mode } = await lstat(home)
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0) return null
  } catch {
    return null
  }
  const env = { LD_LIBRARY_PATH: join(home, 'al2023', 'lib'), FONTCONFIG_PATH: join(home, 'fonts') }
  return { executable: join(home, 'chromium'), env }
}

/** The version of the package, wherever npm has put it: it may lie in a folder above this project. Null when it is not installed. */
function bundledVersion(): string | null {
  const places = createRequire(import.meta.url).resolve.paths(BUNDLE) ?? []
  const manifest = places.map((place) => join(place, BUNDLE, 'package.json')).find(existsSync)
  if (manifest === undefined) return null
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** Unpacks into a temporary folder and renames it when complete. A process that comes second uses the folder of the first. */
async function unpackInto(home: string): Promise<void> {
  const staging = await mkdtemp(`${home}-`)
  try {
    const script = `import chromium from '${BUNDLE}'; chromium.setGraphicsMode = false; await chromium.executablePath()`
    // The package unpacks its shared libraries only in an environment that looks like AWS Lambda.
    const env = { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
    const run = promisify(execFile)
    await run(process.execPath, ['--input-type=module', '-e', script], { cwd: projectFile(), env, timeout: 60_000 })
    await rename(staging, home)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}
