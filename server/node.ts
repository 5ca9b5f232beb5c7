/** The composition root: builds a web node in order, and closes it in reverse. */

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { connect, connectLog, isFirstOfName, type Sql } from '../db/connect.ts'
import { readLog, readLogName } from '../db/event-log.ts'
import { checkSchema } from '../db/migrate.ts'
import { findPicture } from '../db/pictures.ts'
import { readUploadSecret } from '../db/uploads.ts'
import { Differ } from '../workers/pool/differ.ts'
import { Imager } from '../workers/pool/imager.ts'
import { Renderer } from '../workers/pool/renderer.ts'
import { UNWATCHED, type WatchTask } from '../workers/pool/watch-task.ts'
import { announceRestart } from './changes/server/announce-restart.ts'
import { Channels } from './actors/channel.ts'
import { Committer } from './actors/committer.ts'
import { Conversations } from './actors/conversation.ts'
import { EventQueues } from './actors/event-queues.ts'
import { logHeartbeat } from './changes/server/log-heartbeat.ts'
import { Presences } from './actors/presence.ts'
import { PushTests } from './actors/push-tests.ts'
import { Readers } from './actors/readers.ts'
import { Searches } from './actors/searches.ts'
import { SeenSessionsRecorder } from './actors/seen-sessions-recorder.ts'
import { SeenUsersRecorder } from './actors/seen-users-recorder.ts'
import { answerChecks } from './actors/state-checks.ts'
import type { AdmitContext } from './api/admit.ts'
import { Calls } from './changes/calls/call-tokens.ts'
import type { Start } from './decisions/server/restart.ts'
import { decideLowerBots } from './decisions/bots/bot-roles.ts'
import { decideFullMembers } from './decisions/users/change-roles.ts'
import { COMPATIBLE_VERSION, createNames, FEATURE_LEVEL } from './views/names.ts'
import { Door } from './api/door.ts'
import { Passwords } from './changes/passwords.ts'
import { RateLimiter } from './api/rate-limit.ts'
import { submitForServer } from './changes/submit.ts'
import { endExpiredSessions } from './changes/users/login-sessions.ts'
import { createRendering } from './changes/render.ts'
import type { Services } from './api/services.ts'
import { Router } from './api/router.ts'
import { operationsOf } from './api/table.ts'
import { CACHES_MIB } from './cache-bounds.ts'
import type { Config } from './config.ts'
import { type Clock, nowSeconds } from './domain/clock.ts'
import { MeasuredFileStore } from './files/measured-file-store.ts'
import { createFileKey } from './files/file-key.ts'
import { openFileStore } from './files/open-file-store.ts'
import { createInProcessBroadcast } from './log/broadcast-in-process.ts'
import { createRedisBroadcast } from './log/broadcast-redis.ts'
import { beginEpoch } from './log/begin-epoch.ts'
import { connectRedis } from './log/connect-redis.ts'
import { openDatabaseClock } from './log/database-clock.ts'
import { Feed } from './log/feed.ts'
import { keepUp, LOOK_CONNECTION } from './log/keep-up.ts'
import { createPresenceStoreInRedis } from './log/presence-store-redis.ts'
import { createPresenceStoreInProcess } from './log/presence-store.ts'
import { reportFailures } from './log/report-failures.ts'
import type { FileStore } from './files/file-store.ts'
import type { Logger } from './logger.ts'
import { following } from './measures/following.ts'
import { mayReadMetrics } from './measures/may-read-metrics.ts'
import { type Metric, renderMetrics } from './measures/metric.ts'
import { openTraces } from './measures/open-traces.ts'
import { createProcessMetrics } from './measures/process-metrics.ts'
import { applyEvent } from './state/apply-event.ts'
import { loadState } from './state/load-state.ts'
import { canReadPictures, PLATFORM } from './services/platform.ts'
import { refuseOverdue } from './wire/event-source.ts'
import { readTraceParent, type Tracer } from './measures/tracer.ts'
import { type Follow, HttpServer } from './wire/http.ts'
import { listen } from './wire/listen.ts'
import { loadTransport } from './wire/transport/load-transport.ts'
import { createPages } from './wire/pages.ts'
import type { StreamContext } from './wire/stream-request.ts'
import { TusUploads } from './wire/tus.ts'
import { webMetrics } from './web-metrics.ts'

