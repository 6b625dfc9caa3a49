import { z } from 'zod'
import { DAY_MS, isoUtc } from '../../../config/domain.ts'

/** How long the document is valid; RFC 9116 recommends less than a year. */
const VALID_DAYS = 180

const CONTACT = /^(https:\/\/|mailto:|tel:)/

/** The operator's contact as a URI that RFC 9116 accepts (https, mailto or tel); null for any other text. */
export function contactUri(contact: string): string | null {
  if (z.email().safeParse(contact).success) return `mailto:${contact}`
  return URL.canParse(contact) && CONTACT.test(contact) ? new URL(contact).href : null
}

/** Returns a function that makes the text of security.txt (RFC 9116) for a time; null for a contact that is no URI. */
export function securityText(contact: string, siteUrl: string): ((now: number) => string) | null {
  const uri = contactUri(contact)
  if (uri === null) return null
  // Canonical must be an https address, so a site without https has no such line.
  const canonical = siteUrl.startsWith('https://') ? [`Canonical: ${siteUrl}/.well-known/security.txt`] : []
  return (now) => {
    const expires = isoUtc((Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS)
    return `${[`Contact: ${uri}`, `Expires: ${expires}`, ...canonical].join('\n')}\n`
  }
}
