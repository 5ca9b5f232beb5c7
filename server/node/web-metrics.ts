/** The metrics of a web process; `docs/metrics.md` explains each, and when to worry. */

import type { Sql } from '../../db/connection/connect.ts'
import { poolsMetrics } from '../../db/connection/pool-metrics.ts'
import { readNextDue } from '../../db/messages/scheduled-messages.ts'
import type { Differ } from '../../workers/pool/differ.ts'
import type { Imager } from '../../workers/pool/imager.ts'
import type { Renderer } from '../../workers/pool/renderer.ts'
import type { Channels } from '../actors/channel.ts'
import type { Committer } from '../actors/committer.ts'
import type { Conversations } from '../actors/conversation.ts'
import type { EventQueues } from '../actors/event-queues.ts'
import type { Readers } from '../actors/readers.ts'
import { noReads } from '../actors/replica.ts'
import type { Searches } from '../actors/searches.ts'
import { credentialsBytes } from '../api/door/authenticate.ts'
import type { Door } from '../api/door/door.ts'
import type { RateLimiter } from '../api/door/rate-limit.ts'
import type { Services } from '../api/services.ts'
import type { DrawnPictures } from '../changes/pictures/drawn-pictures.ts'
import { CACHES } from './cache-bounds.ts'
import type { Clock } from '../domain/clock.ts'
import type { MeasuredFileStore } from '../files/measured-file-store.ts'
import { filesUpMetric, type StoreCheck } from '../files/store-check.ts'
import type { Feed } from '../log/feed.ts'
import type { LogTail } from '../log/tail-log.ts'
import { byLabel, counter, gauge, histogram, type Metric } from '../measures/metric.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { runsOf } from '../views/cached-runs.ts'
import { topicLinksBytes } from '../views/topic-links-view.ts'
import type { HttpServer } from '../wire/http.ts'
import type { TusUploads } from '../wire/tus.ts'

/** The parts that are measured. */
export interface MeasuredParts {
  readonly clock: Clock
  readonly state: OrganizationState
  readonly feed: Feed
  readonly logTail: LogTail
  readonly committer: Committer
  readonly queues: EventQueues
  readonly channels: Channels
  readonly drawnPictures: Pick<DrawnPictures, 'bytes'>
  readonly conversations: Conversations
  readonly readers: Readers
  readonly searches: Searches
  readonly limiter: RateLimiter
  readonly door: Door
  readonly renderer: Renderer
  readonly differ: Differ
  readonly imager: Imager
  readonly fileStore: MeasuredFileStore
  readonly storeCheck: StoreCheck | undefined
  readonly http: HttpServer
  readonly services: Pick<Services, 'webhookFigures' | 'replica'>
  readonly tus: TusUploads
  /** Pools of connections by their work; the searches have several. */
  readonly pools: Readonly<Record<string, readonly Sql[]>>
  /** Whether Redis answers, or undefined if there is none. */
  readonly isRedisUp: (() => boolean) | undefined
}

/** All metrics of the parts. */
export function webMetrics(parts: MeasuredParts): readonly Metric[] {
  return [
    ...requestMetrics(parts),
    ...changeMetrics(parts),
    ...deliveryMetrics(parts),
    ...logMetrics(parts),
    ...databaseMetrics(parts.pools, () => parts.logTail.isServed()),
    ...poolMetrics(parts),
    ...fileMetrics(parts),
    ...jobMetrics(parts),
    ...cacheMetrics(parts),
  ]
}

function requestMetrics({
  http,
  tus,
  door,
  services,
  committer,
  searches,
  ...pool
}: MeasuredParts): Metric[] {
  return [
    counter('parley_requests_total', 'Answered requests, by operation and class of status.', () =>
      http.requests.counts(),
    ),
    histogram(
      'parley_request_seconds',
      'Time of requests, by operation; a poll takes as long as it waits.',
      () => http.requests.durations(),
    ),
    gauge(
      'parley_requests_in_progress',
      'Requests that are not answered yet, waiting polls included.',
      () => {
        return http.figures.inProgress
      },
    ),
    counter(
      'parley_webhooks_total',
      'Webhooks of other systems, by integration and result; those that the door refused are not among them.',
      () => services.webhookFigures.samples(),
    ),
    counter('parley_refusals_total', 'Requests that a limit refused, by the limit.', () => {
      const { uploads, largeBodies } = http.figures
      return byLabel('limit', {
        ...door.refused,
        render_minute: pool.renderer.overBudget,
        render_queue: pool.renderer.figures.refused,
        diff_queue: pool.differ.figures.refused,
        image_queue: pool.imager.figures.refused,
        search_queue: searches.figures.refused,
        change_queue: committer.figures.refused,
        upload_places: uploads.refused + tus.bodies.refused,
        large_bodies: largeBodies.refused,
      })
    }),
  ]
}

