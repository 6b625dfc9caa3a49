import { contactUri } from '../../config/contact.ts'
import { DAY_MS, isoUtc } from '../../config/vocabulary.ts'

/** How long the document is valid; RFC 9116 recommends less than a year. */
const VALID_DAYS = 180

/** Returns a function that makes the text of security.txt (RFC 9116) for a time. */
export function securityText(contact: string, siteUrl: string): (now: number) => string {
  // Canonical must be an https address, so a site without https has no such line.
  const canonical = siteUrl.startsWith('https://') ? [`Canonical: ${siteUrl}/.well-known/security.txt`] : []
  return (now) => {
    const expires = isoUtc((Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS)
    return `${[`Contact: ${contactUri(contact)}`, `Expires: ${expires}`, ...canonical].join('\n')}\n`
  }
}
