import { expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { fixture, parseAs } from './context.ts'

it('zrh rejects the answer of another kind', () => {
  expect(() => parseAs('zrh-security', fixture('zrh-passport.json'), 'ZRH')).toThrow(ParseError)
  expect(() => parseAs('zrh-passport', fixture('zrh-security.json'), 'ZRH')).toThrow(ParseError)
  expect(() => parseAs('zrh-checkin', fixture('zrh-passport.json'), 'ZRH')).toThrow(ParseError)
})
