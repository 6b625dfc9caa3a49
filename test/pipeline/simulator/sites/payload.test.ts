import { describe, expect, it } from 'vitest'
import { timeSlots } from '../../../../pipeline/simulator/sites/feed.ts'
import { fillPayload } from '../../../../pipeline/simulator/sites/payload.ts'

const utc = timeSlots(Date.parse('2026-11-20T22:00:00Z')).utc
const queue = { closed: false, terminal: '2', stale: null, under: null, over: null, between: null }

describe('a payload', () => {
  it('keeps the type of a slot that is a whole text, and repeats members for each queue', () => {
    const body = fillPayload('dtw-skyfii.json', {
      queues: [
        { terminal: 'Evans', minutes: 0 },
        { terminal: 'B', minutes: null },
      ],
    })
    expect(JSON.parse(body)).toEqual([
      { Name: 'Evans', WaitTime: 0 },
      { Name: 'B', WaitTime: null },
    ])
  })

  it('merges the members of a section into the object around it, and writes times in a format', () => {
    const body = fillPayload('cph-azure.json', {
      utc,
      queues: [{ ...queue, exact: 7, between: '5-10' }],
    })
    expect(JSON.parse(body)).toMatchObject({
      t2WaitingTime: '7',
      t2WaitingTimeInterval: '5-10 min',
      deliveryId: '2026-11-20T22:00:00Z',
    })
    const open_ended = fillPayload('cph-azure.json', {
      utc,
      queues: [{ ...queue, exact: null, over: 20 }],
    })
    expect(JSON.parse(open_ended)).toMatchObject({ t2WaitingTime: '', t2WaitingTimeInterval: '> 20 min' })
  })

  it('escapes slots in HTML, and writes the inverted section of an empty list', () => {
    const row = { heading: "<Int'l>", exact: 0, high: null, closed: false, unknown: false }
    expect(fillPayload('chs-html.html', { queues: [row] })).toMatch(
      /&lt;Int&#039;l&gt;<\/h3>\s*<div[^>]*> 0 min <\/div>/,
    )
    expect(fillPayload('bru-html.html', { queues: [] })).toContain('<span>-</span>')
  })

  it('writes a group once for each value of a slot, and offers absent slots alternatives and negations', () => {
    const at = (format: string) => format
    const lane = { open: true, closed: false, unknown: false, minutes: 7 }
    const rows = ['A', 'B', 'A'].map((checkpoint) => ({ ...lane, checkpoint }))
    const page = fillPayload('sfo-html.html', { at, queues: rows })
    expect([...page.matchAll(/<td>(\w+)<\/td>((?:<td>7 min<\/td>)+)<\/tr>/g)].map((row) => row[1])).toEqual(['A', 'B'])
    expect(page.match(/7 min/g)).toHaveLength(3)
    const closed = { at, minutes: null, stale: 4, closed: true, seconds: null, open: false }
    expect(JSON.parse(fillPayload('hel-finavia.json', { queues: [closed] }))).toEqual({
      SecDepartureHall: [
        {
          messageDate: 'dd.MM.yyyy',
          messageTime: 'HH:mm',
          averageWaitingTime: 4,
          securityLaneOpen: false,
          countEnteringQueue: '0',
        },
      ],
    })
  })

  it('fails on a slot that nobody fills', () => {
    expect(() => fillPayload('ist.json', { queues: [] })).toThrow('status')
  })
})
