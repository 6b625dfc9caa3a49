import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ParseError } from '../../../config/errors.ts'
import {
  Anything,
  List,
  Name,
  optionalObject,
  readJson,
  readRows,
  rowsAt,
  Text,
} from '../../../pipeline/parsing/json.ts'
import { NoticeReporter } from '../../../pipeline/parsing/notices.ts'

it('readJson names the path of the first value of another shape', () => {
  const shape = rowsAt('data', 'rows')
  expect(readJson('{"data":{"rows":[1]}}', shape)).toEqual([1])
  expect(() => readJson('{"data":{"rows":{}}}', shape)).toThrow(/^data\.rows: /)
  expect(() => readJson('{"data":null}', shape)).toThrow(/^data: /)
  expect(() => readJson('[]', shape)).toThrow(/^\$: /)
  expect(() => readJson('<html>', shape)).toThrow(new ParseError('$', 'is not JSON; it begins "<html>"'))
  expect(() => readJson(' [{"a":1},{"a"', shape)).toThrow(/^\$: is damaged JSON: .*(end|Expected|position)/)
})

describe('readRows', () => {
  const Row = z.object({ name: Name, wait: Anything })

  it('reports a row of another shape with its path, and reads the others', () => {
    const report = new NoticeReporter('$', 'SEA', []).at('rows')
    const rows = readRows([{ name: 'A', wait: 3 }, { wait: 4 }, 7], report, Row, (row) => row.name)
    expect(rows).toEqual(['A'])
    expect(report.notices.map(({ code, path }) => [code, path])).toEqual([
      ['row_unreadable', 'rows[1]'],
      ['row_unreadable', 'rows[2]'],
    ])
  })

  it('takes several results of a row, and none for null', () => {
    const report = new NoticeReporter('$', null, [])
    const read = ({ wait }: z.output<typeof Row>) => (wait === 0 ? null : [wait, wait])
    const rows = [
      { name: 'A', wait: 0 },
      { name: 'B', wait: 2 },
    ]
    expect(readRows(rows, report, Row, read)).toEqual([2, 2])
  })
})

it('shapes of single fields accept any value, so that a damaged field does not cost its row', () => {
  const Row = z.object({ text: Text, list: List, object: optionalObject({ unit: Text }) })
  expect(Row.parse({ text: ' a  b ', list: [1], object: { unit: 's' } })).toEqual({
    text: 'a b',
    list: [1],
    object: { unit: 's' },
  })
  expect(Row.parse({ text: {}, list: 'x', object: 3 })).toEqual({ text: '', list: [], object: undefined })
  expect(Row.parse({})).toEqual({ text: '', list: [] })
})
