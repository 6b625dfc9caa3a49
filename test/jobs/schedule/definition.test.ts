import { expect, test } from 'vitest'
import { allSources } from '../../../config/sources.ts'
import { jobDefinitions } from '../../../jobs/schedule/definition.ts'

const settings = { publish_seconds: 60 }

test('every active source has one job at its cadence, and no other source has any', () => {
  const jobs = jobDefinitions(allSources(), settings)
  expect(new Set(jobs.map(({ name }) => name)).size).toBe(jobs.length)
  const collects = jobs.filter(({ kind }) => kind === 'collect')
  expect(collects.map(({ source, every_seconds }) => [source, every_seconds])).toEqual(
    allSources()
      .filter(({ active }) => active)
      .map(({ id, cadence_seconds }) => [id, cadence_seconds]),
  )
})

test('a restart keeps to the cadence: a source asked lately waits its turn, one that is due is asked at once', () => {
  const since = new Map([
    ['collect:cbp-awt', 3_600],
    ['collect:sea-cwt', 10_000],
    ['train', 82_800],
  ])
  const jobs = jobDefinitions(allSources(), settings, (job) => since.get(job))
  const first = (name: string) => jobs.find((job) => job.name === name)?.first_after_seconds
  const cbp = allSources().find(({ id }) => id === 'cbp-awt')
  expect(first('collect:cbp-awt')).toBe((cbp?.cadence_seconds ?? 0) - 3_600)
  expect(first('collect:sea-cwt')).toBeLessThan(10)
  expect(first('train')).toBe(3_600)
  expect(first('refresh')).toBe(0)
})

test('the canary is a job like any other, every few minutes, and never waits for a cadence', () => {
  const [canary, ...others] = jobDefinitions(allSources(), settings, () => 10).filter(({ kind }) => kind === 'canary')
  expect(others).toEqual([])
  expect(canary).toMatchObject({ name: 'canary', source: null, attempts: 1, first_after_seconds: 20 })
  expect(canary?.every_seconds).toBeLessThanOrEqual(300)
})

test('open data is exported at the operator’s pace, and not at all where none is published', () => {
  const exports = (open_data: string[]) =>
    jobDefinitions(allSources(), { publish_seconds: 60, open_data, open_data_seconds: 900 }).filter(
      ({ kind }) => kind === 'export',
    )
  expect(exports(['off'])).toEqual([])
  expect(exports(['rollups', 'delays'])).toMatchObject([
    { name: 'export', every_seconds: 900, first_after_seconds: 30 },
  ])
})
