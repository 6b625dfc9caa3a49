import type { Tier } from '../../../config/domain.ts'
import type { Addresses } from '../../../config/settings.ts'
import type { PageParts } from '../../site/pages/frame.ts'
import { escaped } from '../../site/pages/html.ts'
import { firstSteps } from './first-steps.ts'
import { named } from './parts.ts'

const BACK = '<p><a class="button second" href="/dashboard">Back to the dashboard</a></p>'

/** The only page that ever shows a key. */
export function issuedPage({ key, tier }: { key: string; tier: Tier }, name: string, places: Addresses): PageParts {
  return {
    title: 'Your new key',
    scripts: ['copy-once'],
    body: `<p class="notice"><strong>Copy it now.</strong> This page shows it once; it is not stored and cannot be recovered.</p>
<label for="new-key">Key ${named(name)}</label>
<textarea class="secret" id="new-key" readonly rows="2" spellcheck="false" autocomplete="off">${escaped(key)}</textarea>
<p><button type="button" data-copy="new-key" hidden>Copy</button></p>
<h2>Use it</h2>
${firstSteps(places, tier)}
${BACK}`,
  }
}

/** The answer to a form that comes a second time: nothing was done, and the key is not shown again. */
export const spentPage: PageParts = {
  title: 'This key has been shown',
  status: 409,
  body: `<p>This form was sent before. Its key was issued then, and shown that one time; nothing was issued now.</p>
<p>If you do not have the key, revoke it on the dashboard and issue another.</p>
${BACK}
<p class="none">CONFLICT</p>`,
}
