import { addresses, type Settings } from '../../../config/settings.ts'
import { escaped } from '../../site/pages/html.ts'
import { connectionsSection } from './connections-section.ts'
import { firstSteps } from './first-steps.ts'
import { invoicesSection } from './invoices-section.ts'
import { keysSection, type NameFault } from './keys-section.ts'
import { section } from './parts.ts'
import { planSection } from './plan-section.ts'
import type { Overview } from './read.ts'
import { usageSection } from './usage-section.ts'

/** What was just done, by the name that the address of the page holds. */
export const NOTICES: Record<string, string> = {
  key_revoked: 'The key is revoked. Calls with it are refused from now on.',
  client_disconnected: 'The client is disconnected. Its calls are refused from now on.',
}

/** The main part of the dashboard. */
export function dashboardPage(
  overview: Overview,
  settings: Settings,
  issueForm: (inside: string) => string,
  { wrong = null, done }: { wrong?: NameFault | null; done?: unknown } = {},
): string {
  const sold = settings.stripe_secret_key !== undefined
  const notice = typeof done === 'string' && Object.hasOwn(NOTICES, done) ? NOTICES[done] : undefined
  const steps = firstSteps(addresses(settings), overview.account.tier)
  return [
    `<p class="hint">Signed in as ${escaped(overview.email)}</p>`,
    notice === undefined ? '' : `<p class="notice" role="status">${notice}</p>`,
    planSection(overview, sold),
    keysSection(overview, issueForm, wrong),
    overview.called ? '' : section('first-steps', 'First steps', steps),
    usageSection(overview),
    connectionsSection(overview.connections),
    invoicesSection(overview.invoices, sold),
    overview.called ? `<details class="steps"><summary>How to make a call</summary>${steps}</details>` : '',
  ]
    .filter((part) => part !== '')
    .join('\n')
}
