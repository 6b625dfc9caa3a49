import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { progress } from '../../bin/runtime/output.ts'
import { USUAL_RANDOM_FAULTS } from '../../pipeline/simulator/faults.ts'
import { soak } from '../pipeline/soak.ts'

/** `npm run soak`: two simulated days, all sources every half hour. Exit code 1 if a reading is lost, duplicated or invented. */
const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '48' },
    step: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})
const hours = Number(values.hours)
const step_minutes = Number(values.step)
const seed = Number(values.seed)
if (![hours, step_minutes, seed].every((value) => Number.isInteger(value) && value > 0)) {
  process.stderr.write('--hours, --step (minutes) and --seed must be positive integers\n')
  process.exit(2)
}
const data_dir = await mkdtemp(join(tmpdir(), 'holdshort-soak-'))
const FAILING_HOSTS = ['www.portseattle.org', 'api.goaa.aero', 'www.catsa-acsta.gc.ca', 'www.flysfo.com']
const bar = progress('Soaking')
const started = performance.now()
try {
  const report = await soak({
    data_dir,
    seed,
    hours,
    step_minutes,
    from: Date.parse('2026-11-20T00:00:00Z'),
    random_faults: { ...USUAL_RANDOM_FAULTS, slow_ms: 20 },
    beforeRound: (simulator, round) => {
      if (round % 17 === 5) simulator.rotateKeys()
      // Sometimes a site fails for eight rounds: its circuit opens, and the canary finds that it works again.
      if (round % 24 === 8)
        simulator.setFault({
          hosts: [FAILING_HOSTS[((round / 24) % FAILING_HOSTS.length) | 0] ?? ''],
          status_503: 1_000_000,
        })
      if (round % 24 === 16) simulator.setFault({})
    },
    onProgress: (done, total) => bar.update(done, total, 'rounds'),
  })
  bar.end()
  const stored = new Set(report.landed)
  const verdict = {
    hours,
    step_minutes,
    sources: report.sources,
    answers: report.answers,
    failures: report.failures,
    sent: report.sent.size,
    landed: report.landed.length,
    lost: [...report.sent].filter((reading) => !stored.has(reading)).length,
    doubled: report.landed.length - stored.size,
    invented: report.landed.filter((reading) => !report.sent.has(reading) && !report.probed.has(reading)).length,
    recovered: report.recovered,
    seconds: Math.round((performance.now() - started) / 1_000),
  }
  process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`)
  if (verdict.lost + verdict.doubled + verdict.invented > 0) process.exitCode = 1
} finally {
  await rm(data_dir, { recursive: true, force: true })
}
