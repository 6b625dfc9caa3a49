import { expect, it } from 'vitest'
import { newRequestId } from '../../api/request-ids.ts'

it('makes random UUIDs of version 4, none twice', () => {
  const ids = Array.from({ length: 10_000 }, newRequestId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  // Every other place takes every hexadecimal digit.
  for (const place of [0, 7, 9, 17, 20, 24, 35]) expect(new Set(ids.map((id) => id[place])).size).toBe(16)
})
