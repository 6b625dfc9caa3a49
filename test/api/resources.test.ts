import { expect, test } from 'vitest'
import { RESOURCES } from '../../bin/service/registry.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { ACCURACY } from './accuracy-content.ts'
import { NOW, snapshotAt } from './example-snapshot.ts'

test.each(RESOURCES.filter(({ mimeType }) => mimeType === 'application/json'))(
  'the resource $name has instants in whole seconds and fractions of three decimals, as answers do',
  async ({ read, prepare }) => {
    const uneven = {
      ...ACCURACY,
      records: ACCURACY.records.map((record) => ({
        ...record,
        buckets: record.buckets.map((bucket) => ({ ...bucket, samples: 210 })),
      })),
    }
    const snapshot = { ...snapshotAt(NOW, { accuracy: uneven }), generated_at: '2026-11-21T14:20:00.353Z' }
    const context = { snapshot, directory: airportDirectory(), now: NOW }
    await prepare?.(context)
    const text = read(context)
    expect(JSON.parse(text).generated_at).toBe('2026-11-21T14:20:00Z')
    expect(text).not.toMatch(/:-?\d+\.\d{4,}|:\d\d\.\d+Z/)
  },
)
