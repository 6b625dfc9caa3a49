import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { FETCHED, fixture, parseAs } from './context.ts'

type ParseOutcome = ReturnType<typeof parseAs>

/** Terminal, checkpoint, lane, minutes or both bounds, status of each row. */
const waits = ({ readings }: ParseOutcome) =>
  readings.map((row) => [
    row.terminal,
    row.checkpoint,
    row.lane,
    row.wait_minutes ?? [row.wait_minutes_low, row.wait_minutes_high],
    row.status,
  ])
const codes = ({ notices }: ParseOutcome) => notices.map((one) => one.code)

describe('msp-html', () => {
  // One card shows a number in place of a band.
  const page = fixture('msp.html').replace('5-10 minutes', '5 minutes')

  it('leaves out a card for unknown travellers', () => {
    const parsed = parseAs('msp-html', page.replace('all passengers', 'crew and diplomats'), 'MSP')
    expect([parsed.readings.length, codes(parsed)]).toEqual([3, ['lane_unknown']])
  })

  it('reads a card that opens later as closed', () => {
    const later = parseAs('msp-html', page.replace('PreCheck OPEN Only', 'Opens 4am'), 'MSP')
    expect(waits(later)[1]).toEqual(['T1', 'T1 South', 'all', [null, null], 'closed'])
  })
})

describe('lax-html', () => {
  const page = fixture('lax.html')

  it('reads the table body under its two headings, and the time in the footer', () => {
    const parsed = parseAs('lax-html', page, 'LAX')
    expect(parsed.notices).toEqual([])
    expect(waits(parsed)).toEqual([
      ['TBIT', '', 'standard', 7, 'open'],
      ['TBIT', '', 'precheck', 1, 'open'],
    ])
    expect(parsed.readings[0]?.observed_at).toBe('2026-11-21T09:55:00Z')
  })

  it('leaves out an unknown boarding type, and rejects the page that replaced it', () => {
    const parsed = parseAs('lax-html', page.replace('General Boarding', 'Premium Plus'), 'LAX')
    expect([waits(parsed).length, codes(parsed)]).toEqual([1, ['lane_unknown']])
    expect(parseAs('lax-html', page.replace(/<tbody>[\s\S]*<\/tbody>/, ''), 'LAX').readings).toEqual([])
    expect(() => parseAs('lax-html', '<html><h1>403 Forbidden</h1></html>', 'LAX')).toThrow(ParseError)
  })
})

describe('delta-newshub', () => {
  const page = fixture('delta.html').replace('7 minutes', '5-10 minutes')

  it('reads a state with two lanes as all lanes', () => {
    const both = parseAs('delta-newshub', page.replace('PreCheck Only', 'General and PreCheck'), null)
    expect(both.readings[2]?.lane).toBe('all')
  })

  it('reads a time only where it names its zone', () => {
    const first = (text: string) =>
      parseAs('delta-newshub', page.replace('5:00 a.m. EST', text), null).readings[0]?.observed_at
    expect(first('4:58 a.m. EST')).toBe('2026-11-21T09:58:00Z')
    expect(first('3:58 a.m. CT')).toBe('2026-11-21T09:58:00Z')
    expect(first('4:58 a.m.')).toBe(FETCHED)
  })
})

describe('bna-html', () => {
  const page = fixture('bna.html')

  it('tells an empty block from a missing one', () => {
    const empty = page.replace('<h4>6 minutes</h4>', '<h3>News</h3><h4>12 minutes</h4>')
    expect(parseAs('bna-html', empty, 'BNA')).toEqual({ readings: [], notices: [] })
    expect(() => parseAs('bna-html', page.replace('TSA Wait Times', 'Flights'), 'BNA')).toThrow(ParseError)
  })

  it('keeps words as text, and reads no impossible wait', () => {
    const words = parseAs('bna-html', page.replace('6 minutes', 'Check back soon'), 'BNA')
    expect(words.readings[0]).toMatchObject({ wait_minutes: null, wait_text: 'Check back soon', status: 'unknown' })
    expect(codes(words)).toEqual(['wait_text_unknown'])
    const huge = parseAs('bna-html', page.replace('6 minutes', '6000 minutes'), 'BNA')
    expect([huge.readings[0]?.wait_minutes, codes(huge)]).toEqual([null, ['wait_out_of_range']])
  })
})

