import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'

/**
 * Renders and encodes in a thread of its own: both together take tens of milliseconds. It is plain CommonJS text because tests
 * run the sources, which a thread cannot load.
 */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const { Resvg } = require(workerData.resvg)
parentPort.on('message', ({ id, svg, scale }) => {
  try {
    const fitTo = { mode: 'zoom', value: scale }
    const png = new Resvg(svg, { fitTo, font: workerData.font }).render().asPng()
    parentPort.postMessage({ id, png })
  } catch (error) {
    parentPort.postMessage({ id, fault: String(error && error.message) })
  }
})`

interface Answer {
  id: number
  png?: Uint8Array
  fault?: string
}

interface Waiting {
  resolve: (png: Buffer) => void
  reject: (error: Error) => void
}

/** DejaVu has Latin, Greek, Cyrillic, Arabic and Hebrew letters. No font of the machine is used, so that every machine draws alike. */
function fontOptions(require: NodeJS.Require) {
  const folder = join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf')
  return {
    fontFiles: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) => join(folder, file)),
    loadSystemFonts: false,
    defaultFontFamily: 'DejaVu Sans',
    sansSerifFamily: 'DejaVu Sans',
  }
}

/** The thread and the pictures that it has not made yet. It keeps the process alive only while it has some. */
class PngThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #requests = 0

  constructor() {
    const require = createRequire(import.meta.url)
    const workerData = { resvg: require.resolve('@resvg/resvg-js'), font: fontOptions(require) }
    this.#worker = new Worker(THREAD, { eval: true, workerData, execArgv: [] })
    this.#worker.on('message', (answer: Answer) => this.#settle(answer))
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.unref()
  }

  make(svg: string, scale: number): Promise<Buffer> {
    const id = ++this.#requests
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) this.#worker.ref()
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, svg, scale })
    })
  }

  #settle({ id, png, fault }: Answer): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if (png) waiting?.resolve(Buffer.from(png))
    else waiting?.reject(new Error(`a picture could not be drawn: ${fault}`))
  }

  /** The next picture begins a new thread. */
  #end(error: Error): void {
    thread = null
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

let thread: PngThread | null = null

/** How many pixels of a PNG there are to one of the SVG: sharp on current screens. */
const SCALE = 2

/** An SVG with resolved colours as a PNG. */
export function pngOf(svg: string, scale = SCALE): Promise<Buffer> {
  thread ??= new PngThread()
  return thread.make(svg, scale)
}
