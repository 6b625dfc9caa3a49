/** Shorter values (a version, "140") are no keys, and would blot out other text. */
const MIN_KEY_LENGTH = 8

/** A text (an address, a message) without the keys that were learnt from a site: they are never stored or shown. */
export function redactKeys(text: string, learnt: Readonly<Record<string, string>> | undefined): string {
  return Object.values(learnt ?? {})
    .filter((value) => value.length >= MIN_KEY_LENGTH)
    .reduce((shown, value) => shown.replaceAll(value, '***').replaceAll(encodeURIComponent(value), '***'), text)
}
