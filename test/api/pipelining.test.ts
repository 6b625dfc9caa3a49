import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { queuePipelinedRequests } from '../../bin/service/pipelined-requests.ts'

test('begins the requests of one packet one after another, each in a turn of its own, and answers all in order', async () => {
  let turn = 0
  let isOpen = true
  const countTurns = () => {
    turn += 1
    if (isOpen) setImmediate(countTurns)
  }
  const begunIn: number[] = []
  const server = createServer((request, response) => {
    begunIn.push(turn)
    // Every third answer takes longer than the request after it would.
    if (begunIn.length % 3 === 0) setTimeout(() => response.end(request.url), 1)
    else response.end(request.url)
  })
  queuePipelinedRequests(server)
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  countTurns()
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const requests = Array.from({ length: 300 }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: a\r\n\r\n`)
  requests.push('GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  client.write(requests.join(''))
  let text = ''
  for await (const chunk of client) text += chunk
  isOpen = false
  expect([...text.matchAll(/\r\n\/(\d+|last)/g)].map(([, name]) => name)).toEqual([
    ...Array.from({ length: 300 }, (_, index) => String(index)),
    'last',
  ])
  expect(new Set(begunIn).size).toBe(301)
})

test('forgets the requests of a client that has gone', async () => {
  let begun = 0
  const server = createServer((request) => {
    begun += 1
    request.socket.destroy()
  })
  queuePipelinedRequests(server)
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50))
  await once(client, 'close')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(begun).toBe(1)
})
