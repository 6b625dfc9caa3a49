import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { projectFile } from '../../config/paths.ts'
import { statFields } from './cycle.ts'
import { type Measurement, timed } from './measurement.ts'

const MAX_PROCESSOR_SECONDS = 85
const MAX_SECONDS = 60

/** Processor seconds of this process's children that have ended, and of theirs, in Linux's hundredths. */
async function childSeconds(): Promise<number> {
  const fields = await statFields('self')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** Runs a demo in a folder until it is whole: processor time of all its processes, and how long it takes. */
export async function benchDemo(data_dir: string): Promise<Measurement[]> {
  const before = await childSeconds()
  const words = ['demo', '--once', '--port', '0', '--data-dir', join(data_dir, 'demo')]
  const child = spawn(process.execPath, [projectFile('dist', 'bin', 'holdshort.js'), ...words], { stdio: 'ignore' })
  const { seconds } = await timed(() => once(child, 'exit'))
  if (child.exitCode !== 0) throw new Error(`demo --once ended with ${child.exitCode}`)
  const processor = (await childSeconds()) - before
  return [
    { name: 'demo: processor until whole', value: processor, unit: 's', target: { at_most: MAX_PROCESSOR_SECONDS } },
    { name: 'demo: until whole', value: seconds, unit: 's', target: { at_most: MAX_SECONDS } },
  ]
}
