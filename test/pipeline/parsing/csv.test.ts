import { expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { parseCsv } from '../../../pipeline/parsing/csv.ts'

it('reads quotes, doubled quotes, line ends inside quotes and a byte order mark', () => {
  expect(parseCsv('\uFEFFa,b\r\n"x, y","say ""hi""\nthere"\n1,\n\n')).toEqual([
    { a: 'x, y', b: 'say "hi"\nthere' },
    { a: '1', b: '' },
  ])
  expect(parseCsv('')).toEqual([])
})

it('reads a row with too few cells, and refuses a text that ends within quotes', () => {
  expect(parseCsv('a,b\n1')).toEqual([{ a: '1', b: '' }])
  expect(() => parseCsv('a,b\n1,"2')).toThrow(ParseError)
})
