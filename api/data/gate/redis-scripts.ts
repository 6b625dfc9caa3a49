/**
 * The decision on one call, for all processes of an installation at once: Redis runs a script without a pause, as one
 * process runs a function. What it does not know it asks for, and is called again with the answer.
 *
 * KEYS: the epoch of access, the generation of counts, the record of the presented credential.
 * ARGV: what the names of all other keys begin with; now (ms); the month; 1 if the call can be billed;
 *       the caller as just read from the state (epoch it was read at, expires, limits of minute and month, id, account,
 *       JSON), or empty; the month's calls as just read from the state (generation, calls), or empty.
 */
export const DECIDE = `
local root, now, month, billable = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'
local access = redis.call('mget', KEYS[1], KEYS[2])
local epoch, generation = access[1], access[2]
if not epoch or not generation then return {'closed'} end

if ARGV[5] == epoch then
  redis.call('hset', KEYS[3], 'epoch', epoch, 'expires', ARGV[6], 'per_minute', ARGV[7], 'per_month', ARGV[8],
    'id', ARGV[9], 'account', ARGV[10], 'caller', ARGV[11])
  redis.call('pexpire', KEYS[3], 60000)
end
local known = redis.call('hmget', KEYS[3], 'epoch', 'expires', 'per_minute', 'per_month', 'id', 'account', 'caller')
if known[1] ~= epoch or now >= tonumber(known[2]) then return {'unknown', epoch} end
local per_minute, per_month, caller = tonumber(known[3]), tonumber(known[4]), known[7]

local counted = root .. ':month:' .. known[6] .. ':' .. month
local count = redis.call('hmget', counted, 'generation', 'calls')
if count[1] ~= generation then
  if ARGV[12] ~= generation then return {'uncounted', generation, known[6]} end
  count[2] = ARGV[13]
  redis.call('hset', counted, 'generation', generation, 'calls', count[2])
  redis.call('pexpire', counted, 3000000000)
end
local used = tonumber(count[2])

local minute = root .. ':minute:' .. known[5] .. ':' .. known[3]
local oldest = redis.call('lindex', minute, 0)
while oldest and tonumber(oldest) <= now - 60000 do
  redis.call('lpop', minute)
  oldest = redis.call('lindex', minute, 0)
end
local taken = redis.call('llen', minute)
local outcome = 'admitted'
if billable and per_month >= 0 and used >= per_month then
  outcome = 'month'
elseif taken >= per_minute then
  outcome = 'minute'
else
  taken = redis.call('rpush', minute, ARGV[2])
  redis.call('pexpire', minute, 120000)
  if billable then used = redis.call('hincrby', counted, 'calls', 1) end
end
return {outcome, caller, taken, oldest or '', used, generation}
`

/** Gives a place in the month back. KEYS: the month's count. ARGV: the generation it was taken in. */
export const RELEASE = `
if redis.call('hget', KEYS[1], 'generation') == ARGV[1] then redis.call('hincrby', KEYS[1], 'calls', -1) end
return 1
`
