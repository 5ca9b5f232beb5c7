/** Serves clients: by HTTP, resumable uploads and streams, until the node closes. */

import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { findPicture } from '../../db/files/pictures.ts'
import { DrawnPictures } from '../changes/pictures/drawn-pictures.ts'
import type { AdmitContext } from '../api/admit.ts'
import { Door } from '../api/door/door.ts'
import { Router } from '../api/router.ts'
import { operationsOf } from '../api/table.ts'
import { bucketOrigin } from '../domain/settings/store-address.ts'
import { isLocalUrl, mayReadMetrics } from '../measures/may-read-metrics.ts'
import { type Metric, renderMetrics } from '../measures/metric.ts'
import { createProcessMetrics } from '../measures/process-metrics.ts'
import { loadClient } from '../wire/client-files.ts'
import { refuseOverdue } from '../wire/event-source.ts'
import type { RequestRecord } from '../wire/answers.ts'
import { HttpServer } from '../wire/http.ts'
import { listen } from '../wire/listen.ts'
import type { Listener } from '../wire/transport/transport.ts'
import { chosenLanguage } from '../wire/page-texts.ts'
import { createPages } from '../wire/pages.ts'
import type { StreamContext } from '../wire/stream-request.ts'
import { loadTransport } from '../wire/transport/load-transport.ts'
import { TusUploads } from '../wire/tus.ts'
import { CACHES_MIB } from './cache-bounds.ts'
import { followRequests } from './follow.ts'
import type { NodeContext } from './node-context.ts'
import type { Foundations, NodeServices } from './services.ts'
import { warnOfLogInsAndPictures } from './start-warnings.ts'
import { webMetrics } from './web-metrics.ts'

/** Milliseconds for closing and for open requests; hosts give 30 s between SIGTERM and SIGKILL. */
const CLOSE_MS_MAX = 22_000

/** The parts that serve clients. */
export interface ServedParts extends Foundations, NodeServices {
  readonly observe: AdmitContext['observe']
  /** Metrics of other parts of the process, for `/metrics`. */
  readonly moreMetrics: readonly Metric[]
}

/** A node that listens. */
export interface Serving {
  readonly port: number
  readonly url: string
  /** Stops accepting requests, ends open polls, and closes everything. */
  close(): Promise<void>
  /**
   * Closes everything at once, since its state belongs to another history than the database. Requests in progress get
   * `DATABASE_UNAVAILABLE`; nothing more is written.
   */
  abandon(): Promise<void>
}

