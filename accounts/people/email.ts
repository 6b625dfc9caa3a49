import { domainToASCII } from 'node:url'
import { z } from 'zod'

const Email = z.email().max(254)

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
