import { SingleBar } from 'cli-progress'

export interface Progress {
  update: (done: number, total: number, note?: string) => void
  end: (note?: string) => void
}

/** Progress of a long step on stderr: a bar on a terminal, a plain line now and then elsewhere. */
export function progress(title: string): Progress {
  return process.stderr.isTTY ? bar(title) : lines(title)
}

function bar(title: string): Progress {
  const single = new SingleBar({
    format: `${title.padEnd(34)} {bar} {percentage}% {note}`,
    barsize: 28,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: false,
    stream: process.stderr,
  })
  single.start(1, 0, { note: '' })
  return {
    update: (done, total, note = '') => {
      single.setTotal(Math.max(1, total))
      single.update(done, { note })
    },
    end: (note = '') => {
      single.update(single.getTotal(), { note })
      single.stop()
    },
  }
}

function lines(title: string): Progress {
  const from = Date.now()
  let said = from
  const say = (text: string) => process.stderr.write(`${title}: ${text}\n`)
  return {
    update: (done, total, note = '') => {
      if (Date.now() - said < 5_000) return
      said = Date.now()
      say(`${Math.round((100 * done) / Math.max(1, total))} % ${note}`)
    },
    end: (note = '') => say(`done in ${((Date.now() - from) / 1_000).toFixed(1)} s ${note}`),
  }
}