/** Milliseconds for closing and for open requests; hosts give 30 s between SIGTERM and SIGKILL. */
const CLOSE_MS_MAX = 22_000
/** Milliseconds for the pictures of one file: some photographs take a few seconds on a busy host. */
const IMAGE_MS_MAX = 15_000
/** The precision with which idle sessions end. */
const SESSION_EXPIRY_PERIOD_MS = 3_600_000
/** The name by which processes recognize each other in the database. */
const CONNECTION_NAME = 'parley-web'
/** Milliseconds that a member may wait for their rights after the waiting period. */
const FULL_MEMBERS_PERIOD_MS = 60_000

/** The parts that a node is built from. */
export interface NodeOptions {
  readonly config: Config & { readonly databaseUrl: string }
  readonly logger: Logger
  readonly clock?: Clock
  readonly observe?: AdmitContext['observe']
  readonly passwords?: Passwords
  /** A change of it announces a new server to clients. */
  readonly release?: string
  /** Metrics of other parts of the process, for `/metrics`. */
  readonly moreMetrics?: readonly Metric[]
  /** The database lost entries that this process holds: the process must restart. The node ends open waits first. */
  readonly onLost?: (reason: string) => void
}

/** A running web node. */
export interface WebNode {
  readonly port: number
  readonly url: string
  readonly services: Services
  /** Stops accepting requests, ends open polls, and closes everything. */
  close(): Promise<void>
}

/** Extra connections for pages of channels: each page takes less than a millisecond of one. */
const PAGE_CONNECTIONS = 2
/** Connections for all searches together: other work goes first. */
const SEARCH_CONNECTIONS = 2

