import { test } from 'vitest'
import { openHarness } from '../api/harness.ts'
import { openDoor } from './door.ts'
import { writeFileSync, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
test('up', async () => {
  const h = await openHarness()
  await h.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = h.app.server.address() as { port: number }
  const url = await openDoor(port, h.keys.enterprise.key, () => { h.world.now += 100 })
  writeFileSync('/tmp/door-url', url)
  while (!existsSync('/tmp/door-stop')) await sleep(200)
}, 3_600_000)
