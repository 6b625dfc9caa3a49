import { describe, expect, it } from 'vitest'
import { dohXovis } from '../../../pipeline/collectors/doh-xovis.ts'
import { contextFor, fixture, parseAs, sharedFile } from './context.ts'

const EDI = sharedFile('samples', 'edi-blip', 'queue.excerpt.json')
const DUB = sharedFile('samples', 'dub-2022', 'T1_queues-first-rows.csv')
const codes = (notices: { code: string }[]) => notices.map(({ code }) => code)

describe('fra-waz', () => {
  it('lands security only, and reads "closed" and minutes from one field', () => {
    const { readings, notices } = parseAs('fra-waz', fixture('fra.json'), 'FRA')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.checkpoint, row.wait_minutes, row.status, row.observed_at])).toEqual([
      ['Security checkpoint, Concourse A, Departure gates: A1 - A69', 7, 'open', '2026-11-21T10:00:00Z'],
      ['Security checkpoint, Concourse B, Departure gates: B1 - B63', null, 'closed', '2026-11-21T10:00:00Z'],
    ])
  })

  it('reports bad rows and reads the others', () => {
    const row = { kat: 'Security checkpoint', ps: 'Security checkpoint, Concourse A', status: 'soon', lu: 'now' }
    const { readings, notices } = parseAs('fra-waz', JSON.stringify({ data: [3, { ...row, ps: '' }, row] }), 'FRA')
    expect(readings).toMatchObject([{ wait_minutes: null, wait_text: 'soon', observed_at_basis: 'fetch' }])
    expect(codes(notices)).toEqual(['row_unreadable', 'row_unreadable', 'time_unreadable', 'wait_text_unknown'])
  })
})

describe('dus-sitecore', () => {
  it('drops the 0 of a closed checkpoint, and rejects an answer with its error flag', () => {
    const { readings, notices } = parseAs('dus-sitecore', fixture('dus.json'), 'DUS')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.checkpoint, row.wait_minutes, row.status])).toEqual([
      ['Sicherheitskontrolle A', 4, 'open'],
      ['Sicherheitskontrolle B', null, 'closed'],
    ])
    const failed = '{"data":[],"hasError":true,"internalErrorMessage":"backend away"}'
    expect(() => parseAs('dus-sitecore', failed, 'DUS')).toThrow('backend away')
    const bad = parseAs('dus-sitecore', '{"data":[null,{"name":"A","waitingTime":-1}]}', 'DUS')
    expect(codes(bad.notices)).toEqual(['row_unreadable', 'wait_out_of_range'])
  })
})

describe('ham', () => {
  it('reads a range without inventing a middle', () => {
    expect(parseAs('ham', fixture('ham.json'), 'HAM')).toMatchObject({
      readings: [
        {
          wait_minutes: null,
          wait_minutes_low: 5,
          wait_minutes_high: 10,
          wait_text: '5-10 min',
          observed_at: '2026-11-21T10:00:00Z',
        },
      ],
      notices: [],
    })
    const odd = parseAs('ham', '{"waitingTime":"< 1 min","lastUpdate":"then"}', 'HAM')
    expect(odd.readings).toMatchObject([{ wait_minutes_low: 0, wait_minutes_high: 1, observed_at_basis: 'fetch' }])
    expect(codes(odd.notices)).toEqual(['time_unreadable'])
  })
})

describe('ber-apls', () => {
  it('reads ends, lanes and closures, and leaves out the lane by reservation', () => {
    const { readings, notices } = parseAs('ber-apls', fixture('ber.json'), 'BER')
    expect(notices).toEqual([])
    expect(
      readings.map((row) => [
        row.terminal,
        row.checkpoint,
        row.lane,
        row.wait_minutes_low,
        row.wait_minutes_high,
        row.status,
      ]),
    ).toEqual([
      ['T1', 'Security 1', 'standard', 3, 8, 'open'],
      ['T1', 'Security 2', 'standard', null, null, 'closed'],
      ['T1', 'Security 3', 'priority', 0, 5, 'open'],
      ['T2', 'Security', 'standard', 5, 10, 'open'],
    ])
    expect(readings.every((row) => row.wait_minutes === null)).toBe(true)
    const bad = parseAs('ber-apls', '{"data":{"apls-data":[{},{"terminal":"T1","low_minutes":"x"}]}}', 'BER')
    expect(codes(bad.notices)).toEqual(['row_unreadable', 'value_not_a_number'])
    expect(bad.readings).toMatchObject([{ status: 'unknown' }])
  })
})

describe('cph-azure', () => {
  it('reads a number and a range; "> 20" has no upper end', () => {
    const { readings, notices } = parseAs('cph-azure', fixture('cph.json'), 'CPH')
    expect(notices).toEqual([])
    expect(
      readings.map((row) => [row.terminal, row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high]),
    ).toEqual([
      ['2', 12, 10, 15],
      ['3', null, 20, null],
    ])
    expect(readings[0]?.observed_at).toBe('2026-11-21T10:00:00Z')
    const one = parseAs('cph-azure', '{"t2WaitingTimeInterval":"< 5","deliveryId":"x"}', 'CPH')
    expect(one.readings).toMatchObject([{ wait_minutes_low: 0, wait_minutes_high: 5, observed_at_basis: 'fetch' }])
    expect(codes(one.notices)).toEqual(['time_unreadable'])
  })
})