/** Listens for clients. */
export async function serve(context: NodeContext, parts: ServedParts): Promise<Serving> {
  const { config, logger, closers } = context
  const readiness = { isClosing: false }
  const carriers = createCarriers(context, parts, readiness)
  const { http, tus, streams } = carriers
  warnOfLogInsAndPictures(config, logger)
  logger.info({ cachesMib: CACHES_MIB }, 'caches are bounded')
  const { transport, reason } = await loadTransport(config.transport)
  logger.info({ transport: transport.name, reason }, 'a transport is chosen')
  const { host, port } = config
  const onNoRoom = (figures: { readonly connections: number; readonly limit: number }) =>
    logger.error(
      figures,
      'the limit of open files leaves no room: new connections get 503; raise it (ulimit -n, LimitNOFILE)',
    )
  const listener = await listen(transport, { host, port }, { http, streams, tus, onNoRoom })
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}`
  context.publicUrl ||= url
  parts.state.emailHost = new URL(context.publicUrl).hostname
  const overdue = parts.clock.every(1_000, () => {
    const isServed = parts.logTail.isServed()
    http.endOverdue(performance.now(), isServed)
    if (isServed) return
    tus.refuseOverdue()
    refuseOverdue(streams)
  })
  closers.push(() => overdue.stop())
  const close = async () => {
    // Routers notice first; meanwhile requests are served, and each answer closes its connection.
    readiness.isClosing = true
    await drain(context, parts, carriers, listener)
    listener.close()
    await closers.closeAll()
  }
  const abandon = async () => {
    readiness.isClosing = true
    refuseAll(carriers)
    const closed = parts.logSql.end({ timeout: 0 }) // First, so that nothing is decided on the earlier state.
    listener.stop()
    await nextTurn() // The answers are on their way.
    listener.close()
    await closed
    await closers.closeAll(0)
  }
  return { port: listener.port, url, close, abandon }
}

/** Refuses all that is in progress; polls and streams of queues were ended before. */
function refuseAll({ http, tus, streams }: Carriers): void {
  http.beginDrain()
  http.endAll()
  tus.refuseOverdue(0)
  refuseOverdue(streams, 0)
}

/** Finishes what has begun, and takes nothing new. */
async function drain(
  { config }: NodeContext,
  parts: ServedParts,
  { http, tus }: Carriers,
  listener: Pick<Listener, 'stop'>,
): Promise<void> {
  http.beginDrain()
  tus.beginDrain()
  const drainMs = (config.drainSeconds ?? 0) * 1000
  if (drainMs > 0) await wait(drainMs)
  listener.stop() // New connections go to other processes.
  await parts.queues.drain()
  const leftMs = CLOSE_MS_MAX - drainMs
  await Promise.all([http.drained(leftMs), tus.drain(leftMs)])
  await parts.seenUsers.record()
  await parts.seenSessions.record()
  await parts.seenKeys.record()
  await parts.presences.exchange()
  await parts.committer.drain()
}

/** The ways in which clients talk to the server. */
interface Carriers {
  readonly http: HttpServer
  readonly tus: TusUploads
  readonly streams: StreamContext
}

function createCarriers(
  context: NodeContext,
  parts: ServedParts,
  readiness: { readonly isClosing: boolean },
): Carriers {
  const { config, logger, closers, onError } = context
  const { sql, state, queues, services } = parts
  const drawnPictures = new DrawnPictures(parts.imager, state.pictureSecret)
  const door = createDoor(context, parts)
  const onBug = (error: unknown, requestId?: string) =>
    logger.error({ err: error, ...(requestId === undefined ? {} : { requestId }) }, 'a request failed')
  const accessLevel = config.hasAccessLog ? 'info' : 'debug'
  const onRequest = logger.isLevelEnabled(accessLevel)
    ? (record: RequestRecord) => logger[accessLevel](record, 'request')
    : undefined
  const operations = operationsOf(config.hasDevelopmentLogins)
  const metrics: Metric[] = []
  const http = new HttpServer({
    admission: { router: new Router(operations), services, door, onBug, onError, observe: parts.observe },
    isProxyTrusted: config.isProxyTrusted,
    findPage: createPages({
      ...describeHealth(context, parts, readiness, metrics),
      operations,
      names: services.names,
      findClientFile: loadClient(
        config.redirectsFiles && config.objectStore ? bucketOrigin(config.objectStore) : undefined,
        () => chosenLanguage(state),
      ),
      findPicture: (id, variant) => findPicture(sql, id, variant),
      findDrawnPicture: (path) => drawnPictures.find(path),
    }),
    follow: context.isFollowing ? followRequests(context.tracer) : undefined,
    onRequest,
  })
  const shared = {
    door,
    isProxyTrusted: config.isProxyTrusted,
    nextRequestId: () => http.nextRequestId(),
    onBug,
    onError,
  }
  const { publicUrl } = config
  const tus = new TusUploads({ ...shared, services, publicUrl, requests: http.requests, onRequest })
  const ofProcess = createProcessMetrics()
  closers.push(() => ofProcess.stop())
  metrics.push(
    ...ofProcess.metrics,
    ...webMetrics({ ...measuredConnections(parts), ...parts, door, http, tus, drawnPictures }),
    ...parts.moreMetrics,
  )
  return { http, tus, streams: { ...shared, sql, state, queues, opening: new Set() } }
}

function createDoor(context: NodeContext, parts: ServedParts): Door {
  const { seenUsers, seenSessions, seenKeys, clock, limiter, state, services } = parts
  const { rateLimits: limits, hasWebPublicChannels } = context.config
  return new Door({
    state,
    seenUsers,
    seenSessions,
    seenKeys,
    clock,
    limiter,
    limits,
    refusals: services.refusals,
    hasWebPublicChannels,
    get publicUrl() {
      return context.publicUrl // Without PUBLIC_URL it is known once the server listens.
    },
  })
}

/** The answers of `/health` and `/metrics`. */
function describeHealth(
  { config, logger, onError }: NodeContext,
  { logTail, storeCheck }: ServedParts,
  readiness: { readonly isClosing: boolean },
  metrics: readonly Metric[],
) {
  const access = {
    token: config.metricsToken,
    isPublic: config.publicUrl !== undefined && !isLocalUrl(config.publicUrl),
  }
  if (access.isPublic && access.token === undefined)
    logger.info('/metrics is closed: set METRICS_TOKEN to read it (PUBLIC_URL is not of this machine)')
  return {
    isReady: () => !readiness.isClosing && logTail.isServed() && storeCheck?.mayWork !== false,
    mayReadMetrics: (request: Parameters<typeof mayReadMetrics>[0]) => mayReadMetrics(request, access),
    renderMetrics: () => renderMetrics(metrics, onError),
  }
}

/** The connections, as they are measured. */
function measuredConnections(parts: ServedParts) {
  const { sql, logSql, pageSql, unreadSql, searchConnections, redis } = parts
  return {
    pools: {
      requests: [sql],
      log: [logSql],
      pages: [pageSql],
      unread: [unreadSql],
      searches: searchConnections,
    },
    isRedisUp: redis && (() => redis.publisher.status === 'ready' && redis.subscriber.status === 'ready'),
  }
}
