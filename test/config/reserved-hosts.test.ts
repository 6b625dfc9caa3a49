import { expect, test } from 'vitest'
import { SettingsError } from '../../config/errors.ts'
import { readSettings } from '../../config/settings.ts'
import { readCases } from '../values.ts'

type Kind = 'reserved' | 'malformed' | 'without_domain'
const CONTACTS = readCases<Record<Kind | 'accepted', string[]>>('config/contacts.json')

const MESSAGES: Record<Kind, RegExp> = {
  reserved: /HOLDSHORT_CONTACT.*reserved name/,
  malformed: /^HOLDSHORT_CONTACT: must be an email address \(ops@airport\.aero\), or an address that begins/,
  without_domain: /^HOLDSHORT_CONTACT: (must be|leads to a name without a domain)/,
}

test.each(Object.entries(MESSAGES))('a contact that is %s is refused with %s', (kind, message) => {
  for (const contact of CONTACTS[kind as Kind]) {
    const read = () => readSettings({ HOLDSHORT_CONTACT: contact })
    expect(read, contact).toThrow(SettingsError)
    expect(read, contact).toThrow(message)
  }
})

test.each(CONTACTS.accepted)('the contact %s is accepted', (contact) => {
  expect(readSettings({ HOLDSHORT_CONTACT: contact }).contact).toBe(contact)
})
