import { expect, test } from 'vitest'
import { openHarness } from '../api/harness.ts'

/** Width and height in the header of a PNG. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]
const isPng = (bytes: Buffer) => bytes.subarray(1, 4).toString() === 'PNG'

test('phones find icons in pixels, of the size that is said', async () => {
  const { app } = await openHarness()
  const { icons } = (await app.inject('/manifest.webmanifest')).json() as { icons: Record<string, string>[] }
  const inPixels = icons.filter(({ type }) => type === 'image/png')
  expect(inPixels.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src, sizes } of inPixels) {
    const { statusCode, headers, rawPayload } = await app.inject(src!)
    expect([statusCode, headers['content-type'], isPng(rawPayload)], src).toEqual([200, 'image/png', true])
    expect(sizeOf(rawPayload).join('x'), src).toBe(sizes)
  }
  const page = (await app.inject({ url: '/', headers: { accept: 'text/html' } })).body
  const touch = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(page)![1]!
  expect(sizeOf((await app.inject(touch)).rawPayload)).toEqual([180, 180])
  const ico = (await app.inject('/favicon.ico')).rawPayload
  expect([ico.readUInt16LE(2), ico.readUInt8(6), ico.readUInt32LE(18)]).toEqual([1, 32, 22])
  expect(isPng(ico.subarray(22))).toBe(true)
})
