import { expect, test } from 'vitest'
import { SettingsError } from '../../config/errors.ts'
import { readSettings } from '../../config/settings.ts'

test.each([
  'mailto:ops@localhost',
  'ops@example.com',
  'OPS@Example.ORG',
  'ops@mail.example.net',
  'ops@holdshort.example',
  'ops@airport.test',
  'mailto:ops@airport.invalid?subject=push',
  'mailto:a@airport.aero,b@airport.local',
  'https://status.airport.local/contact',
  'https://localhost:8080/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'mailto:ops@mailhost',
  'ops@airport.internal',
  'mailto:ops@localhost.',
])('the contact %s is refused, by the name of its setting', (contact) => {
  const read = () => readSettings({ HOLDSHORT_CONTACT: contact })
  expect(read).toThrow(SettingsError)
  expect(read).toThrow(/HOLDSHORT_CONTACT.*reserved name/)
})

test.each([
  'ops@airport.aero',
  'mailto:ops@airport.aero?subject=push',
  'https://airport.aero/contact',
  'https://examples.com/',
  'ops@localhost.aero',
  'ops@contest.org',
  'tel:+1-201-555-0123',
  "o'brien+waits@airport.aero",
])('the contact %s is accepted', (contact) => {
  expect(readSettings({ HOLDSHORT_CONTACT: contact }).contact).toBe(contact)
})

test.each([
  'the people of gate 9',
  'Ops <ops@airport.aero>',
  'mailto: ops@airport.aero',
  'mailto:ops@airport.aero,night desk@airport.aero',
  'mailto:airport.aero',
  'http://airport.aero/contact',
  'https://user:word@airport.aero/',
  'airport.aero/contact',
  'ftp://airport.aero/',
  'javascript:alert(1)//airport.aero',
  'tel:ops',
  'tel:',
  'ops@münchen.aero',
  'ops@airport.aero, night@airport.aero',
  'ops@airport..aero',
  'ops@@airport.aero',
  'x',
])('the contact %s is refused with what is allowed', (contact) => {
  const read = () => readSettings({ HOLDSHORT_CONTACT: contact })
  expect(read).toThrow(SettingsError)
  expect(read).toThrow(/^HOLDSHORT_CONTACT: must be an email address \(ops@airport\.aero\), or an address that begins/)
})

test.each(['mailto: a@b', 'mailto:', 'a@b', 'ops@mailhost', 'mailto:a@b'])(
  'the contact %s, without a domain, is refused',
  (contact) => {
    expect(() => readSettings({ HOLDSHORT_CONTACT: contact })).toThrow(
      /^HOLDSHORT_CONTACT: (must be|leads to a name without a domain)/,
    )
  },
)
