/** The presence store of several processes, in Redis. */

import type { UserId } from '../domain/ids.ts'
import type { PresenceNews, PresenceReport, PresenceUpdate, SharedPresenceStore } from './presence-store.ts'
import type { RedisClient } from './connect-redis.ts'

/** Milliseconds after which an unresponsive Redis counts as unavailable: a command would wait forever. */
const ANSWER_MS_MAX = 2_000
/** Users that one command of the sweep checks. */
const SWEEP_LENGTH = 1_000

/**
 * One atomic step, so that a reader up to a number has every update up to it. Holds the count of updates, each user's
 * times, and the users in the order of their updates.
 */
const EXCHANGE = `
local ids, times, order = KEYS[1], KEYS[2], KEYS[3]
if redis.call('EXISTS', ids) == 0 then
  redis.call('HSET', ids, 'start', ARGV[1], 'last', ARGV[1])
  redis.call('DEL', times, order)
end
if #ARGV > 2 then
  local id = redis.call('HINCRBY', ids, 'last', 1)
  for i = 3, #ARGV, 4 do
    local user, active, idle = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
    local stored = ARGV[i + 3] == '0' and redis.call('HGET', times, user)
    if stored then
      local storedActive, storedIdle = string.match(stored, '(%d+) (%d+)')
      active, idle = math.max(active, tonumber(storedActive)), math.max(idle, tonumber(storedIdle))
    end
    redis.call('HSET', times, user, string.format('%.0f %.0f', active, idle))
    redis.call('ZADD', order, id, user)
  end
end
local start, last = redis.call('HGET', ids, 'start'), redis.call('HGET', ids, 'last')
local since = tonumber(ARGV[2])
if since < tonumber(start) or since > tonumber(last) then since = 0 end
local users = redis.call('ZRANGEBYSCORE', order, '(' .. string.format('%.0f', since), '+inf', 'WITHSCORES')
local news = { start, last }
for i = 1, #users, 2 do
  local stored = redis.call('HGET', times, users[i])
  if stored then
    news[#news + 1] = users[i] .. ' ' .. stored .. ' ' .. users[i + 1]
  end
end
return news`

/** Removes the given users unless they reported meanwhile. */
const REMOVE = `
local removed = 0
for i = 2, #ARGV do
  local stored = redis.call('HGET', KEYS[1], ARGV[i])
  if stored and tonumber(string.match(stored, '%d+ (%d+)')) < tonumber(ARGV[1]) then
    redis.call('HDEL', KEYS[1], ARGV[i])
    redis.call('ZREM', KEYS[2], ARGV[i])
    removed = removed + 1
  end
end
return removed`

/** Stores presences under a prefix; the caller closes the connection. */
export function createPresenceStoreInRedis(redis: RedisClient, prefix: string): SharedPresenceStore {
  // The part in braces keeps all keys on one node of a cluster.
  const [ids, times, order] = ['ids', 'times', 'order'].map((name) => `${prefix}:{presence}:${name}`) as [
    string,
    string,
    string,
  ]
  return {
    async exchange(reports, sinceId, nowMs) {
      if (redis.status !== 'ready') return undefined // A command would wait until Redis is back.
      const args = reports.flatMap(encodeReport)
      const answer = redis.eval(EXCHANGE, 3, ids, times, order, nowMs, sinceId, ...args)
      const news = (await within(ANSWER_MS_MAX, answer)) as string[] | undefined
      return news && decodeNews(news)
    },
    async readActivity(userIds) {
      if (redis.status !== 'ready' || userIds.length === 0) return new Map()
      const stored = (await within(ANSWER_MS_MAX, redis.hmget(times, ...userIds.map(String)))) ?? []
      return new Map(
        userIds.flatMap((id, index) => {
          const activeAt = Number(stored[index]?.split(' ')[0] ?? 0)
          return activeAt > 0 ? [[id, activeAt]] : []
        }),
      )
    },
    async forget(before) {
      let removed = 0
      let cursor = '0'
      do {
        const [next, pairs] = await redis.hscan(times, cursor, 'COUNT', SWEEP_LENGTH)
        const isOld = (index: number) => Number(pairs[index + 1]?.split(' ')[1]) < before
        const old = pairs.filter((_, index) => index % 2 === 0 && isOld(index))
        if (old.length > 0) removed += (await redis.eval(REMOVE, 2, times, order, before, ...old)) as number
        cursor = next
      } while (cursor !== '0')
      return removed
    },
  }
}

function encodeReport({ userId, activeAt, idleAt, isReplacing }: PresenceReport): number[] {
  return [userId, activeAt, idleAt, isReplacing ? 1 : 0]
}

function decodeNews([start, last, ...updates]: readonly string[]): PresenceNews {
  return { startId: Number(start), lastId: Number(last), updates: updates.map(decodeUpdate) }
}

function decodeUpdate(text: string): PresenceUpdate {
  const [userId, activeAt, idleAt, updateId] = text.split(' ').map(Number) as [number, number, number, number]
  return { userId: userId as UserId, activeAt, idleAt, updateId }
}

/** The result of a promise; undefined after the time limit. */
async function within<Value>(msMax: number, promise: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeIsUp = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, msMax, undefined)
  })
  try {
    return await Promise.race([promise, timeIsUp])
  } finally {
    clearTimeout(timer)
  }
}
