import { describe, expect, it } from 'vitest'
import { learnedHeaders, optionPairs, valuesInScript } from '../../../pipeline/parsing/requests.ts'

describe('optionPairs', () => {
  it('keeps the order of the pairs and the spaces within them', () => {
    expect([...optionPairs('t1=T1 - A/B Gates; t2=Terminal C ;')]).toEqual([
      ['t1', 'T1 - A/B Gates'],
      ['t2', 'Terminal C'],
    ])
    expect(optionPairs(undefined).size).toBe(0)
  })
})

describe('learnedHeaders', () => {
  it('contains only the keys that were learned', () => {
    const headers = { api_key: 'x-key', api_version: 'x-version' }
    expect(learnedHeaders(headers, { api_key: 'made-up', other: 'unused' })).toEqual({ 'x-key': 'made-up' })
    expect(learnedHeaders(headers, {})).toEqual({})
  })
})

describe('valuesInScript', () => {
  it('finds quoted values beside a name, with the script around them', () => {
    const script = `f({'X-Key':"made-up-key"});g(h,"x-key",k)`
    expect(valuesInScript(script, 'x-key', { reach: 4 })).toEqual([{ value: 'made-up-key', nearby: `f({'X-K` }])
    const all = valuesInScript(script, 'x-key', { quoted: false, min_length: 1 })
    expect(all.map(({ value }) => value)).toEqual(['made-up-key', 'k'])
  })
})
