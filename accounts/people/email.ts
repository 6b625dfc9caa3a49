import { z } from 'zod'

const Email = z.email().max(254)

/** An email as it is stored: trimmed and in lower case; null if it is not an email. It is never verified by mail. */
export function normaliseEmail(text: string): string | null {
  const email = text.trim().normalize('NFKC').toLowerCase()
  return Email.safeParse(email).success ? email : null
}
