import { expect, test } from 'vitest'
import { ResponseTimeHistogram } from '../../../../api/data/metrics/service-metrics.ts'
import { readSamples, sampled } from './samples.ts'

test('a bucket counts all responses up to and including its bound; the sum is in seconds', () => {
  const times = new ResponseTimeHistogram('answers_seconds')
  for (const milliseconds of [0.1, 0.5, 0.6, 30, 6_000]) times.observe('/a/:b', 'GET', 200, milliseconds)
  times.observe('/a/:b', 'GET', 304, 1)
  const samples = readSamples(times.text('Help.'))
  const served = { route: '/a/:b', method: 'GET', status: '2xx' }
  const upTo = (le: string) => sampled(samples, 'answers_seconds_bucket', { ...served, le })
  expect(['0.0005', '0.001', '0.025', '0.05', '5', '+Inf'].map(upTo)).toEqual([2, 3, 3, 4, 4, 5])
  expect(sampled(samples, 'answers_seconds_sum', served)).toBeCloseTo(6.0312, 10)
  expect(sampled(samples, 'answers_seconds_count', served)).toBe(5)
  expect(sampled(samples, 'answers_seconds_count', { ...served, status: '3xx' })).toBe(1)
})
