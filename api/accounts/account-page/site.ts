import { addresses } from '../../../config/settings.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { type RelyingParty, relyingParty } from '../people/passkeys.ts'

/** What the pages of people are made with. */
export interface AccountSite {
  dependencies: AccountDependencies
  site_url: string
  /** Null where this site can have no passkeys. */
  party: RelyingParty | null
  now: () => number
}

/** What the pages of people are made with. */
export function accountSite(dependencies: AccountDependencies): AccountSite {
  const { site_url } = addresses(dependencies.settings)
  return { dependencies, site_url, party: relyingParty(site_url), now: dependencies.clock ?? Date.now }
}

/** A button that makes or uses a passkey and sends the form it stands in; shown by its script where the browser can. */
export function passkeyButton({ party }: AccountSite, kind: 'new' | 'use', text: string): string {
  if (!party) return ''
  return `<input type="hidden" name="credential">
<button type="button" class="second" data-passkey="${kind}" hidden>${text}</button>
<p class="fault" role="alert" data-passkey-fault></p>`
}
