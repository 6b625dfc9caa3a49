import { z } from 'zod'
import { isReservedHost } from './reserved-hosts.ts'

const ALLOWED =
  'an email address (ops@airport.aero), or an address that begins with https:// or mailto:, or a telephone number that begins with tel:'
const isEmail = (text: string) => z.email().safeParse(text).success

/** A contact as a URI that RFC 9116 accepts (https, mailto or tel). */
export const contactUri = (contact: string): string => (isEmail(contact) ? `mailto:${contact}` : new URL(contact).href)

/** Why nobody can be reached at a contact; null when it is an address of the internet or a telephone number. */
export function faultOfContact(contact: string): string | null {
  const must = `must be ${ALLOWED}`
  if (!/^[\x21-\x7e]+$/.test(contact)) return `${must}, without white space and in ASCII`
  const uri = /^[^@:/]+@[^@]+$/.test(contact) ? `mailto:${contact}` : contact
  if (/^tel:/i.test(uri)) return /^tel:\+?[\d().-]*\d[\d().-]*$/i.test(uri) ? null : must
  if (!/^(?:https:\/\/|mailto:)/i.test(uri) || !URL.canParse(uri)) return must
  const { protocol, hostname, pathname, username, password } = new URL(uri)
  const isMail = protocol === 'mailto:'
  const hosts = isMail ? pathname.split(',').map((address) => address.split('@').at(-1)!) : [hostname]
  if (hosts.some(isReservedHost))
    return 'leads to a name without a domain or to a reserved name (such as example.com, .test, .local or localhost), where nobody can reach you: push services refuse it'
  if (isMail && !pathname.split(',').every(isEmail)) return must
  if (username !== '' || password !== '') return `${must}, without a user or password: it is published`
  return null
}
