import { browserChoices } from '../../pipeline/browser/find.ts'

/** Whether this machine has a browser installed; tests that need one skip, saying so, where it has none. */
export async function hasBrowser(): Promise<boolean> {
  for await (const choice of browserChoices(process.env.HOLDSHORT_CHROMIUM_PATH)) {
    if (choice.from !== '@sparticuz/chromium') return true
    break
  }
  console.warn('browser tests are skipped: no Chrome or Chromium is installed')
  return false
}
