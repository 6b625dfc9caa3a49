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
  'the people of gate 9',
])('the contact %s is accepted', (contact) => {
  expect(readSettings({ HOLDSHORT_CONTACT: contact }).contact).toBe(contact)
})
