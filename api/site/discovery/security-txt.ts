import { z } from 'zod'
import { DAY_MS, isoUtc } from '../../../config/domain.ts'

/** How long a copy may be believed; RFC 9116 recommends less than a year. */
const VALID_DAYS = 180

const CONTACT = /^(https:\/\/|mailto:|tel:)/

/** The operator's contact as RFC 9116 takes it, a URI of https, mailto or tel; null for one that is none and no email. */
export function contactUri(contact: string): string | null {
  if (z.email().safeParse(contact).success) return `mailto:${contact}`
  return URL.canParse(contact) && CONTACT.test(contact) ? new URL(contact).href : null
}

/** Makes the text of security.txt (RFC 9116) on the day of `now`; null for a contact that cannot be written as a URI. */
export function securityText(contact: string, siteUrl: string): ((now: number) => string) | null {
  const uri = contactUri(contact)
  if (uri === null) return null
  // A web address must be https here: an installation without it leaves the line away.
  const canonical = siteUrl.startsWith('https://') ? [`Canonical: ${siteUrl}/.well-known/security.txt`] : []
  return (now) => {
    const expires = isoUtc((Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS)
    return `${[`Contact: ${uri}`, `Expires: ${expires}`, ...canonical].join('\n')}\n`
  }
}
