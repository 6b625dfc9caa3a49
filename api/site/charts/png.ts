import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

type Resvg = typeof import('@resvg/resvg-js')

let loaded: Promise<Resvg> | null = null

/** The fonts of all PNG files: DejaVu has Latin, Greek, Cyrillic, Arabic and Hebrew letters. */
function fontFiles(): string[] {
  const folder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
  return ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) => join(folder, file))
}

/** How many pixels of a PNG there are to one of the SVG: sharp on current screens. */
const SCALE = 2

/** An SVG with resolved colours as a PNG. It is rendered by a thread of Node, so that the event loop goes on. */
export async function pngOf(svg: string, scale = SCALE): Promise<Buffer> {
  loaded ??= import('@resvg/resvg-js')
  const { renderAsync } = await loaded
  const image = await renderAsync(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: {
      fontFiles: fontFiles(),
      loadSystemFonts: false,
      defaultFontFamily: 'DejaVu Sans',
      sansSerifFamily: 'DejaVu Sans',
    },
  })
  return image.asPng()
}
