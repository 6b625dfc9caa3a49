import { Fragment, h } from 'preact'
import { expect, test } from 'vitest'
import { DataBlock, renderDocument } from '../../site/pages/document.tsx'
import { AIRPORT_STYLE } from '../../site/style/index.ts'
import { sourceFiles } from '../source-files.ts'

const RENDERER = 'site/markup/render.ts'
const DOCUMENT = 'site/pages/document.tsx'
/** Constants without any value in them: the favicon and the pictures of MCP Apps. */
const FAVICON = 'site/pages/mark.tsx'
const VIEW_DOCUMENT = 'api/views/document.ts'

const sources = sourceFiles(['api', 'site', 'accounts']).map(({ path, text }) => ({
  path,
  text: text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
}))

const pathsMatching = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

test('only the renderer turns markup into text, and only data for machines and the style of the site are inserted without escapes', () => {
  expect(sources.length).toBeGreaterThan(150)
  expect(pathsMatching(/from 'preact-render-to-string'/)).toEqual([RENDERER])
  expect(pathsMatching(/<!doctype/i).sort()).toEqual([VIEW_DOCUMENT, DOCUMENT])
  expect(pathsMatching(/dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write/)).toEqual([DOCUMENT])
  const { text } = sources.find(({ path }) => path === DOCUMENT)!
  expect(text.match(/dangerouslySetInnerHTML=.*/g)).toEqual([
    'dangerouslySetInnerHTML={{ __html: inlineStyle.text }} />',
    'dangerouslySetInnerHTML={{ __html: text }} />',
  ])
  // The style is a constant that cannot end its element.
  expect(AIRPORT_STYLE.text).not.toContain('<')
})

test('no string in the api contains HTML elements', () => {
  const element = String.raw`<\/?(a|article|b|body|button|code|dd|details|div|dl|dt|em|footer|form|h[1-6]|head|header|html|i|img|input|label|li|main|meta|nav|ol|option|p|pre|script|section|select|span|strong|style|summary|svg|table|tbody|td|textarea|th|thead|time|title|tr|ul)(\s|\/?>)`
  // In .tsx files the attributes of JSX elements have double quotes, strings single ones or backticks.
  const inString = (quote: string) => new RegExp(`${quote}[^${quote}\n]*${element}[^${quote}\n]*${quote}`)
  const found = new Set([...pathsMatching(inString("'")), ...pathsMatching(inString('`'))])
  expect([...found].sort()).toEqual([FAVICON])
})

test('the renderer escapes texts and attribute values', () => {
  const hostile = `"><script>alert('1')</script>&amp;`
  const html = renderDocument(h(Fragment, null, h('p', { title: hostile, 'data-x': hostile }, hostile)))
  expect(html).not.toContain('<script')
  const escaped = `&quot;>&lt;script>alert('1')&lt;/script>&amp;amp;`
  expect(html).toBe(`<!doctype html>\n<p title="${escaped}" data-x="${escaped}">${escaped}</p>\n`)
})

test('data for machines cannot end its element and stays the same JSON', () => {
  const value = { name: '</script><script>alert(1)</script> & <!-- \u2028 \u202e x' }
  const html = renderDocument(h(Fragment, null, h(DataBlock, { value })))
  const [, text = ''] = /<script type="application\/ld\+json">(.*)<\/script>/s.exec(html) ?? []
  expect(text).not.toMatch(/[<>&\u2028\u202e]/)
  expect(JSON.parse(text)).toEqual(value)
})
