import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../../config/vocabulary.ts'
import { createQueueModel } from '../../../../pipeline/simulator/model/queues.ts'
import { faa } from '../../../../pipeline/simulator/sites/faa.ts'
import type { SiteContext, SiteRequest } from '../../../../pipeline/simulator/sites/site.ts'
import { repetitions } from '../../../exhaustive.ts'

const START = Date.parse('2026-10-01T00:00:00Z')
const queues = createQueueModel(7)
const bodyAt = (path: string, now: number) => faa.answer({ path } as SiteRequest, { queues, now } as SiteContext)!.body
const statusXml = (instant: number) => bodyAt('/api/airport-status-information', instant)
const rowsAt = (path: string, instant: number) => JSON.parse(bodyAt(path, instant)) as Record<string, unknown>[]
const moments = Array.from({ length: 400 }, (_, index) => START + index * 5 * HOUR_MS)
const count = (text: string, tag: string) => text.split(`<${tag}>`).length - 1

describe('the simulated FAA', () => {
  it('writes well-formed documents with every kind of program', () => {
    const names = new Set<string>()
    const shapes = new Set<string>()
    for (const instant of moments) {
      const xml = statusXml(instant)
      expect(XMLValidator.validate(xml)).toBe(true)
      const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'Delay_type' })
      const { AIRPORT_STATUS_INFORMATION: status } = parser.parse(xml) as {
        AIRPORT_STATUS_INFORMATION: { Update_Time: string; Delay_type?: { Name: string }[] }
      }
      expect(Date.parse(status.Update_Time)).toBe(instant)
      for (const block of status.Delay_type ?? []) names.add(block.Name)
      for (const shape of ['Line', 'Polygon', 'Circle Radius="60"']) if (xml.includes(`<${shape}>`)) shapes.add(shape)
    }
    expect([...names].sort()).toEqual([
      'Airport Closures',
      'Airspace Flow Programs',
      'CTOP',
      'General Arrival/Departure Delay Info',
      'Ground Delay Programs',
      'Ground Stop Programs',
    ])
    expect(shapes.size).toBe(3)
  })

  it('sends the closures in two blocks, and a NOTAM that ends in another year', () => {
    const xml = statusXml(START + 24 * HOUR_MS)
    expect(xml.split('<Name>Airport Closures</Name>')).toHaveLength(3)
    expect(xml).toContain('2605271826-2705281600</Reason><Start>May 27 at 18:26 UTC.</Start>')
  })

  it('has the same programs in both JSON lists', () => {
    for (const instant of moments.slice(0, repetitions(30, 150))) {
      const xml = statusXml(instant)
      const events = rowsAt('/api/airport-events', instant)
      const having = (key: string) => events.filter((event) => event[key] !== null).length
      expect(having('groundStop')).toBe(count(xml, 'Program'))
      expect(having('groundDelay')).toBe(count(xml, 'Ground_Delay'))
      expect(having('departureDelay')).toBe(xml.split('Type="Departure"').length - 1)
      expect(having('arrivalDelay')).toBe(xml.split('Type="Arrival"').length - 1)
      expect(having('freeForm') + having('airportClosure')).toBe(count(xml, 'Airport'))
      expect(rowsAt('/api/enroute-events', instant)).toHaveLength(count(xml, 'Airspace_Flow') + count(xml, 'CTOP'))
    }
  })
})
