import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/**
 * Writes an entry and adds it to its group, a sorted set with the time of writing as score. When the group is full, members that do not exist
 * any more are removed, and the oldest ones are deleted, some at a time because the search for the former reads all members.
 */
const SET_IN_GROUP = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ttl = tonumber(ARGV[2])
local max = tonumber(ARGV[3])
if not redis.call('ZSCORE', KEYS[2], KEYS[1]) and redis.call('ZCARD', KEYS[2]) >= max then
  for _, member in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
    if redis.call('EXISTS', member) == 0 then redis.call('ZREM', KEYS[2], member) end
  end
  if redis.call('ZCARD', KEYS[2]) >= max then
    for _, member in ipairs(redis.call('ZRANGE', KEYS[2], 0, tonumber(ARGV[4]) - 1)) do
      redis.call('UNLINK', member)
      redis.call('ZREM', KEYS[2], member)
    end
  end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ttl)
redis.call('ZADD', KEYS[2], now, KEYS[1])
if redis.call('PTTL', KEYS[2]) < ttl then redis.call('PEXPIRE', KEYS[2], ttl) end
return 1
`;

const DELETE_GROUP = `
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('UNLINK', member) end
return redis.call('UNLINK', KEYS[1])
`;

const DELETE_IF = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('UNLINK', KEYS[1])
`;

/** Runs a script and returns its number. */
type Script = (redis: Redis, keys: readonly string[], args: readonly string[]) => Promise<number>;

/** Returns a function that runs a script by its digest, and sends its text when the server does not know it. */
const script = (lua: string): Script => {
  const digest = createHash('sha1').update(lua).digest('hex');
  return async (redis, keys, args) => {
    try {
      return (await redis.evalsha(digest, keys.length, ...keys, ...args)) as number;
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return (await redis.eval(lua, keys.length, ...keys, ...args)) as number;
    }
  };
};

/** Arguments: entry and group; value, lifetime in milliseconds, maximum of the group, entries to delete from a full one. */
export const setInGroup = script(SET_IN_GROUP);

/** Argument: group. */
export const deleteGroup = script(DELETE_GROUP);

/** Arguments: entry; value. Returns 1 when the entry had the value and was deleted. */
export const deleteIf = script(DELETE_IF);
