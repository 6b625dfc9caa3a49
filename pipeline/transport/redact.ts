/** Shorter values (a version, "140") are no keys, and would blot out other text. */
const SHORTEST_KEY = 8

/** A text (an address, a message) without the keys that were learnt from a site: they are never stored or shown. */
export function conceal(text: string, learnt: Readonly<Record<string, string>> | undefined): string {
  return Object.values(learnt ?? {})
    .filter((value) => value.length >= SHORTEST_KEY)
    .reduce((shown, value) => shown.replaceAll(value, '***').replaceAll(encodeURIComponent(value), '***'), text)
}