describe('sat-html', () => {
  const page = fixture('sat.html')

  it.each(["val('')", "val('-')", "val('12')"])('reads no wait from half a display: %s', (digit) => {
    const parsed = parseAs('sat-html', page.replace("val('1')", digit), 'SAT')
    expect(waits(parsed)[1]).toEqual(['B', '', 'all', [null, null], 'unknown'])
    expect(codes(parsed)).toEqual(['value_not_a_number'])
  })

  it('rejects a page whose script sets no digit', () => {
    expect(() => parseAs('sat-html', '<html><script>var a = 1</script></html>', 'SAT')).toThrow(ParseError)
    expect(() => parseAs('sat-html', page.replaceAll('.val(', '.text('), 'SAT')).toThrow(ParseError)
  })
})

it('chs-html lands a card without a wait, and rejects a page without cards', () => {
  const bare = '<div class="chs-tsa-checkpoint-card"><h3>Central Checkpoint</h3></div>'
  expect(waits(parseAs('chs-html', bare, 'CHS'))).toEqual([['', 'Central Checkpoint', 'all', [null, null], 'unknown']])
  expect(() => parseAs('chs-html', '<html><p>12 min</p></html>', 'CHS')).toThrow(ParseError)
})

describe('cmh-html', () => {
  const page = fixture('cmh.html')
  const parseSentence = (text: string) => parseAs('cmh-html', page.replace('7 minutes, 30 seconds', text), 'CMH')

  it.each([
    ['7 minutes, 30 seconds', 7.5],
    ['7 minutes and 30 seconds', 7.5],
    ['1 minute', 1],
    ['45 seconds', 0.75],
    ['No wait', 0],
  ])('reads %j as %d minutes, unrounded', (text, minutes) => {
    expect(waits(parseSentence(text))).toEqual([['', '', 'all', minutes, 'open']])
  })

  it('reads a bound, and keeps unknown words without a number', () => {
    expect(waits(parseSentence('Less than 10 minutes'))).toEqual([['', '', 'all', [0, 10], 'open']])
    expect(codes(parseSentence('a while'))).toEqual(['wait_text_unknown'])
    expect(parseSentence('<strong></strong>').readings.map((row) => row.status)).toEqual(['unknown'])
  })

  it('rejects a page without the sentence', () => {
    expect(() => parseAs('cmh-html', '<html><p>7 minutes</p></html>', 'CMH')).toThrow(ParseError)
  })
})

describe('stl-html', () => {
  const page = fixture('stl.html')

  it('reads an empty gauge as a wait of zero only where a checkpoint is open', () => {
    const gauge = (body: string) => waits(parseAs('stl-html', body, 'STL'))[0]
    const zero = page.replace('aria-valuenow="9"', 'aria-valuenow="0"')
    expect(gauge(zero)).toEqual(['', '', 'all', 0, 'open'])
    expect(gauge(zero.replace('status: Open', 'status: Closed'))).toEqual(['', '', 'all', [null, null], 'closed'])
    expect(gauge(zero.replace(/<section[\s\S]*<\/section>/, ''))).toEqual(['', '', 'all', [null, null], 'unknown'])
  })

  it('reports an unknown status, and rejects a page without an estimate', () => {
    expect(codes(parseAs('stl-html', page.replace('status: Open', 'status: Limited'), 'STL'))).toEqual([
      'wait_text_unknown',
    ])
    expect(() => parseAs('stl-html', '<html><p>9 minutes</p></html>', 'STL')).toThrow(ParseError)
  })
})
