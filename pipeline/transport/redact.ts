/** Shorter values (a version such as "140") are not secret, and replacing them would damage other text. */
const MIN_KEY_LENGTH = 8

/** Replaces the learned keys of a site in a text (an address, a message) by `***`: keys are never stored or shown. */
export function redactKeys(text: string, keys: Readonly<Record<string, string>> | undefined): string {
  return Object.values(keys ?? {})
    .filter((value) => value.length >= MIN_KEY_LENGTH)
    .reduce((redacted, value) => redacted.replaceAll(value, '***').replaceAll(encodeURIComponent(value), '***'), text)
}
