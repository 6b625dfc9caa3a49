import type { Settings } from '../../config/settings.ts'
import type { CallClient } from '../../jobs/calls/define-call.ts'
import { openSocketClient, socketPath } from '../../jobs/transports/socket.ts'

/** Calls the pipeline of an installation: over Redis if it is set, otherwise over the socket in the data folder. */
export async function openCallClient({ redis_url, data_dir }: Settings): Promise<CallClient> {
  if (!redis_url) return openSocketClient(socketPath(data_dir))
  // The api loads the packages for Redis only when it is set.
  const { openRedisClient } = await import('../../jobs/transports/redis.ts')
  return openRedisClient({ redis_url })
}
