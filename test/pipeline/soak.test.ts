import { test } from 'vitest'
import { ORDINARY_MISHAPS } from '../../pipeline/simulator/faults.ts'
import { tempFolder } from '../temp.ts'
import { soak } from './soak.ts'

test('two days', async () => {
  const began = Date.now()
  const report = await soak({
    data_dir: await tempFolder(),
    seed: 7,
    from: Date.parse('2026-11-20T00:00:00Z'),
    hours: 48,
    step_minutes: 60,
    mishaps: { ...ORDINARY_MISHAPS, slow_ms: 20 },
  })
  const { emitted, landed, ...rest } = report
  console.log(rest, emitted.size, landed.length, new Set(landed).size, (Date.now() - began) / 1000)
  const there = new Set(landed)
  console.log([...emitted].filter((x) => !there.has(x)).slice(0, 5), landed.filter((x) => !emitted.has(x)).slice(0, 5))
}, 600_000)
