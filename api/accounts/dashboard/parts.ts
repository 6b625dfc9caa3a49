import { escaped } from '../../site/pages/html.ts'

/** A section under a heading of its own. The body is HTML. */
export const section = (id: string, title: string, body: string) => `<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}
</section>`

/** A day for people, which machines can read too. */
export const day = (instant: string) => `<time datetime="${instant}">${instant.slice(0, 10)}</time>`

/** A name that somebody has given, with its own direction of writing. */
export const named = (name: string) => `<bdi>${escaped(name)}</bdi>`

/** One line of a list: what it is, what is to be known of it, what can be done with it. All are HTML. */
export const line = (what: string, about: string, action = '') =>
  `<li><div><strong>${what}</strong> <span class="about">${about}</span></div>${action}</li>`

export const lines = (all: string[]) => `<ul class="lines">\n${all.join('\n')}\n</ul>`