/** Builds a node; resolves once it listens. */
export async function startNode({
  config,
  logger,
  clock: givenClock,
  observe,
  passwords = new Passwords(),
  release = `${COMPATIBLE_VERSION} (${FEATURE_LEVEL})`,
  moreMetrics = [],
  onLost = () => {},
}: NodeOptions): Promise<WebNode> {
  const closers: (() => unknown)[] = []
  const closeAll = async () => {
    const failures: unknown[] = []
    for (const close of closers.splice(0).reverse()) {
      try {
        await close()
      } catch (error) {
        failures.push(error) // The others must still close.
      }
    }
    if (failures.length > 0) throw failures[0]
  }
  try {
    return await build()
  } catch (error) {
    await closeAll().catch((failure: unknown) => logger.error({ err: failure }, 'closing failed'))
    throw error
  }

  async function build(): Promise<WebNode> {
    const onError = reportFailures(logger, 'background work failed')
    const traces = config.traces && openTraces(config.traces, onError)
    closers.push(() => traces?.close())
    const tracer = traces?.tracer
    const isFollowing = tracer !== undefined || logger.isLevelEnabled('debug')
    const watch = isFollowing ? watchTasks(logger, tracer) : UNWATCHED
    const sql = connect(config.databaseUrl, config.databaseConnections, CONNECTION_NAME, { work: 'requests' })
    closers.push(() => sql.end({ timeout: 5 }))
    const isFirst = await isFirstOfName(sql, CONNECTION_NAME) // Before it opens another connection.
    const clock = givenClock ?? (await openClock(sql, onError, closers))
    const startedAt = nowSeconds(clock)
    const logSql = connectLog(config.databaseUrl)
    closers.push(() => logSql.end({ timeout: 5 }))
    const pageSql = connect(config.databaseUrl, PAGE_CONNECTIONS, 'parley-pages', {
      work: 'pages',
      plansOnce: true,
    })
    closers.push(() => pageSql.end({ timeout: 5 }))
    const searchConnections = Array.from({ length: SEARCH_CONNECTIONS }, () =>
      connect(config.databaseUrl, 1, 'parley-searches', { work: 'searches', plansOnce: true }),
    )
    closers.push(() => Promise.all(searchConnections.map((one) => one.end({ timeout: 5 }))))
    await checkSchema(sql)

    const redis = await openRedis(config, logger, onError, closers)
    const { history, epoch } = await beginEpoch(sql, (message) => logger.warn(message))
    const redisPrefix = `${config.redisPrefix}:${await readLogName(sql)}`
    const broadcast = redis
      ? // Ignore entries of another history, which may have the same numbers.
        createRedisBroadcast(redis.publisher, redis.subscriber, `${redisPrefix}:${epoch}`)
      : createInProcessBroadcast()
    closers.push(() => broadcast.close())

    const state = await loadState(sql)
    state.limitsPresence = config.limitsPresence
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
      clock: givenClock,
      tracer,
      publish: (entries) => broadcast.publish(entries),
    })
    const writer = { committer, clock }
    const readers = new Readers({ sql, reached: (id) => feed.reached(id) })
    const presenceStore = redis
      ? createPresenceStoreInRedis(redis.publisher, redisPrefix)
      : createPresenceStoreInProcess()
    const presences = new Presences({ state, store: presenceStore, committer, clock, onError })
    closers.push(() => presences.stop())
    const origin = randomUUID()
    const queues = new EventQueues({
      sql,
      state,
      clock,
      broadcast,
      origin,
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
    const keeping = await keepUp({
      sql,
      openLookSql: () => connect(config.databaseUrl, 1, LOOK_CONNECTION, { work: 'pages' }),
      feed,
      clock,
      history,
      epoch,
      onError,
      onLost(reason) {
        queues.abandon()
        onLost(reason)
      },
    })
    closers.push(() => keeping.stop())
    await feed.catchUp()
    await answerChecks({ sql, state, process: `${hostname()} ${process.pid}`, feed, onError })

    const seenUsers = new SeenUsersRecorder({ state, committer, clock, onError })
    closers.push(() => seenUsers.stop())
    const seenSessions = new SeenSessionsRecorder({ sql, clock, onError })
    closers.push(() => seenSessions.stop())
    await presences.exchange() // Load presences before the first request.
    await submitForServer(writer, decideLowerBots)
    const updateFullMembers = async () => submitForServer(writer, decideFullMembers)
    const sweep = clock.every(FULL_MEMBERS_PERIOD_MS, () => void updateFullMembers().catch(onError))
    closers.push(() => sweep.stop())
    const endExpired = () => void endExpiredSessions({ ...writer, sql }).catch(onError)
    const expiry = clock.every(SESSION_EXPIRY_PERIOD_MS, endExpired)
    closers.push(() => expiry.stop())
    const renderer = new Renderer(
      config.renderThreads,
      config.renderMsMax,
      config.renderUserMsPerMinute,
      watch,
    )
    closers.push(() => renderer.close())
    const differ = new Differ(config.renderMsMax, watch)
    closers.push(() => differ.close())
    const imager = new Imager(IMAGE_MS_MAX, watch)
    closers.push(() => imager.close())
    const limiter = new RateLimiter(clock, redis?.publisher, redisPrefix)
    closers.push(() => limiter.close())

    const names = createNames(config.hasClientAliases)
    const facts = names.addAliases({
      service_version: COMPATIBLE_VERSION,
      service_merge_base: COMPATIBLE_VERSION,
      service_feature_level: FEATURE_LEVEL,
    }) as Start['facts']
    await announceRestart(sql, writer, { release, facts, startedAt, isFirst })

    const pushTests = new PushTests({
      sql,
      clock,
      waitMsMax: config.pushTestSeconds * 1000,
      onError,
    })
    closers.push(() => pushTests.stop())
    const fileStore = new MeasuredFileStore(await openFileStore(config))
    warnOfFiles(config, fileStore, isFirst, logger)
    const conversations = new Conversations(sql)
    const searches = new Searches(searchConnections)
    let publicUrl = config.publicUrl ?? ''
    let isClosing = false
    const services: Services = {
      sql,
      pageSql,
      state,
      committer,
      queues,
      channels,
      readers,
      conversations,
      searches,
      seenUsers,
      seenSessions,
      presences,
      clock,
      tracer,
      pushTests,
      hasPushRelay: config.pushRelay !== undefined,
      passwords,
      names,
      ...createRendering(renderer),
      differ,
      imager,
      fileStore,
      uploads: {
        mibMax: config.uploadMibMax,
        quotaMib: config.uploadQuotaMib ?? null,
        isRedirected: config.redirectsFiles,
        secret: await readUploadSecret(sql),
      },
      invitationMinutes: config.invitationMinutes,
      calls: config.callProvider && new Calls(sql, clock, config.callProvider),
      get publicUrl() {
        return publicUrl
      },
      pollHoldSeconds: config.pollHoldSeconds,
      hasWebPublicChannels: config.hasWebPublicChannels,
      hasDevelopmentLogins: config.hasDevelopmentLogins,
      onError,
    }
    const door = new Door({
      state,
      seenUsers,
      seenSessions,
      clock,
      limiter,
      limits: config.rateLimits,
      get publicUrl() {
        return publicUrl
      },
    })
    const onBug = (error: unknown, requestId?: string) =>
      logger.error({ err: error, ...(requestId === undefined ? {} : { requestId }) }, 'a request failed')
    const operations = operationsOf(config.hasDevelopmentLogins)
    if (config.hasDevelopmentLogins)
      logger.warn('DEVELOPMENT_LOGINS is on: anyone who reaches this server logs in as anyone')
    if (!canReadPictures())
      logger.warn(
        `avatars, emoji and thumbnails need: npm install --no-save --cpu=wasm32 sharp (${PLATFORM})`,
      )
    const metrics: Metric[] = []
    const http = new HttpServer({
      admission: {
        router: new Router(operations),
        services,
        door,
        onBug,
        onError,
        observe,
      },
      isProxyTrusted: config.isProxyTrusted,
      findPage: createPages({
        operations,
        names: services.names,
        findPicture: (id, variant) => findPicture(sql, id, variant),
        isReady: () => !isClosing && keeping.isServed(),
        mayReadMetrics: (request) => mayReadMetrics(request, config.metricsToken),
        renderMetrics: () => renderMetrics([...metrics, ...moreMetrics], onError),
      }),
      follow: isFollowing ? followRequests(tracer) : undefined,
      onRequest: (record) => logger.debug(record, 'request'),
    })
    const tus = new TusUploads({
      services,
      door,
      publicUrl: config.publicUrl,
      isProxyTrusted: config.isProxyTrusted,
      nextRequestId: () => http.nextRequestId(),
      requests: http.requests,
      onRequest: (record) => logger.debug(record, 'request'),
      onBug,
      onError,
    })
    const streams = {
      sql,
      state,
      queues,
      door,
      isProxyTrusted: config.isProxyTrusted,
      nextRequestId: () => http.nextRequestId(),
      onBug,
      onError,
      opening: new Set(),
    } satisfies StreamContext
    const ofProcess = createProcessMetrics()
    closers.push(() => ofProcess.stop())
    metrics.push(
      ...ofProcess.metrics,
      ...webMetrics({
        clock,
        fileStore,
        conversations,
        searches,
        readers,
        channels,
        feed,
        keeping,
        committer,
        queues,
        limiter,
        door,
        renderer,
        http,
        tus,
        state,
        differ,
        imager,
        pools: { requests: [sql], log: [logSql], pages: [pageSql], searches: searchConnections },
        isRedisUp: redis && (() => redis.publisher.status === 'ready' && redis.subscriber.status === 'ready'),
      }),
    )
    logger.info({ cachesMib: CACHES_MIB }, 'caches are bounded')
    const { transport, reason } = await loadTransport(config.transport)
    logger.info({ transport: transport.name, reason }, 'a transport is chosen')
    const listener = await listen(transport, config.host, config.port, http, streams, tus)
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${listener.port}`
    publicUrl ||= url
    state.emailHost = new URL(publicUrl).hostname
    const overdue = clock.every(1_000, () => {
      const isServed = keeping.isServed()
      http.endOverdue(performance.now(), isServed)
      if (isServed) return
      tus.refuseOverdue()
      refuseOverdue(streams)
    })
    closers.push(() => overdue.stop())

    return {
      port: listener.port,
      url,
      services,
      async close() {
        // Routers notice first; meanwhile requests are served, and each answer closes its connection.
        isClosing = true
        http.beginDrain()
        tus.beginDrain()
        const drainMs = (config.drainSeconds ?? 0) * 1000
        if (drainMs > 0) await wait(drainMs)
        listener.stop() // New connections go to other processes.
        await queues.drain()
        const leftMs = CLOSE_MS_MAX - drainMs
        await Promise.all([http.drained(leftMs), tus.drain(leftMs)])
        await seenUsers.record()
        await seenSessions.record()
        await presences.exchange()
        await committer.drain()
        listener.close()
        await closeAll()
      },
    }
  }
}

/** Warns of a place for files that loses them, is seen by one process only, or does not work. */
function warnOfFiles(config: Config, fileStore: FileStore, isFirst: boolean, logger: Logger): void {
  if (config.objectStore) {
    const warn = (error: unknown) =>
      logger.warn({ err: error }, 'the object store of FILES_URL does not work')
    // It may be away for a while: that is no reason not to start.
    void fileStore.size(createFileKey()).catch(warn)
  } else if (config.isDiskFleeting)
    logger.warn('this host takes its disk away with all uploads: set FILES_URL (DYNO is set)')
  else if (!isFirst)
    logger.warn('another web process runs: uploads need a DATA_DIR that all share, or FILES_URL')
}

async function openClock(sql: Sql, onError: (error: unknown) => void, closers: (() => unknown)[]) {
  const clock = await openDatabaseClock(sql, onError)
  closers.push(() => clock.stop())
  return clock
}

async function openRedis(
  config: Config,
  logger: Logger,
  onError: (error: unknown) => void,
  closers: (() => unknown)[],
) {
  if (config.redisUrl === undefined) return undefined
  const open = async (name: string): Promise<Redis> => {
    const onBack = () => logger.info({ connection: name }, 'Redis is there')
    const redis = await connectRedis(config.redisUrl as string, name, { onError, onBack })
    closers.push(() => redis.disconnect())
    return redis
  }
  return { publisher: await open('parley-publish'), subscriber: await open('parley-listen') }
}

/** Runs each request in a context that log lines and spans read. */
function followRequests(tracer: Tracer | undefined): Follow {
  return (flight, head, serve) => {
    flight.span = tracer?.begin('request', 'server', readTraceParent(head.getHeader('traceparent')))
    following.run({ requestId: flight.requestId, span: flight.span }, () => void serve())
  }
}

/** Logs each task of the pool, and makes a span of it. */
function watchTasks(logger: Logger, tracer: Tracer | undefined): WatchTask {
  return async (task, work) => {
    const startMs = performance.now()
    try {
      return await (tracer ? tracer.within(task, () => work) : work)
    } finally {
      logger.debug({ task, durationMs: performance.now() - startMs }, 'task')
    }
  }
}
