import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cleanText,
  hiddenTextPaths,
  isPlainText,
  landedText,
  quoted,
  spreadsheetText,
  terminalJson,
  terminalLines,
  terminalText,
  withCleanTexts,
} from '../../config/untrusted-text.ts'
import { repetitions } from '../exhaustive.ts'
import { HIDDEN_WORDS, MARKUP_PARTS, MARKUP_WORDS } from '../hostile-words.ts'

/** Any text, and texts in which joiners, marks and what hides are frequent. */
const ANY_TEXT = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom('ک', 'ශ', '्', '\u0301', '\u064b', '\u200c', '\u200d', '\u200b', '✈', '\ufe0f', 'a', ' '),
    maxLength: 60,
  }),
)

describe('what a short text from outside is', () => {
  it.each(HIDDEN_WORDS)('%j is not plain, and is cleaned and escaped', (word) => {
    expect(isPlainText(word)).toBe(false)
    const cleaned = cleanText(word)
    expect(isPlainText(cleaned)).toBe(true)
    expect(cleanText(cleaned)).toBe(cleaned)
    expect(isPlainText(terminalText(word).replace(/\p{M}/gu, ''))).toBe(true)
    expect(hiddenTextPaths({ list: [{ name: `a${word}b` }] })).toEqual(['list[0].name'])
  })

  it.each([
    'Terminal 4',
    'São Paulo',
    '東京',
    'München – Süd',
    'Ώρα',
    'नमस्ते',
    'สุวรรณภูมิ',
    '✈️ gate watcher',
    "O'Hare",
    // With the joiners of their spelling: Hong Kong, Sri Lanka; pilots.
    'هنگ\u200cکنگ',
    'ශ්\u200dරී ලංකාව',
    '👩\u200d✈️',
    '👨🏽\u200d✈️',
  ])('the name %j is plain and is not changed', (name) => {
    expect([isPlainText(name), cleanText(name), terminalText(name)]).toEqual([true, name, name])
    expect(withCleanTexts({ name })).toEqual({ name })
  })

  it.each([
    '\ufe0f\u200cک',
    '\ufe0f\u200d✈️',
    'a\u0301\u200cک',
    'ک\u200c',
    '\u200cک',
    'ک\u200c\u200cگ',
    'ک \u200cگ',
    'a\u200cک',
    '✈️\u200d',
    '✈️\u200c✈️',
    'ک\u200c\u200bگ',
  ])('a joiner that joins nothing hides in %j', (text) => {
    expect(isPlainText(text)).toBe(false)
    expect(cleanText(text)).not.toMatch(/[\u200b-\u200d]/)
  })

  it('a text is not cut behind a joiner', () => {
    const name = 'ک\u200c'.repeat(60).slice(0, -1)
    for (const max of [9, 10]) expect(isPlainText(cleanText(name, max))).toBe(true)
  })

  it('no text is longer than its bound or keeps a hidden character, whatever it is', () => {
    fc.assert(
      fc.property(ANY_TEXT, fc.integer({ min: 2, max: 40 }), (text, max) => {
        const cleaned = cleanText(text, max)
        expect([...cleaned].length).toBeLessThanOrEqual(max)
        expect(isPlainText(cleaned), JSON.stringify(cleaned)).toBe(true)
        expect(terminalText(terminalText(text)), 'nothing is left to escape').toBe(terminalText(text))
        expect(JSON.parse(terminalJson(JSON.stringify({ text })))).toEqual({ text })
      }),
      { numRuns: repetitions(40, 300), seed: 12 },
    )
  })

  it('no markup survives landing, and what reads well stays readable', () => {
    for (const word of MARKUP_WORDS) {
      const landed = landedText(word)
      for (const part of MARKUP_PARTS) expect(landed, word).not.toContain(part)
      expect(landedText(landed)).toBe(landed)
      expect(quoted(`A longer name ${word}`)).not.toMatch(/[<>`]|\]\(|:\/\//)
    }
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...MARKUP_PARTS, ']', '(', ':', '/', 'a', '1', ' ', '\u200b'), { maxLength: 12 }),
        (parts) => {
          const landed = landedText(parts.join(''), 8)
          for (const part of MARKUP_PARTS) expect(landed).not.toContain(part)
          expect([...landed].length).toBeLessThanOrEqual(8)
        },
      ),
      { numRuns: repetitions(200, 2_000), seed: 3 },
    )
    const readable = ['Gates A < B', '< 5 min', '>20', 'Open 04:00 / 22:00', 'Terminal [4] (north)'].map((text) =>
      landedText(text),
    )
    expect(readable).toEqual(['Gates A ‹ B', 'under 5 min', 'over 20', 'Open 04:00 / 22:00', 'Terminal [4] (north)'])
  })

  it('a name of 100,000 characters is cut', () => {
    expect(cleanText('x'.repeat(100_000), 100)).toHaveLength(100)
    expect(quoted('“a” '.repeat(1_000)).length).toBeLessThan(90)
  })

  it('lines of ours keep their line breaks on a terminal', () => {
    expect(terminalLines('a\n\u001b[2Jb')).toBe('a\n\\u001b[2Jb')
    expect(terminalText('a\nb')).toBe('a\\u000ab')
  })

  it('a text that a spreadsheet would run begins with an apostrophe', () => {
    for (const formula of ['=1+1', '+1', '-1', '@x', '\t=x', ' =x', '＝x', '|x', '%x'])
      expect(spreadsheetText(formula)).toBe(`'${formula}`)
    expect(spreadsheetText('Terminal 4')).toBe('Terminal 4')
  })
})
