import type { PageParts } from '../../site/pages/frame.ts'

/** The second step of what cannot be undone: it says what will happen, and asks. All parts but the title are HTML. */
export function confirmPage(
  makeForm: (inside: string) => string,
  { title, what, follows, button }: { title: string; what: string; follows: string; button: string },
): PageParts {
  return {
    title,
    body: `<p class="what">${what}</p>
<p>${follows}</p>
${makeForm(`<button class="danger">${button}</button> <a class="button second" href="/dashboard">Cancel</a>`)}`,
  }
}
