import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { guardedFetch } from '../../../../api/accounts/egress/guarded-fetch.ts'

const GET = { method: 'GET', timeout_ms: 2_000, max_bytes: 1_000 } as const

function listening(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  onTestFinished(() => void server.close())
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
}

test.each([
  'http://example.org/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://localhost/',
  'https://10.1.2.3/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[64:ff9b::a00:1]/',
  'https://[fd00::1]/',
  'https://user:word@example.org/',
  'file:///etc/passwd',
  'gopher://example.org/',
  'not a url',
])('%s is never asked', async (url) => {
  await expect(guardedFetch()(url, GET)).rejects.toMatchObject({ code: 'OUTWARD_REFUSED' })
})

test('an allowed network is asked; redirects are not followed, long and slow answers are given up', async () => {
  const port = await listening((request, response) => {
    if (request.url === '/long') return void response.end('x'.repeat(2_000))
    if (request.url === '/slow') return
    if (request.url === '/away') return void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    response.end('short')
  })
  const ask = guardedFetch(['127.0.0.1'])
  const at = `http://127.0.0.1:${port}`
  expect((await ask(`${at}/`, GET)).body.toString()).toBe('short')
  expect((await ask(`${at}/away`, GET)).status).toBe(302)
  await expect(ask(`${at}/long`, GET)).rejects.toMatchObject({ code: 'OUTWARD_FAILED' })
  await expect(ask(`${at}/slow`, { ...GET, timeout_ms: 200 })).rejects.toMatchObject({ code: 'OUTWARD_FAILED' })
  await expect(guardedFetch()(`${at}/`, GET)).rejects.toMatchObject({ code: 'OUTWARD_REFUSED' })
})
