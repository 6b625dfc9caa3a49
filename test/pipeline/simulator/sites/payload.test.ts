import { describe, expect, it } from 'vitest'
import { fillPayload } from '../../../../pipeline/simulator/sites/payload.ts'

describe('a payload', () => {
  it('fails on a slot that nobody fills', () => {
    expect(() => fillPayload('ist.json', { queues: [] })).toThrow('status')
  })
})
