import { expect, test } from 'vitest'
import { openSourceLocks } from '../../../jobs/redis/lock.ts'
import { redisForTests, redisInstalled } from './redis-server.ts'

const redis_url = redisForTests(16_398)

test.skipIf(!redisInstalled)('only one machine at a time holds the lock of a source (needs redis-server)', async () => {
  const options = { redis_url, prefix: `locks${process.pid}` }
  const first = openSourceLocks(options)
  const second = openSourceLocks(options)
  const release = await first.take('sea-cwt')
  expect(release).not.toBeNull()
  expect(await second.take('sea-cwt')).toBeNull()
  expect(await second.take('jax-html')).not.toBeNull()
  await release?.()
  expect(await second.take('sea-cwt')).not.toBeNull()
  first.close()
  second.close()
})
