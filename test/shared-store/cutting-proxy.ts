import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands before a store, and ends the connection in the place of one of its answers: what was asked is done, and nobody knows. */
export async function startCuttingProxy(store: string) {
  const target = new URL(store)
  let answers = 0
  let cutAt: number | null = null
  const serve = (client: Socket) => {
    const server = connect(Number(target.port), target.hostname)
    const end = () => {
      client.destroy()
      server.destroy()
    }
    client.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => {
      answers += 1
      if (answers === cutAt) end()
      else client.write(bytes)
    })
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
  }
  const proxy = createServer(serve).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(store)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href.replace(/\/$/, ''),
    /** Does some work, in which the store's answer of this number is lost; returns whether there was such an answer. */
    async without(number: number, work: () => Promise<void>): Promise<boolean> {
      answers = 0
      cutAt = number
      await work()
      cutAt = null
      return answers >= number
    },
    close: () => void proxy.close(),
  }
}
