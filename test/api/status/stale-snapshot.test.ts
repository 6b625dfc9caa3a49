import { expect, test } from 'vitest'
import { HoldshortError } from '../../../config/errors.ts'
import { implementCall } from '../../../jobs/calls/define-call.ts'
import { type PipelineState, pipelineStateCall } from '../../../jobs/calls/pipeline-state.ts'
import { inProcessClient } from '../../jobs/calls/in-process-client.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { openHarness } from '../harness.ts'

const HELD: PipelineState['held_by'] = { name: 'holdshort query', pid: 4711, since: '2026-11-21T14:02:00Z' }
const answering = (held_by: PipelineState['held_by'], failed_with: PipelineState['failed_with'] = null) =>
  inProcessClient(implementCall(pipelineStateCall, async () => ({ held_by, failed_with })))
const silent = inProcessClient()

test.each([
  [
    'holds the warehouse',
    answering(HELD),
    'the pipeline waits for holdshort query (process 4711, started 2026-11-21T14:02:00Z), which holds the warehouse',
  ],
  ['is stuck', silent, 'the pipeline gives no answer: it is not running, or it is stuck'],
  ['still works', answering(null), 'the pipeline answers, but it has not finished a publication; its log says why'],
  [
    'finds no space',
    answering(null, 'DISK_FULL'),
    'the last attempt failed: the disk is full (DISK_FULL); the pipeline’s log says more',
  ],
])('names why nothing has been published for two periods where a process %s', async (_, pipelineClient, why) => {
  const { call, controls } = await openHarness({}, { pipelineClient })
  const health = async () => (await call(null, '/health')).json()
  controls.snapshot = snapshotAt(NOW - 120_000)
  expect((await health()).faults).toEqual([])
  controls.snapshot = snapshotAt(NOW - 121_000)
  const message = `nothing has been published for 2 min, although a snapshot is due every 1 min: ${why}`
  const reason = `N${message.slice(1)}.`
  expect(await health()).toMatchObject({ status: 'degraded', reason, faults: [{ code: 'SNAPSHOT_STALE', message }] })
  controls.now += 5_000
  expect((await call(null, '/status')).json()).toMatchObject({ status: 'degraded', reason })
  controls.snapshot = snapshotAt(NOW - 7_200_000)
  expect(await health()).toMatchObject({ status: 'down', reason: expect.stringContaining(`for 2 h, although`) })
})

test('a first publication that fails is a fault with its reason, on each face; one that is being made is none', async () => {
  const { call, controls } = await openHarness({}, { pipelineClient: answering(null, 'DISK_FULL') })
  controls.snapshot = null
  const message =
    'nothing has been published yet, although a snapshot is due every 1 min: the last attempt failed: the disk is full (DISK_FULL); the pipeline’s log says more'
  const said = { status: 'down', reason: `N${message.slice(1)}.` }
  expect((await call(null, '/health')).json()).toMatchObject({ ...said, faults: [{ code: 'SNAPSHOT_STALE', message }] })
  expect((await call(null, '/status')).json()).toMatchObject(said)
  for (const pipelineClient of [answering(null), silent]) {
    const starting = await openHarness({}, { pipelineClient })
    starting.controls.snapshot = null
    expect((await starting.call(null, '/health')).json()).toMatchObject({ status: 'starting', faults: [] })
  }
})

test('a newer snapshot that cannot be read is the reason, and not that nothing has been published', async () => {
  const fault = new HoldshortError('SNAPSHOT_INVALID', 'the newest snapshot cannot be read')
  const current = () => snapshotAt(NOW - 7_200_000)
  const { call } = await openHarness({}, { pipelineClient: answering(null), holder: { current, fault: () => fault } })
  expect((await call(null, '/health')).json()).toMatchObject({
    status: 'down',
    reason: 'The newest snapshot cannot be read.',
    faults: [{ code: 'SNAPSHOT_INVALID', message: fault.message }],
  })
})

test('a snapshot dated ahead of the clock of this machine is a fault: its figures look younger than they are', async () => {
  const { call, controls } = await openHarness()
  const health = async () => (await call(null, '/health')).json()
  controls.snapshot = snapshotAt(NOW + 120_000)
  expect((await health()).faults).toEqual([])
  controls.snapshot = snapshotAt(NOW + 3_600_000)
  expect(await health()).toMatchObject({
    status: 'degraded',
    faults: [{ code: 'SNAPSHOT_AHEAD', message: expect.stringContaining('1 h ahead of this machine’s clock') }],
  })
  controls.now += 5_000
  expect((await call(null, '/status')).json().reason).toContain('ahead of this machine’s clock')
})
