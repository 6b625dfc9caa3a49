/** Words of how busy a queue is, as sources post them instead of minutes (CLE, seen 2026-08; others of the kind). */
const LEVEL = /^(very )?(low|light|medium|moderate|normal|high|heavy|busy|severe)( wait| traffic)?$/

/** The level that a text is, in lower case; null when it is none. */
export function levelIn(text: string | null): string | null {
  const words = text?.replace(/\s+/g, ' ').trim().toLowerCase() ?? ''
  return LEVEL.test(words) ? words : null
}
