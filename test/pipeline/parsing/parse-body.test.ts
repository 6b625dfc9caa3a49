import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import { parseBody } from '../../../pipeline/parsing/parse-body.ts'
import { contextFor, fixture } from '../collectors/context.ts'

const read = (source: string, iata: string, body: Uint8Array, content_type: string | null = null) =>
  parseBody(collectorById(sourceById(source).collector), body, { ...contextFor(source, iata), content_type })

describe('parseBody', () => {
  it('decodes by the charset of the header', () => {
    const south = Buffer.from('[{"Name":"Süd","WaitTime":7}]', 'latin1')
    const { readings } = read('dtw-skyfii', 'DTW', south, 'application/json; charset=windows-1252')
    expect(readings).toMatchObject([{ terminal: 'Süd', wait_minutes: 7 }])
  })

  it('decodes by the charset of the page', () => {
    const page = fixture('catsa-yyz.html').replace('<body>', '<meta charset="iso-8859-1"><body>')
    const body = Buffer.from(page.replace('T1 Canada Level 3', 'T1 Intérieur'), 'latin1')
    expect(read('catsa-html', 'YYZ', body, 'text/html').readings[0]).toMatchObject({ checkpoint: 'T1 Intérieur' })
  })

  it.each([
    ['sea-cwt', 'SEA', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['edi-blip', 'EDI', `{"minutes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['jax-html', 'JAX', '<div>'.repeat(3_000)],
    ['sfo-html', 'SFO', `<table class="flysfo-checkpoints-table">${'<b>'.repeat(8_000)}`],
    ['faa-nas-status', null, `<AIRPORT_STATUS_INFORMATION>${'<a>'.repeat(20_000)}`],
    ['awc-metar', null, `[{"icaoId":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`],
  ])('%s: a body nested deeper than the call stack is a ParseError or is read', (source, iata, body) => {
    const context = contextFor(source, iata)
    const parse = () => parseBody(collectorById(sourceById(source).collector), Buffer.from(body), context)
    try {
      expect(parse().readings.every((row) => row !== null)).toBe(true)
    } catch (error) {
      expect(error).toBeInstanceOf(ParseError)
    }
  })
})
