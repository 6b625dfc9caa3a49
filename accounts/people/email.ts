import { domainToASCII } from 'node:url'
import { z } from 'zod'

/** As that of the library, and with top-level domains in other scripts, which are written in ASCII (xn--p1ai). */
const ADDRESS = /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+(?:[a-z]{2,}|xn--[a-z\d-]+)$/i

/** An email of a person or an agent, its domain in ASCII. */
export const Email = z.email({ pattern: ADDRESS }).max(254)

/**
 * An email as it is stored: trimmed, in lower case, and its domain in ASCII, as some browsers send it and others do not; null if it
 * is not an email. It is never verified by mail.
 */
export function normaliseEmail(text: string): string | null {
  const typed = text.trim().normalize('NFKC').toLowerCase()
  const at = typed.lastIndexOf('@') + 1
  const domain = typed.slice(at)
  const email = `${typed.slice(0, at)}${/^\p{ASCII}*$/u.test(domain) ? domain : domainToASCII(domain)}`
  return Email.safeParse(email).success ? email : null
}
