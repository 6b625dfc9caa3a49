import { lstat, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { bundledChromium } from '../../../pipeline/transport/browser-executables.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const here = process.platform === 'linux' && process.arch === 'x64'

test.runIf(here)(
  'simultaneous callers get one complete executable, in a folder of their own user',
  async () => {
    const before = process.env.TMPDIR
    process.env.TMPDIR = await temporaryFolder()
    try {
      const shells = await Promise.all([bundledChromium(), bundledChromium(), bundledChromium()])
      expect(new Set(shells.map((shell) => shell?.executable)).size).toBe(1)
      const executable = shells[0]?.executable ?? ''
      expect((await lstat(executable)).size).toBeGreaterThan(50_000_000)
      expect((await lstat(dirname(executable))).mode & 0o077).toBe(0)
      await rm(dirname(executable), { recursive: true })
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
  },
  60_000,
)
