import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createBrowserClient } from '../../../pipeline/transport/browser-client.ts'
import { createHttpClient } from '../../../pipeline/transport/http-client.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { hasBrowser } from '../real-browser.ts'
import { testSource } from '../test-source.ts'

const found = EXHAUSTIVE && (await hasBrowser())
/** The packaged headless shell crashes when a form is submitted into a frame, so that only a whole browser tries this. */
const installed = existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : undefined

/** A service of this machine that no page may reach: it counts connections and datagrams. */
async function openVictim(): Promise<{ port: number; reached: string[] }> {
  const reached: string[] = []
  const tcp = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      reached.push(bytes.toString('latin1').split('\r\n')[0] ?? '')
      socket.end(
        'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret',
      )
    })
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4').on('message', (bytes) => reached.push(`udp ${bytes.length} bytes`))
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    tcp.close()
    udp.close()
  })
  return { port, reached }
}

/** A page that tries to reach `host` in every way that it has, and then shows its number. */
const hostilePage = (host: string, withForm: boolean) => `<!doctype html>
<link rel="stylesheet" href="http://${host}/style"><link rel="dns-prefetch" href="//${host}"><link rel="preconnect" href="http://${host}">
<link rel="prefetch" href="http://${host}/prefetch"><link rel="manifest" href="http://${host}/manifest"><link rel="icon" href="http://${host}/icon">
<script src="http://${host}/script"></script><img src="http://${host}/image"><iframe src="http://${host}/frame"></iframe>
<iframe src="/redirect"></iframe><object data="http://${host}/object"></object><embed src="http://${host}/embed">
<video src="http://${host}/video"></video><style>body { background: url(http://${host}/background) }</style>
<iframe name="other"></iframe>${withForm ? `<form id="form" method="post" target="other" action="http://${host}/form"></form>` : ''}
<script>
const attempt = (work) => { try { Promise.resolve(work()).catch(() => 0) } catch {} }
attempt(() => fetch('http://${host}/fetch', { mode: 'no-cors' }))
attempt(() => fetch('/redirect', { mode: 'no-cors' }))
attempt(() => { const x = new XMLHttpRequest(); x.open('GET', 'http://${host}/xhr'); x.send() })
attempt(() => new WebSocket('ws://${host}/socket'))
attempt(() => new EventSource('http://${host}/events'))
attempt(() => navigator.sendBeacon('http://${host}/beacon', 'x'))
attempt(() => form.submit())
attempt(() => window.open('http://${host}/opened'))
const worker = "fetch('http://${host}/worker', { mode: 'no-cors' }); new WebSocket('ws://${host}/worker-socket'); importScripts('http://${host}/imported')"
attempt(() => new Worker(URL.createObjectURL(new Blob([worker]))))
attempt(() => new SharedWorker(URL.createObjectURL(new Blob([worker]))))
attempt(() => navigator.serviceWorker.register('/service-worker.js'))
attempt(() => new WebTransport('https://${host}/transport'))
for (const owner of [window, document.querySelector('iframe[name=other]').contentWindow]) attempt(() => {
  const peer = new owner.RTCPeerConnection({ iceServers: [{ urls: ['stun:${host}', 'turn:${host}?transport=tcp'], username: 'a', credential: 'b' }] })
  peer.createDataChannel('x')
  return peer.createOffer().then((offer) => peer.setLocalDescription(offer))
})
setTimeout(() => { const done = document.createElement('b'); done.className = 'minutes'; done.textContent = typeof RTCPeerConnection; document.body.append(done) }, 2000)
</script>`

/** Opens the hostile page of a site at 127.0.0.2 in a real browser. */
async function visit(allowed: string[], hostOf: (port: number) => string, chromium_path?: string) {
  const victim = await openVictim()
  const host = hostOf(victim.port)
  const site = createServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end()
    if (request.url === '/redirect')
      return void response.writeHead(302, { Location: `http://${host}/redirected` }).end()
    if (request.url === '/moved') return void response.writeHead(302, { Location: `http://${host}/document` }).end()
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(hostilePage(host, chromium_path !== undefined))
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.2', resolve))
  const http = createHttpClient({ version: '1', contact: 'x@example.org', retries: 0, allowed_networks: allowed })
  const browser = createBrowserClient({ http, timeout_ms: 10_000, chromium_path })
  onTestFinished(() => void site.close())
  onTestFinished(() => browser.close())
  const origin = `http://127.0.0.2:${(site.address() as AddressInfo).port}`
  const source = testSource({ pace_seconds: 0 })
  const page = await browser.openPage(`${origin}/`, source, { wait_for: '.minutes' })
  const moved = await browser.openPage(`${origin}/moved`, source, { wait_for: 'body', timeout_ms: 3_000 }).then(
    () => 'opened',
    (error: Error) => error.message,
  )
  await wait(300)
  return { reached: victim.reached, text: new TextDecoder().decode(page.body), moved }
}

describe.runIf(found)('a page that requests a service of this machine', () => {
  test.each(['127.0.0.1', 'localhost', '0.0.0.0', '[::ffff:127.0.0.1]', '2130706433', 'x.localhost'])(
    'reaches nothing at %s',
    { timeout: 30_000 },
    async (name) => {
      const { reached, text, moved } = await visit(['127.0.0.2'], (port) => `${name}:${port}`)
      expect(reached).toEqual([])
      expect(text).toContain('<b class="minutes">undefined</b>')
      expect(moved).toMatch(/502|private network|ERR_/)
    },
  )

  test.runIf(installed)('reaches nothing from an installed Chromium', { timeout: 30_000 }, async () => {
    const { reached } = await visit(['127.0.0.2'], (port) => `127.0.0.1:${port}`, installed)
    expect(reached).toEqual([])
  })

  test('would reach it in many ways if its network were allowed', { timeout: 30_000 }, async () => {
    const { reached, moved } = await visit(['127.0.0.0/8'], (port) => `127.0.0.1:${port}`)
    const ways = 'fetch xhr socket events beacon script style frame redirected worker imported document'.split(' ')
    const used = reached.map((line) => line.split(' ')[1])
    expect(used).toEqual(expect.arrayContaining(ways.map((way) => `/${way}`)))
    expect(moved).toBe('opened')
    // Datagrams go past a proxy, so that they are never sent.
    expect(reached.filter((line) => line.startsWith('udp'))).toEqual([])
  })
})
