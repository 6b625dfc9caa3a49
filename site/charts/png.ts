import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { LRUCache } from 'lru-cache'
import { getOrCreate } from '../../config/once.ts'
import { projectFile } from '../../config/paths.ts'
import { startThread, type WorkerThread } from '../../config/worker-thread.ts'

/** Renders and encodes in a thread of its own: both together take tens of milliseconds. */
const THREAD = `
const { Resvg } = require(workerData.resvg)
function respond({ svg, scale }) {
  return new Resvg(svg, { fitTo: { mode: 'zoom', value: scale }, font: workerData.font }).render().asPng()
}`

interface Drawing {
  svg: string
  scale: number
}

/** DejaVu has Latin, Greek, Cyrillic, Arabic and Hebrew letters. No font of the machine is used, so that every machine draws alike. */
const FONT_OPTIONS = {
  fontFiles: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) => projectFile('site', 'charts', 'fonts', file)),
  loadSystemFonts: false,
  defaultFontFamily: 'DejaVu Sans',
  sansSerifFamily: 'DejaVu Sans',
}

let thread: WorkerThread<Drawing, Uint8Array> | null = null

function startDrawing(): WorkerThread<Drawing, Uint8Array> {
  const require = createRequire(import.meta.url)
  const workerData = { resvg: require.resolve('@resvg/resvg-js'), font: FONT_OPTIONS }
  // The next picture begins a new thread.
  return startThread(THREAD, workerData, () => {
    thread = null
  })
}

/** An SVG with resolved colours as a PNG. */
export async function pngOf(svg: string, scale: number): Promise<Buffer> {
  thread ??= startDrawing()
  return Buffer.from(await thread.call({ svg, scale }))
}

const MAX_BYTES = 24 * 1_048_576

const made = new LRUCache<string, Buffer>({ maxSize: MAX_BYTES, sizeCalculation: (png) => png.length })
const inProgress = new Map<string, Promise<Buffer>>()

/** The PNG of an SVG, made once for each SVG while it is kept, also when several ask for it at once. */
export async function cachedPng(svg: string): Promise<Buffer> {
  const key = createHash('sha256').update(svg).digest('base64url')
  const known = made.get(key)
  if (known) return known
  const png = await getOrCreate(inProgress, key, () => pngOf(svg, 1).finally(() => inProgress.delete(key)))
  made.set(key, png)
  return png
}