function changeMetrics({ committer }: MeasuredParts): Metric[] {
  const { figures } = committer
  return [
    counter('parley_changes_total', 'Committed changes: messages, and all others.', () =>
      byLabel('kind', { message: figures.messages, other: figures.others }),
    ),
    gauge('parley_changes_waiting', 'Changes that wait for the commit in progress.', () => {
      return committer.waitingCount
    }),
    histogram('parley_commit_batch_changes', 'Changes in one committed batch.', () => figures.lengths),
    histogram('parley_commit_seconds', 'Time of a commit in the database.', () => figures.seconds),
    counter(
      'parley_commit_retries_total',
      'Batches that were decided again: because they were stale, and at last under the lock of the log.',
      () => byLabel('kind', { stale: figures.stale, locked: figures.locked }),
    ),
  ]
}

function deliveryMetrics({ queues }: MeasuredParts): Metric[] {
  const { fanOutFigures } = queues
  return [
    counter('parley_deliveries_total', 'Replies and frames with events that were written to clients.', () => {
      return fanOutFigures.deliveries
    }),
    counter(
      'parley_events_total',
      'Log entries that were looked at for delivery.',
      () => fanOutFigures.entries,
    ),
    histogram(
      'parley_fan_out_delay_seconds',
      'Time from the commit or arrival of the oldest event of a batch until all of it is written to its clients.',
      () => fanOutFigures.delaySeconds,
    ),
    gauge('parley_queues', 'Event queues that this process has in memory.', () => queues.size),
    gauge('parley_clients_waiting', 'Clients that wait for events: by long poll, and by stream.', () => {
      const { polls, streams } = queues.countWaiting()
      return byLabel('by', { poll: polls, stream: streams })
    }),
  ]
}

function logMetrics({ feed, logTail, isRedisUp }: MeasuredParts): Metric[] {
  return [
    gauge('parley_log_position', 'The number of the last log entry that this process has applied.', () => {
      return feed.appliedId
    }),
    gauge(
      'parley_log_lag_entries',
      'Entries by which this process was behind the log at the last check.',
      () => Math.max(0, logTail.lastSeenId() - feed.appliedId),
    ),
    counter('parley_log_gaps_total', 'Gaps in the broadcast.', () => feed.figures.gaps),
    counter(
      'parley_log_catch_ups_total',
      'Reads of the log to catch up with it.',
      () => feed.figures.catchUps,
    ),
    counter(
      'parley_log_caught_up_entries_total',
      'Entries that came by such reads.',
      () => feed.figures.caughtUp,
    ),
    gauge('parley_redis_up', 'Whether Redis is connected; absent without REDIS_URL.', () => {
      return isRedisUp && Number(isRedisUp())
    }),
  ]
}

/** The metrics of pools of database connections. */
function databaseMetrics(pools: MeasuredParts['pools'], isUp: () => boolean): Metric[] {
  return [
    gauge('parley_database_up', 'Whether the database answered the last check, twice a second.', () => {
      return Number(isUp())
    }),
    ...poolsMetrics(pools),
  ]
}

