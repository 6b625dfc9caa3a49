import type { BrowserContextOptions, Page } from 'playwright-core'
import type { AccountDependencies } from '../../accounts/dependencies.ts'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import type { FakeSnapshotContent } from '../api/fake-snapshot.ts'
import { openListening } from '../api/harness.ts'
import { watchedPage } from './chromium.ts'

/** Opens a page of a simulated world in a real browser, and collects console messages, errors and policy violations. */
export async function openPage(
  options: BrowserContextOptions = {},
  path = '/',
  over: FakeSnapshotContent = {},
  dependencies: Partial<AccountDependencies> = {},
): Promise<{ page: Page; browserProblems: string[] }> {
  const { harness, address } = await openListening({}, dependencies)
  harness.controls.snapshot = snapshotAt(NOW, { simulated: true, ...over })
  const { page, browserProblems } = await watchedPage(address, options)
  page.on('requestfailed', (request) => {
    // The browser ends what it was still fetching when a test goes on to the next page.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') browserProblems.push(request.url())
  })
  await page.addInitScript(`window.violations = []
    document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective))`)
  await page.goto(address + path)
  browserProblems.push(...((await page.evaluate('window.violations')) as string[]))
  return { page, browserProblems }
}
