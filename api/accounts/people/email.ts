import { z } from 'zod'

const Email = z.email().max(254)

/** An email as people are known by it: trimmed and in lower case; null for what cannot be one. It is never verified by mail. */
export function knownEmail(text: string): string | null {
  const email = text.trim().normalize('NFKC').toLowerCase()
  return Email.safeParse(email).success ? email : null
}
