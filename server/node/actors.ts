/** The state of the organization in a node, the actors around it, and the log that feeds them. */

import { storeActivity } from '../../db/personal/last-activity.ts'
import { readPictureSecret } from '../../db/accounts/signing-secrets.ts'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { readLog } from '../../db/log/event-log.ts'
import { Channels } from '../actors/channel.ts'
import { Committer } from '../actors/committer.ts'
import { EventQueues } from '../actors/event-queues.ts'
import { Presences } from '../actors/presence.ts'
import { Readers } from '../actors/readers.ts'
import { answerChecks } from '../actors/state-checks.ts'
import { logHeartbeat } from '../changes/server/log-heartbeat.ts'
import type { Writer } from '../changes/submit.ts'
import type { Clock } from '../domain/clock.ts'
import { Feed } from '../log/feed.ts'
import { type LogTail, tailLog, LOOK_CONNECTION } from '../log/tail-log.ts'
import { createPresenceStoreInRedis } from '../log/presence-store-redis.ts'
import { createPresenceStoreInProcess } from '../log/presence-store.ts'
import { applyEvent } from '../events/apply-event.ts'
import { loadState } from '../state/load-state.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Connections } from './connections.ts'
import type { NodeContext } from './node-context.ts'

/** The state of a node, and its actors. */
export interface Actors {
  readonly state: OrganizationState
  readonly feed: Feed
  readonly logTail: LogTail
  readonly committer: Committer
  readonly writer: Writer
  readonly channels: Channels
  readonly readers: Readers
  readonly presences: Presences
  readonly queues: EventQueues
}

/** The parts that the caller of `startNode` may bring. */
interface Given {
  readonly clock: Clock | undefined
  readonly onLost: (reason: string) => void
}

/** Loads the state and starts the actors; resolves once they have caught up with the log. */
export async function startActors(
  { config, closers, tracer, onError }: NodeContext,
  connections: Connections,
  given: Given,
): Promise<Actors> {
  const { sql, logSql, clock, redis, redisPrefix, broadcast } = connections
  const state = await loadConfigured(sql, config)
  const feed = new Feed({
    appliedId: state.appliedId,
    readLog: (afterId, countMax) => readLog(sql, afterId, countMax),
    onEntry(entry) {
      applyEvent(state, entry)
      channels.push(entry)
      readers.push(entry)
      presences.push(entry)
      queues.push(entry)
    },
    onError,
  })
  closers.push(() => feed.close())
  const channels = new Channels(sql, state)
  const committer = new Committer({
    sql: logSql,
    state,
    feed,
    clock: given.clock,
    tracer,
    publish: (entries) => broadcast.publish(entries),
  })
  const writer = { committer, clock }
  const readers = new Readers({ sql, reached: (id) => feed.reached(id) })
  const presenceStore = redis
    ? createPresenceStoreInRedis(redis.publisher, redisPrefix)
    : createPresenceStoreInProcess((reports) => storeActivity(sql, reports))
  const presences = new Presences({ state, store: presenceStore, committer, clock, onError })
  closers.push(() => presences.stop())
  const queues = new EventQueues({
    sql,
    state,
    clock,
    broadcast,
    origin: randomUUID(),
    pollHoldMs: config.pollHoldSeconds * 1000,
    catchUp: () => feed.catchUp(),
    beat: () => logHeartbeat(writer),
    onError,
  })
  closers.push(() => queues.close())
  await broadcast.listen({
    onEntries: (entries) => feed.offer(entries),
    onSignal: (signal) => queues.onSignal(signal),
    onGap() {
      queues.onGap()
      void feed.catchUp().catch(onError)
    },
  })
  const logTail = await followLog({ config, onError }, connections, feed, (reason) => {
    queues.abandon()
    given.onLost(reason)
  })
  closers.push(() => logTail.stop())
  await feed.catchUp()
  await answerChecks({ sql, state, process: `${hostname()} ${process.pid}`, feed, onError })
  return { state, feed, logTail, committer, writer, channels, readers, presences, queues }
}

/** The state, with the settings that the log does not have. */
async function loadConfigured(sql: Sql, config: NodeContext['config']): Promise<OrganizationState> {
  const state = await loadState(sql)
  state.limitsPresence = config.limitsPresence
  state.usesGravatar = config.usesGravatar
  state.canMail = config.mailServer !== undefined
  state.pictureSecret = await readPictureSecret(sql)
  return state
}

/** Reads what other processes log, over a connection of its own. */
function followLog(
  { config, onError }: Pick<NodeContext, 'config' | 'onError'>,
  { sql, clock, history, epoch }: Connections,
  feed: Feed,
  onLost: (reason: string) => void,
): Promise<LogTail> {
  return tailLog({
    sql,
    openLookSql: () => connect(config.databaseUrl, 1, LOOK_CONNECTION, { work: 'pages' }),
    feed,
    clock,
    history,
    epoch,
    onError,
    onLost,
  })
}
