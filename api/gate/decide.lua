-- KEYS: the access version, the run id, the cached caller of the presented credential.
-- ARGV: the prefix of all other keys; now (ms); the month; 1 if the call is billable;
--       the caller as just read from the state (access version under which it was read, expiry, limits per minute and
--       month, id, account, JSON), or empty texts;
--       the calls of the month as just read from the state (run id, calls), or empty texts.

local prefix, now, month, billable = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'
local current = redis.call('mget', KEYS[1], KEYS[2])
local version, run_id = current[1], current[2]
if not version or not run_id then return {'emptied'} end

if ARGV[5] == version then
  redis.call('hset', KEYS[3], 'epoch', version, 'expires', ARGV[6], 'per_minute', ARGV[7], 'per_month', ARGV[8],
    'id', ARGV[9], 'account', ARGV[10], 'caller', ARGV[11])
  redis.call('pexpire', KEYS[3], 60000)
end
local cached = redis.call('hmget', KEYS[3], 'epoch', 'expires', 'per_minute', 'per_month', 'id', 'account', 'caller')
if cached[1] ~= version or now >= tonumber(cached[2]) then return {'needs_caller', version} end
local per_minute, per_month, caller = tonumber(cached[3]), tonumber(cached[4]), cached[7]

local month_key = prefix .. ':month:' .. cached[6] .. ':' .. month
local count = redis.call('hmget', month_key, 'generation', 'calls')
if count[1] ~= run_id then
  if ARGV[12] ~= run_id then return {'needs_calls', run_id, cached[6]} end
  count[2] = ARGV[13]
  redis.call('hset', month_key, 'generation', run_id, 'calls', count[2])
  redis.call('pexpire', month_key, 3000000000)
end
local used = tonumber(count[2])

local minute_key = prefix .. ':minute:' .. cached[5] .. ':' .. cached[3]
local newest = tonumber(redis.call('lindex', minute_key, -1) or now)
local ahead = newest - now
if ahead > 1000 then
  -- The clock was set back: the window goes on as if no time had passed.
  for index, at in ipairs(redis.call('lrange', minute_key, 0, -1)) do
    redis.call('lset', minute_key, index - 1, string.format('%.0f', tonumber(at) - ahead))
  end
end
local oldest = redis.call('lindex', minute_key, 0)
while oldest and tonumber(oldest) <= now - 60000 do
  redis.call('lpop', minute_key)
  oldest = redis.call('lindex', minute_key, 0)
end
local taken = redis.call('llen', minute_key)
local outcome = 'admitted'
if billable and per_month >= 0 and used >= per_month then
  outcome = 'month'
elseif taken >= per_minute then
  outcome = 'minute'
else
  taken = redis.call('rpush', minute_key, ARGV[2])
  redis.call('pexpire', minute_key, 120000)
  if billable then used = redis.call('hincrby', month_key, 'calls', 1) end
end
return {outcome, caller, taken, oldest or '', used, run_id}
