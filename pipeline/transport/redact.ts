import { MIN_KEY_LENGTH } from '../parsing/requests.ts'

/** Replaces the learned keys of a site in a text (an address, a message) by `***`: keys are never stored or shown. */
export function redactKeys(text: string, keys: Readonly<Record<string, string>> | undefined): string {
  return Object.values(keys ?? {})
    .filter((value) => value.length >= MIN_KEY_LENGTH)
    .reduce((redacted, value) => redacted.replaceAll(value, '***').replaceAll(encodeURIComponent(value), '***'), text)
}
