import type { FastifyInstance } from 'fastify'
import { ResponseBody, sendBody } from '../../api/rest/response-body.ts'
import { once } from '../../config/once.ts'
import { pngOf } from '../charts/png.ts'
import { FULL_ICON, ICON } from '../pages/mark.tsx'

/** The mark in pixels: phones and older browsers take no SVG. */

/** Units of the mark's side. */
const SIDE = 24

/** The icons of the web app manifest. */
export const MANIFEST_ICONS = [
  { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
  { src: '/icons/192.png', type: 'image/png', sizes: '192x192' },
  { src: '/icons/512.png', type: 'image/png', sizes: '512x512' },
  { src: '/icons/maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
]

const FILES: [string, string, number][] = [
  ['/icons/192.png', ICON, 192],
  ['/icons/512.png', ICON, 512],
  ['/icons/maskable-512.png', FULL_ICON, 512],
  ['/apple-touch-icon.png', FULL_ICON, 180],
]

const sized = (svg: string, pixels: number) => pngOf(svg, pixels / SIDE)

/** An icon file of Windows with one picture, as PNG: what browsers ask for where no page names another. */
async function icoOf(svg: string, pixels: number): Promise<Buffer> {
  const png = await sized(svg, pixels)
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(pixels, 6)
  head.writeUInt8(pixels, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

/** Adds the icons, each drawn at its first request. */
export function addIcons(app: FastifyInstance): void {
  const add = (url: string, type: string, make: () => Promise<Buffer>) => {
    const body = once(async () => new ResponseBody(await make(), type, 'icon'))
    app.get(url, async (request, reply) => sendBody(request, reply, await body(), 'public, max-age=86400'))
  }
  for (const [url, svg, pixels] of FILES) add(url, 'image/png', () => sized(svg, pixels))
  add('/favicon.ico', 'image/x-icon', () => icoOf(ICON, 32))
}
