import { describe, expect, it } from 'vitest'
import { decodeBody } from '../../../pipeline/parsing/decode-body.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const utf8 = (text: string) => Buffer.from(text, 'utf8')
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')

describe('decodeBody', () => {
  it.each<[string, Buffer, string | null, string]>([
    ['the charset of its header', latin1('Zürich'), 'text/html; charset=ISO-8859-1', 'Zürich'],
    ['a quoted one, in any case', latin1('Zürich'), 'application/json;Charset="windows-1252"', 'Zürich'],
    ['UTF-8 where nothing is said', utf8('Zürich'), null, 'Zürich'],
    ['UTF-8 where the header names none', utf8('Zürich'), 'application/json', 'Zürich'],
    ['UTF-8 where the charset is unknown', utf8('Zürich'), 'text/html; charset=klingon-8', 'Zürich'],
    ['its mark, whatever the header says', utf16('Zürich'), 'text/html; charset=utf-8', 'Zürich'],
    ['its mark of UTF-8, which is no text of it', utf8('\uFEFF[1]'), 'application/json; charset=latin1', '[1]'],
    ['the page’s own word', latin1('<meta charset="iso-8859-1"><p>à'), 'text/html', '<meta charset="iso-8859-1"><p>à'],
    [
      'the older form of it',
      latin1('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15"><p>à €'.replace('€', '\xa4')),
      null,
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15"><p>à €',
    ],
    [
      'the header before the page',
      utf8('<meta charset="latin1">à'),
      'text/html;charset=utf-8',
      '<meta charset="latin1">à',
    ],
    [
      'an XML declaration',
      latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>à</a>'),
      null,
      '<?xml version="1.0" encoding="ISO-8859-1"?><a>à</a>',
    ],
    ['no UTF-16 that could not have been read', utf8('<meta charset="utf-16">à'), null, '<meta charset="utf-16">à'],
  ])('decodes by %s', (_, body, content_type, text) => {
    expect(decodeBody(body, content_type)).toBe(text)
  })

  it('does not throw for invalid bytes', () => {
    expect(decodeBody(Buffer.concat([utf8('Zürich'), Buffer.from([0xff])]), null)).toBe('Zürich\uFFFD')
  })

  it.each<[string, Buffer, string | null]>([
    ['UTF-8 under another charset', utf8('Zürich'), 'application/json; charset=iso-8859-1'],
    ['UTF-8 under a charset of the East', utf8('Zürich'), 'text/html; charset=shift_jis'],
    ['a western charset under none', latin1('Zürich'), null],
    ['a western charset as UTF-8', latin1('Zürich'), 'text/html; charset=utf-8'],
  ])('reads %s by its bytes', (_, body, content_type) => {
    expect(decodeBody(body, content_type)).toBe('Zürich')
  })
})
