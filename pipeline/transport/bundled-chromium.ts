import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lstat, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectFile } from '../../config/paths.ts'

const PACKAGE = '@sparticuz/chromium'

/** Where the headless shell is, and the environment in which it finds the libraries that a bare machine lacks. */
export interface BundledChromium {
  executable: string
  env: Record<string, string>
}

/**
 * The headless shell inside the npm package (x64 Linux only), unpacked once a version into a folder of this user alone. The package
 * itself would unpack into the shared temporary folder, where others could put another program, and two processes at once meet half a file.
 */
export async function bundledChromium(): Promise<BundledChromium | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const manifest = await readFile(projectFile('node_modules', PACKAGE, 'package.json'), 'utf8').catch(() => null)
  if (manifest === null) return null
  const { version } = JSON.parse(manifest) as { version: string }
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

/** Unpacks beside the place and moves it there whole; whoever comes second takes the first one's. */
async function unpackInto(home: string): Promise<void> {
  const staging = await mkdtemp(`${home}-`)
  try {
    const script = `import chromium from '${PACKAGE}'; chromium.setGraphicsMode = false; await chromium.executablePath()`
    // Without the name of Lambda's runtime the package leaves out the shared libraries.
    const env = { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
    const run = promisify(execFile)
    await run(process.execPath, ['--input-type=module', '-e', script], { cwd: projectFile(), env, timeout: 60_000 })
    await rename(staging, home)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}
