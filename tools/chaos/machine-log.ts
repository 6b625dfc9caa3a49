import { open } from 'node:fs/promises'
import { STARTED } from './installation.ts'

/** The state of a pipeline in its own log. */
export interface PipelineState {
  /** It has opened the stores, and waits for the lead or has it. */
  isUp: boolean
  isLeading: boolean
  /** How often it took the lead. */
  leads: number
  /** Since it was started or began anew it has looked for captures that nobody had landed. */
  hasRecovered: boolean
}

/** Reads the log of a pipeline as it grows. */
export function followPipelineLog(path: string): () => Promise<PipelineState> {
  const state: PipelineState = { isUp: false, isLeading: false, leads: 0, hasRecovered: false }
  let offset = 0
  let rest = ''
  const read = (line: string) => {
    if (line.includes(STARTED) || line.includes('begins anew'))
      Object.assign(state, { isUp: false, isLeading: false, hasRecovered: false })
    else if (line.includes('one of all machines leads')) state.isUp = true
    else if (line.includes('this pipeline leads')) Object.assign(state, { isLeading: true, leads: state.leads + 1 })
    else if (line.includes('captures recovered that nobody had landed')) state.hasRecovered = true
  }
  return async () => {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - offset), 0, size - offset, offset)
      offset += bytesRead
      const lines = (rest + buffer.toString('utf8', 0, bytesRead)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) read(line)
    } finally {
      await file.close()
    }
    return { ...state }
  }
}
