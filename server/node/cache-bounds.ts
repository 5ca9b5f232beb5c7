/** The caches of a web process, with the bytes that each may take; `docs/memory.md` describes them. */

import { CHANNELS_BYTES_MAX } from '../actors/channel.ts'
import { CONVERSATIONS_BYTES_MAX } from '../actors/conversation.ts'
import { READERS_BYTES_MAX } from '../actors/readers.ts'
import { QUEUE_OPTIONS_BYTES_MAX } from '../actors/session-registry.ts'
import { TIMELINE_BYTES_MAX } from '../actors/timeline.ts'
import { CREDENTIALS_BYTES_MAX } from '../api/door/authenticate.ts'
import { QUERIES_BYTES_MAX } from '../api/cached-queries.ts'
import { PATHS_BYTES_MAX } from '../api/router.ts'
import { RATE_COUNTS_BYTES_MAX } from '../api/door/rate-limit.ts'
import { DRAWN_PICTURES_BYTES_MAX } from '../changes/pictures/drawn-pictures.ts'
import { JOINED_BYTES_MAX } from '../views/cached-runs.ts'
import { TOPIC_LINKS_BYTES_MAX } from '../views/topic-links-view.ts'
import { UPLOADS_BYTES_MAX } from '../wire/tus/synced-sizes.ts'

const BYTES_PER_MIB = 1024 * 1024

/** The bound of each cache in bytes by name. */
export const CACHES = {
  timeline: TIMELINE_BYTES_MAX,
  channels: CHANNELS_BYTES_MAX,
  lists: JOINED_BYTES_MAX,
  readers: READERS_BYTES_MAX,
  rateCounts: RATE_COUNTS_BYTES_MAX,
  conversations: CONVERSATIONS_BYTES_MAX,
  queueOptions: QUEUE_OPTIONS_BYTES_MAX,
  credentials: CREDENTIALS_BYTES_MAX,
  topicLinks: TOPIC_LINKS_BYTES_MAX,
  drawnPictures: DRAWN_PICTURES_BYTES_MAX,
  uploads: UPLOADS_BYTES_MAX,
  queries: QUERIES_BYTES_MAX,
  paths: PATHS_BYTES_MAX,
} as const

/** The bound of each cache in MiB by name, for the log line at the start. */
export const CACHES_MIB: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(CACHES).map(([name, bytes]) => [name, Math.ceil(bytes / BYTES_PER_MIB)]),
)