describe('avinor-osl', () => {
  it('reads seconds, and passport control as immigration', () => {
    const { readings, notices } = parseAs('avinor-osl', fixture('osl.json'), 'OSL')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.kind, row.checkpoint, row.wait_minutes])).toEqual([
      ['security', 'Central security', 4.5],
      ['immigration', 'Passport control, EU', null],
      ['immigration', 'Passport control, nonEU', 15.5],
    ])
    const row = { area: 'csc', timeSecond: 60, airportIata: 'BGO' }
    const bad = parseAs('avinor-osl', JSON.stringify([row, { ...row, airportIata: 'OSL', area: 'spa' }, {}]), 'OSL')
    expect(bad.readings).toEqual([])
    expect(codes(bad.notices)).toEqual(['airport_unexpected', 'queue_unknown', 'row_unreadable'])
  })
})

describe('dub-dap', () => {
  it('reads "=5", and no wait from an empty or negative value', () => {
    const { readings, notices } = parseAs('dub-dap', fixture('dub.json'), 'DUB')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.terminal, row.wait_minutes])).toEqual([
      ['T1', 5],
      ['T2', null],
    ])
    const bad = parseAs('dub-dap', '{"T1":"=-3","T2":"=soon"}', 'DUB')
    expect(bad.readings.map((row) => row.wait_minutes)).toEqual([null, null])
    expect(codes(bad.notices)).toEqual(['wait_out_of_range', 'value_not_a_number'])
  })

  it.skipIf(DUB === null)('reads every number that was posted in 2022', () => {
    const posted = [...(DUB ?? '').matchAll(/,(\d+)\s*$/gm)].map((match) => Number(match[1]))
    expect(posted.length).toBeGreaterThan(20)
    for (const minutes of posted)
      expect(parseAs('dub-dap', `{"T1":"=${minutes}"}`, 'DUB').readings[0]?.wait_minutes).toBe(minutes)
  })
})

describe('edi-blip', () => {
  it('reads one number, and a negative number as none', () => {
    expect(parseAs('edi-blip', fixture('edi.json'), 'EDI')).toMatchObject({
      readings: [{ wait_minutes: 6 }],
      notices: [],
    })
    const bad = parseAs('edi-blip', '{"minutes":-1}', 'EDI')
    expect(bad.readings).toMatchObject([{ wait_minutes: null }])
    expect(codes(bad.notices)).toEqual(['wait_out_of_range'])
  })

  it.skipIf(EDI === null)('reads the real excerpt', () => {
    expect(parseAs('edi-blip', EDI ?? '', 'EDI').readings).toMatchObject([{ wait_minutes: 4 }])
  })
})

describe('ist', () => {
  it('lands entrance and domestic queues as security, and passport control as immigration', () => {
    const { readings, notices } = parseAs('ist', fixture('ist.json'), 'IST')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.kind, row.checkpoint, row.wait_minutes])).toEqual([
      ['security', 'Terminal entrance', 4],
      ['immigration', 'Passport control', 17],
      ['security', 'Domestic security', null],
    ])
    const bad = parseAs('ist', '{"status":false,"result":{"gateWaitTime":"-"}}', 'IST')
    expect(codes(bad.notices)).toEqual(['value_not_a_number'])
  })
})

describe('doh-xovis', () => {
  it('reads no minutes while the unit is not verified, and leaves out transfers', () => {
    const { readings, notices } = parseAs('doh-xovis', fixture('doh.json'), 'DOH')
    expect(readings.map((row) => [row.kind, row.checkpoint, row.lane, row.wait_minutes, row.wait_text])).toEqual([
      ['security', 'Departure Security', 'all', null, '330 (unit not verified)'],
      ['security', 'Departure Security', 'priority', null, '150 (unit not verified)'],
      ['immigration', 'Immigration', 'all', null, '570 (unit not verified)'],
    ])
    expect(readings[0]?.observed_at).toBe('2026-11-21T10:00:00Z')
    expect(codes(notices)).toEqual(['unit_unknown'])
    const bad = parseAs('doh-xovis', '{"checkpoints":[{},{"checkpoint_name":"Lounge","queues":[{},7]}]}', 'DOH')
    expect(codes(bad.notices)).toEqual(['row_unreadable', 'queue_unknown', 'row_unreadable'])
  })
})

describe('doh-xovis, once its unit is verified', () => {
  it.each([
    ['minutes', 330],
    ['seconds', 5.5],
  ])('reads %s', (unit, minutes) => {
    const context = contextFor('doh-xovis', 'DOH')
    const { readings, notices } = dohXovis.parse(fixture('doh.json'), {
      ...context,
      source: { ...context.source, options: { unit } },
    })
    expect(readings[0]).toMatchObject({ wait_minutes: minutes, wait_text: null })
    expect(notices).toEqual([])
  })
})

describe('del-dial', () => {
  it('lands the security queue only, as a range', () => {
    const { readings, notices } = parseAs('del-dial', fixture('del.json'), 'DEL')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.checkpoint, row.wait_minutes_low, row.wait_minutes_high, row.status])).toEqual([
      ['Security 1', 3, 5, 'open'],
      ['Security 2', null, null, 'closed'],
    ])
    const bad = parseAs('del-dial', '{"data":{"Security":[1,{"queueId":"S","waiting_time":"a while"}]}}', 'DEL')
    expect(codes(bad.notices)).toEqual(['row_unreadable', 'wait_text_unknown'])
  })
})

describe('syd', () => {
  it('reads minutes per terminal', () => {
    const { readings, notices } = parseAs('syd', fixture('syd.json'), 'SYD')
    expect(readings.map((row) => [row.terminal, row.wait_minutes, row.observed_at, row.observed_at_basis])).toEqual([
      ['T1', 8, '2026-11-21T10:01:00Z', 'source'],
      ['T2', null, '2026-11-21T10:03:00Z', 'fetch'],
    ])
    expect(codes(notices)).toEqual(['time_unreadable', 'value_not_a_number'])
  })
})
