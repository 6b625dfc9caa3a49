const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text made safe for HTML, in elements and in quoted attributes. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)

/** An instant for people, which machines can read too. */
export const moment = (instant: string) =>
  `<time datetime="${instant}">${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC</time>`

/** A table that scrolls by itself on narrow screens, reachable by keyboard. Heads are HTML, rows are whole `<tr>`. */
export function table(label: string, heads: string[], rows: string[]): string {
  return `<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${heads.join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>`
}

export const head = (text: string, kind = '') => `<th scope="col"${kind && ` class="${kind}"`}>${text}</th>`
