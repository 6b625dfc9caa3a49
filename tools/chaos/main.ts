import { parseArgs } from 'node:util'
import { print } from '../../bin/runtime/output.ts'
import { runChaos } from './run.ts'

/** `npm run chaos -- --faults 300 --minutes 90 --seed 1`: harms an installation of several machines, and counts what that cost. */
const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '90' },
    seed: { type: 'string', default: '1' },
    'publish-seconds': { type: 'string', default: '5' },
    json: { type: 'boolean' },
  },
})
const stopping = new AbortController()
/** The first signal ends the run with its report, the second one at once. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
const report = await runChaos({
  faults: Number(values.faults),
  within_ms: Number(values.minutes) * 60_000,
  seed: Number(values.seed),
  publish_seconds: Number(values['publish-seconds']),
  signal: stopping.signal,
  onProgress: (line) => process.stderr.write(`${line}\n`),
})
print(report, values.json, () => JSON.stringify(report, null, 2))
const { requests, rows, not_resumed } = report
const isSound =
  requests.lost +
    requests.wrong +
    requests.mixed +
    requests.uncounted +
    requests.revoked_admitted +
    rows.lost +
    rows.doubled +
    not_resumed ===
  0
if (!isSound) process.exitCode = 1
