/** The surroundings of all parts of a node: its settings, its log, its traces, and the list of parts to close. */

import { UNWATCHED, type WatchTask } from '../../workers/pool/watch-task.ts'
import type { Config } from '../config.ts'
import { reportFailures } from '../log/report-failures.ts'
import type { Logger } from '../logger.ts'
import { openTraces } from '../measures/open-traces.ts'
import type { Tracer } from '../measures/tracer.ts'
import type { Closers } from './closers.ts'
import { watchTasks } from './follow.ts'

/** The settings of a node; it needs a database. */
export type NodeConfig = Config & { readonly databaseUrl: string }

/** The surroundings of a node's parts. */
export interface NodeContext {
  readonly config: NodeConfig
  readonly logger: Logger
  readonly closers: Closers
  /** Undefined if no spans are exported. */
  readonly tracer: Tracer | undefined
  /** Whether requests and tasks are followed by their id. */
  readonly isFollowing: boolean
  readonly watch: WatchTask
  /** Without `PUBLIC_URL` it is empty until the node listens. */
  publicUrl: string
  /** Reports failures of background work. */
  readonly onError: (error: unknown, requestId?: string) => void
}

/** Opens the surroundings of a node. */
export function openContext({
  config,
  logger,
  closers,
}: Pick<NodeContext, 'config' | 'logger' | 'closers'>): NodeContext {
  const onError = reportFailures(logger, 'background work failed')
  const traces = config.traces && openTraces(config.traces, onError)
  closers.push(() => traces?.close())
  const tracer = traces?.tracer
  const isFollowing = tracer !== undefined || logger.isLevelEnabled('debug')
  const watch = isFollowing ? watchTasks(logger, tracer) : UNWATCHED
  return { config, logger, closers, tracer, isFollowing, watch, publicUrl: config.publicUrl ?? '', onError }
}
