import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import pixelmatch from 'pixelmatch'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { expect } from 'vitest'
import { projectFile } from '../../config/paths.ts'

const KEPT = projectFile('test', 'site', 'screenshots')
/** The share of pixels that may differ; a column that moves by a few pixels differs in more. */
const TOLERANCE = 0.02

/** A picture at half its size: smaller to keep, and less moved by how a machine smooths letters. */
function halved(picture: Buffer): PNG {
  const { width, height, data } = PNG.sync.read(picture)
  const half = new PNG({ width: Math.floor(width / 2), height: Math.floor(height / 2) })
  for (let y = 0; y < half.height; y += 1)
    for (let x = 0; x < half.width; x += 1)
      for (let channel = 0; channel < 4; channel += 1) {
        const pixel = (dx: number, dy: number) => data[((2 * y + dy) * width + 2 * x + dx) * 4 + channel]!
        half.data[(y * half.width + x) * 4 + channel] = (pixel(0, 0) + pixel(1, 0) + pixel(0, 1) + pixel(1, 1)) / 4
      }
  return half
}

/** The width of the banner's first words, which tells one font from another. */
const fontWidth = async (page: Page) => Math.round((await page.locator('.banner strong').first().boundingBox())!.width)

interface Shot {
  name: string
  width: 390 | 1280
  scheme: 'light' | 'dark'
  /** The whole page, up to this many pixels; what a screen shows where it is absent. */
  height?: number
}

/**
 * Compares a page of a fixed, simulated world with its kept picture. Pictures of text differ between machines with other fonts,
 * so they are compared only where words are as wide as they were. To keep new ones after a change of the look: delete the folder
 * `screenshots`, run the tests of this folder with `TESTS=all`, and look at each picture.
 */
export async function expectAsKept(page: Page, { name, width, scheme, height }: Shot): Promise<void> {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 800 })
  await page.emulateMedia({ colorScheme: scheme })
  const whole = Number(await page.evaluate('document.documentElement.scrollHeight'))
  const clip =
    height === undefined ? {} : { fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(whole, height) } }
  const picture = halved(await page.screenshot({ animations: 'disabled', ...clip }))
  const file = `${KEPT}/${name}-${width}-${scheme}.png`
  const fonts = `${KEPT}/${name}-${width}.json`
  const words = await fontWidth(page)
  if (!existsSync(file)) {
    mkdirSync(KEPT, { recursive: true })
    writeFileSync(file, PNG.sync.write(picture))
    writeFileSync(fonts, `${JSON.stringify({ words })}\n`)
    return
  }
  const kept = PNG.sync.read(readFileSync(file))
  if ((JSON.parse(readFileSync(fonts, 'utf8')) as { words: number }).words !== words) {
    process.stderr.write(`this machine has another font: ${file} is not compared\n`)
    return
  }
  expect([picture.width, picture.height], file).toEqual([kept.width, kept.height])
  const area = picture.width * picture.height
  const differing = pixelmatch(picture.data, kept.data, undefined, picture.width, picture.height, { threshold: 0.2 })
  expect(differing / area, file).toBeLessThan(TOLERANCE)
}