function poolMetrics({ renderer, differ, imager, searches, services: { replica } }: MeasuredParts): Metric[] {
  const tasks = { render: renderer, diff: differ, image: imager }
  const of = <Value>(read: (task: typeof renderer | typeof differ | typeof imager) => Value) => ({
    render: read(tasks.render),
    diff: read(tasks.diff),
    image: read(tasks.image),
  })
  return [
    gauge('parley_tasks_waiting', 'Tasks that wait for a thread: rendering, differences, pictures.', () =>
      byLabel(
        'task',
        of(({ waitingCount }) => waitingCount),
      ),
    ),
    counter('parley_tasks_total', 'Tasks that a thread finished.', () =>
      byLabel(
        'task',
        of(({ figures }) => figures.done),
      ),
    ),
    counter('parley_tasks_killed_total', 'Tasks whose thread was ended because they took too long.', () =>
      byLabel(
        'task',
        of(({ figures }) => figures.killed),
      ),
    ),
    histogram('parley_task_wait_seconds', 'Time until a thread took a task.', () =>
      byLabel(
        'task',
        of(({ figures }) => figures.waitSeconds),
      ),
    ),
    histogram('parley_task_run_seconds', 'Time of a thread for a task.', () =>
      byLabel(
        'task',
        of(({ figures }) => figures.runSeconds),
      ),
    ),
    counter('parley_renders_in_place_total', 'Short texts that were rendered without a thread.', () => {
      return renderer.inPlace
    }),
    gauge('parley_searches', 'Searches: waiting for their turn, and running.', () => {
      const { waiting, running } = searches.figures
      return byLabel('state', { waiting, running })
    }),
    histogram('parley_search_wait_seconds', 'Time until a search had its turn.', () => {
      return searches.figures.waitSeconds
    }),
    histogram('parley_search_run_seconds', 'Time of a search.', () => searches.figures.runSeconds),
    counter(
      'parley_replica_reads_total',
      'Reads for the standby of DATABASE_REPLICA_URL: answered by it, or by the primary for a reason.',
      () => byLabel('result', replica?.results ?? noReads()),
    ),
  ]
}

function fileMetrics({ fileStore: { figures }, storeCheck, http, tus }: MeasuredParts): Metric[] {
  const places = () => ({
    form: http.figures.uploads,
    tus: tus.bodies,
    picture: http.figures.largeBodies,
  })
  const ofPlaces = (key: 'taken' | 'max') => () => {
    const { form, tus: resumable, picture } = places()
    return byLabel('by', {
      form: form.places[key],
      tus: resumable.places[key],
      picture: picture.places[key],
    })
  }
  return [
    gauge('parley_upload_places_taken', 'Uploads in progress, by their way.', ofPlaces('taken')),
    gauge('parley_upload_places_max', 'Uploads that may be in progress, by their way.', ofPlaces('max')),
    counter('parley_upload_places_lost_total', 'Slow uploads that lost their place to another.', () => {
      const { form, tus: resumable, picture } = places()
      return form.lost + resumable.lost + picture.lost
    }),
    counter(
      'parley_file_bytes_written_total',
      'Bytes of files that were stored.',
      () => figures.writtenBytes,
    ),
    counter('parley_file_bytes_sent_total', 'Bytes of files that clients read.', () => {
      return http.requests.fileBytesSent
    }),
    filesUpMetric(storeCheck),
    counter('parley_file_failures_total', 'Failures of the store of files.', () => figures.failures),
    histogram(
      'parley_file_write_seconds',
      'Time to store one chunk of a file, without the wait for its client.',
      () => {
        return figures.writeSeconds
      },
    ),
    histogram('parley_file_sync_seconds', 'Time from the last chunk of a file until all is durable.', () => {
      return figures.syncSeconds
    }),
    histogram('parley_file_open_seconds', 'Time to open a file for reading.', () => figures.openSeconds),
  ]
}

/** A web process sees whether the worker does its work, also if there is none. */
function jobMetrics({ pools, clock, logTail }: MeasuredParts): Metric[] {
  return [
    gauge(
      'parley_scheduled_overdue_seconds',
      'How long the oldest scheduled message has been due; absent without the database.',
      async () => {
        const [sql] = pools['requests'] ?? []
        if (!sql || !logTail.isServed()) return undefined
        const dueSeconds = await readNextDue(sql)
        return dueSeconds === undefined ? 0 : Math.max(0, clock.nowMs() / 1000 - dueSeconds)
      },
    ),
  ]
}

function cacheMetrics(parts: MeasuredParts): Metric[] {
  const { state, queues, channels, conversations, readers, limiter, tus, http, drawnPictures } = parts
  const heldBytes = (): Record<keyof typeof CACHES, number> => ({
    ...queues.bytes,
    channels: channels.bytes,
    lists: runsOf(state).bytes,
    readers: readers.bytes,
    rateCounts: limiter.bytes,
    conversations: conversations.bytes,
    credentials: credentialsBytes(state),
    topicLinks: topicLinksBytes(state),
    drawnPictures: drawnPictures.bytes,
    uploads: tus.bytes,
    queries: http.figures.queriesBytes,
    paths: http.figures.pathsBytes,
  })
  return [
    gauge('parley_cache_bytes', 'Memory that a cache takes, about.', () => byLabel('cache', heldBytes())),
    gauge('parley_cache_bytes_max', 'Memory that a cache may take.', () => byLabel('cache', CACHES)),
  ]
}
