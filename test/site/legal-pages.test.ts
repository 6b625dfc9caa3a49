import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openHarness, temporaryFolder } from '../api/harness.ts'
import { readCases } from '../values.ts'

const LEGAL = ['privacy', 'terms', 'imprint']

/** A text of an operator with entities, what a page shows of it, and targets of links that it drops. */
const OPERATOR = readCases<Record<'lines' | 'shown' | 'dropped', string[]>>('site/operator-texts.json')

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

test('entities in the text of the operator are the characters that they name, except in code', async () => {
  const file = `${temporaryFolder()}/imprint.md`
  writeFileSync(file, OPERATOR.lines.join('\n\n'))
  const { app } = await openHarness({ HOLDSHORT_IMPRINT_FILE: file })
  const { body } = await app.inject('/imprint')
  for (const shown of OPERATOR.shown) expect(body).toContain(shown)
  expect(body).not.toMatch(/<script>x|javascript/)
})

test('links of the operator’s text lead to http, https, mail or this site only, and pictures are shown by their name', async () => {
  const file = `${temporaryFolder()}/imprint.md`
  const kept = ['https://a.example/x', 'http://a.example', 'mailto:a@b.example', '/terms', '#register', 'terms?x=1:2']
  const lines = [...kept, ...OPERATOR.dropped].flatMap((href, i) => [
    `[word ${i}](<${href}>)`,
    '',
    `[ref ${i}][r${i}]`,
    '',
    `[r${i}]: <${href}>`,
    '',
  ])
  writeFileSync(
    file,
    [
      ...lines,
      '![a picture](javascript:alert(2))',
      '',
      '![another](https://evil.example/p.png)',
      '',
      '<javascript:alert(3)>',
    ].join('\n'),
  )
  const { app } = await openHarness({ HOLDSHORT_IMPRINT_FILE: file })
  const { body } = await app.inject('/imprint')
  const main = /<main[\s\S]*<\/main>/.exec(body)![0]
  const targets = [...main.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!)
  for (const href of kept) expect(targets, href).toContain(href)
  for (const href of targets)
    expect(['http:', 'https:', 'mailto:'], href).toContain(
      new URL(href.replaceAll('&amp;', '&'), 'https://this.site').protocol,
    )
  for (let i = 0; i < kept.length + OPERATOR.dropped.length; i++) expect(main).toContain(`word ${i}`)
  for (let i = 0; i < kept.length; i++) expect(main).not.toContain(`[r${i}]:`)
  expect(main).toContain('a picture')
  expect(main).not.toMatch(/<img|evil\.example/)
})

test('a text that cannot be read is a fault of the settings that names it', async () => {
  await expect(openHarness({ HOLDSHORT_TERMS_FILE: '/nowhere/terms.md' })).rejects.toThrow('HOLDSHORT_TERMS_FILE')
})
