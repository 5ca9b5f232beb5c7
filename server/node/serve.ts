/** Serves clients: by HTTP, resumable uploads and streams, until the node closes. */

import { setTimeout as wait } from 'node:timers/promises'
import { findPicture } from '../../db/files/pictures.ts'
import { DrawnPictures } from '../changes/pictures/drawn-pictures.ts'
import type { AdmitContext } from '../api/admit.ts'
import { Door } from '../api/door.ts'
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
}

/** Listens for clients. */
export async function serve(context: NodeContext, parts: ServedParts): Promise<Serving> {
  const { config, logger, closers, onError } = context
  const { sql, clock, state, keeping, queues, services } = parts
  const drawnPictures = new DrawnPictures(parts.imager, state.pictureSecret)
  let isClosing = false
  const door = new Door({
    state,
    seenUsers: parts.seenUsers,
    seenSessions: parts.seenSessions,
    clock,
    limiter: parts.limiter,
    limits: config.rateLimits,
    refusals: services.refusals,
    hasWebPublicChannels: config.hasWebPublicChannels,
    get publicUrl() {
      return context.publicUrl
    },
  })
  const onBug = (error: unknown, requestId?: string) =>
    logger.error({ err: error, ...(requestId === undefined ? {} : { requestId }) }, 'a request failed')
  const operations = operationsOf(config.hasDevelopmentLogins)
  warnOfLogInsAndPictures(config, logger)
  const metrics: Metric[] = []
  const metricsAccess = {
    token: config.metricsToken,
    isPublic: config.publicUrl !== undefined && !isLocalUrl(config.publicUrl),
  }
  if (metricsAccess.isPublic && metricsAccess.token === undefined)
    logger.info('/metrics is closed: set METRICS_TOKEN to read it (PUBLIC_URL is not of this machine)')
  const onRequest = logger.isLevelEnabled('debug')
    ? (record: RequestRecord) => logger.debug(record, 'request')
    : undefined
  const http = new HttpServer({
    admission: {
      router: new Router(operations),
      services,
      door,
      onBug,
      onError,
      observe: parts.observe,
    },
    isProxyTrusted: config.isProxyTrusted,
    findPage: createPages({
      operations,
      names: services.names,
      findClientFile: loadClient(
        config.redirectsFiles && config.objectStore ? bucketOrigin(config.objectStore) : undefined,
      ),
      findPicture: (id, variant) => findPicture(sql, id, variant),
      findDrawnPicture: (path) => drawnPictures.find(path),
      isReady: () => !isClosing && keeping.isServed() && parts.storeCheck?.mayWork !== false,
      mayReadMetrics: (request) => mayReadMetrics(request, metricsAccess),
      renderMetrics: () => renderMetrics([...metrics, ...parts.moreMetrics], onError),
    }),
    follow: context.isFollowing ? followRequests(context.tracer) : undefined,
    onRequest,
  })
  const tus = new TusUploads({
    services,
    door,
    publicUrl: config.publicUrl,
    isProxyTrusted: config.isProxyTrusted,
    nextRequestId: () => http.nextRequestId(),
    requests: http.requests,
    onRequest,
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
    ...webMetrics({ ...measuredConnections(parts), ...parts, door, http, tus, drawnPictures }),
  )
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
  state.emailHost = new URL(context.publicUrl).hostname
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
      await parts.seenUsers.record()
      await parts.seenSessions.record()
      await parts.presences.exchange()
      await parts.committer.drain()
      listener.close()
      await closers.closeAll()
    },
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
