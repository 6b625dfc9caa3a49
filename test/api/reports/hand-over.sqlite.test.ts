import { once } from 'node:events'
import { expect, test } from 'vitest'
import { handOverReports } from '../../../api/reports/hand-over.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { NOW } from '../example-snapshot.ts'
import { installation, landedAt, pipeline } from './installation.ts'

test.runIf(EXHAUSTIVE)(
  'after kill −9 of the api before it records the landing, the report is handed over again and lands once',
  async () => {
    const here = await installation()
    const { rows, handed } = await pipeline(here)
    const child = here.program('hand-over-and-die')
    expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
    expect([await rows(), (await landedAt(here.state))[0]]).toEqual([
      [{ capture_id: `crowd-${here.report.id}` }],
      ['accepted', null],
    ])
    expect(await handOverReports(here.state, here.client, NOW)).toBe(1)
    expect(await rows()).toHaveLength(1)
    expect(handed).toHaveLength(2)
  },
  20_000,
)
