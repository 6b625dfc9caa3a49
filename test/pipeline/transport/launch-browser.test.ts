import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bundledChromium } from '../../../pipeline/transport/browser-executables.ts'
import { launchBrowser } from '../../../pipeline/transport/launch-browser.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { hasBrowser } from '../real-browser.ts'

const bundled = EXHAUSTIVE ? await bundledChromium() : null
const PROXY = 'http://127.0.0.1:9'

/** A browser that starts only without its sandbox, as on a kernel that forbids it. */
async function browserWithoutSandbox(): Promise<string> {
  const path = join(await temporaryFolder(), 'chromium')
  const variables = Object.entries(bundled?.env ?? {}).map(([name, value]) => `export ${name}='${value}'`)
  const script = `#!/bin/sh
case "$*" in *--no-sandbox*) ;; *) echo 'No usable sandbox!' >&2; exit 1;; esac
${variables.join('\n')}
exec '${bundled?.executable}' "$@"
`
  await writeFile(path, script)
  await chmod(path, 0o755)
  return path
}

test.runIf(bundled)(
  'a browser whose sandbox does not start is started without it, and the reason is told',
  async () => {
    const { started, way } = await launchBrowser(await browserWithoutSandbox(), PROXY, 1_000)
    await started.close()
    expect(way.unsandboxed).toMatch(/does not start with its sandbox \(.+\); allow unprivileged user namespaces/)
  },
)

test.runIf(bundled && process.getuid?.() === 0)('root is told that the sandbox is off', async () => {
  const { started, way } = await launchBrowser(undefined, PROXY)
  await started.close()
  expect(way.unsandboxed).toBe('Chromium refuses its sandbox to root; run Holdshort as another user')
})

/** Whether a user who is not root may create user namespaces here. */
const mayCreateNamespaces = () =>
  promisify(execFile)('setpriv', [
    '--reuid=65534',
    '--regid=65534',
    '--clear-groups',
    'unshare',
    '--user',
    'true',
  ]).then(
    () => true,
    () => false,
  )

const asNobody = EXHAUSTIVE && process.getuid?.() === 0 && (await hasBrowser()) && (await mayCreateNamespaces())

test.runIf(asNobody)(
  'another user gets the sandbox: the pages run in a user namespace of their own, under seccomp',
  { timeout: 90_000 },
  async () => {
    const code = `
    import { readFileSync, readlinkSync, readdirSync } from 'node:fs'
    const { launchBrowser } = await import(${JSON.stringify(`${process.cwd()}/dist/test/programs/launch-browser.js`)})
    const { started, way } = await launchBrowser(undefined, '${PROXY}')
    const page = await started.newPage()
    const renderers = readdirSync('/proc').filter((pid) => /^\\d+$/.test(pid)).flatMap((pid) => {
      try {
        if (!readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes(way.browser.executable)) return []
        if (!readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('--type=renderer')) return []
        const seccomp = /Seccomp:\\s*(\\d)/.exec(readFileSync('/proc/' + pid + '/status', 'utf8'))[1]
        return [{ seccomp, own: readlinkSync('/proc/' + pid + '/ns/user') !== readlinkSync('/proc/self/ns/user') }]
      } catch { return [] }
    })
    console.log(JSON.stringify({ unsandboxed: way.unsandboxed, renderers }))
    await started.close()`
    const { stdout } = await promisify(execFile)(
      'setpriv',
      ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '--input-type=module', '-e', code],
      { cwd: '/', env: { PATH: process.env.PATH, HOME: '/nonexistent' } },
    )
    const { unsandboxed, renderers } = JSON.parse(stdout)
    expect(unsandboxed).toBeNull()
    expect(renderers).toContainEqual({ seccomp: '2', own: true })
  },
)
