import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { progress } from '../../bin/runtime/output.ts'
import { USUAL_RANDOM_FAULTS } from '../../pipeline/simulator/faults.ts'
import { soak } from '../pipeline/soak.ts'

/** `npm run soak`: two simulated days, a round of all sources every half hour. Exit 1 when a reading is lost, doubled or invented. */
const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '48' },
    step: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})
const [hours, step_minutes, seed] = [values.hours, values.step, values.seed].map(Number) as [number, number, number]
if (![hours, step_minutes, seed].every((value) => Number.isInteger(value) && value > 0)) {
  process.stderr.write('--hours, --step (minutes) and --seed are whole numbers above 0\n')
  process.exit(2)
}
const data_dir = await mkdtemp(join(tmpdir(), 'holdshort-soak-'))
const AWAY = ['www.portseattle.org', 'api.goaa.aero', 'www.catsa-acsta.gc.ca', 'www.flysfo.com']
const bar = progress('Soaking')
const began = performance.now()
try {
  const report = await soak({
    data_dir,
    seed,
    hours,
    step_minutes,
    from: Date.parse('2026-11-20T00:00:00Z'),
    random_faults: { ...USUAL_RANDOM_FAULTS, slow_ms: 20 },
    befall: (world, round) => {
      if (round % 17 === 5) world.rotateKeys()
      // Now and then a site is away for eight rounds: its circuit opens, and the canary finds that it is back.
      if (round % 24 === 8)
        world.setFault({ hosts: [AWAY[((round / 24) % AWAY.length) | 0] ?? ''], status_503: 1_000_000 })
      if (round % 24 === 16) world.setFault({})
    },
    onProgress: (done, total) => bar.update(done, total, 'rounds'),
  })
  bar.end()
  const there = new Set(report.landed)
  const verdict = {
    hours,
    step_minutes,
    sources: report.sources,
    answers: report.answers,
    failures: report.failures,
    emitted: report.emitted.size,
    landed: report.landed.length,
    lost: [...report.emitted].filter((reading) => !there.has(reading)).length,
    doubled: report.landed.length - there.size,
    invented: report.landed.filter((reading) => !report.emitted.has(reading) && !report.probed.has(reading)).length,
    recovered: report.recovered,
    seconds: Math.round((performance.now() - began) / 1_000),
  }
  process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`)
  if (verdict.lost + verdict.doubled + verdict.invented > 0) process.exitCode = 1
} finally {
  await rm(data_dir, { recursive: true, force: true })
}
