import { browserExecutables } from '../../pipeline/transport/browser-executables.ts'

/** Whether this machine has a browser; tests that need one are skipped with a warning where it has none. */
export async function hasBrowser(): Promise<boolean> {
  for await (const _ of browserExecutables(process.env.HOLDSHORT_CHROMIUM_PATH)) return true
  console.warn('browser tests are skipped: no Chrome or Chromium is here')
  return false
}
