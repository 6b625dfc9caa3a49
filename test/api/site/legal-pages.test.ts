import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openHarness, temporaryFolder } from '../harness.ts'

const LEGAL = ['privacy', 'terms', 'imprint']

test('the legal pages have a plain text that names the contact, and are linked where an address is asked for', async () => {
  const { app } = await openHarness({ HOLDSHORT_CONTACT: 'ops@airport.aero' })
  for (const name of LEGAL) {
    const { statusCode, body } = await app.inject(`/${name}`)
    expect([statusCode, body.includes('href="mailto:ops@airport.aero"')], name).toEqual([200, true])
    expect(body).not.toContain('{{')
  }
  const { body } = await app.inject('/signup')
  for (const name of LEGAL) expect(body).toContain(`href="/${name}"`)
})

test('the text of the operator stands in place of the plain one, escaped', async () => {
  const file = `${temporaryFolder()}/imprint.md`
  writeFileSync(file, 'Ada & Co, 1 Main Street\n\n## Register\n\n<script>x</script>')
  const { app } = await openHarness({ HOLDSHORT_IMPRINT_FILE: file })
  const { body } = await app.inject('/imprint')
  expect(body).toContain('Ada &amp; Co, 1 Main Street')
  expect(body).toContain('Register</h2>')
  expect(body).not.toMatch(/<script>x|has not stated a name/)
})

test('a text that cannot be read is a fault of the settings that names it', async () => {
  await expect(openHarness({ HOLDSHORT_TERMS_FILE: '/nowhere/terms.md' })).rejects.toThrow('HOLDSHORT_TERMS_FILE')
})
