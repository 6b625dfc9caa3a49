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

describe('what a short text from outside is', () => {
  it.each(HIDDEN_WORDS)('%j is not plain, and is cleaned and escaped', (word) => {
    expect(isPlainText(word)).toBe(false)
    const cleaned = cleanText(word)
    expect(isPlainText(cleaned)).toBe(true)
    expect(cleanText(cleaned)).toBe(cleaned)
    expect(isPlainText(terminalText(word).replace(/\p{M}/gu, ''))).toBe(true)
    expect(hiddenTextPaths({ list: [{ name: `a${word}b` }] })).toEqual(['list[0].name'])
  })

  it.each(['Terminal 4', 'São Paulo', '東京', 'München – Süd', 'Ώρα', 'नमस्ते', 'สุวรรณภูมิ', '✈️ gate watcher', "O'Hare"])(
    'the name %j is plain and is not changed',
    (name) => {
      expect([isPlainText(name), cleanText(name), terminalText(name)]).toEqual([true, name, name])
      expect(withCleanTexts({ name })).toEqual({ name })
    },
  )

  it('no text is longer than its bound or keeps a hidden character, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 2, max: 40 }), (text, max) => {
        const cleaned = cleanText(text, max)
        expect([...cleaned].length).toBeLessThanOrEqual(max)
        expect(isPlainText(cleaned), JSON.stringify(cleaned)).toBe(true)
        expect(isPlainText(terminalText(text).replace(/\p{M}/gu, ''))).toBe(true)
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
