/** Follows requests and tasks by their id, in lines of the log and in spans. */

import type { WatchTask } from '../../workers/pool/watch-task.ts'
import type { Logger } from '../logger.ts'
import { following } from '../measures/following.ts'
import { readTraceParent, type Tracer } from '../measures/tracer.ts'
import type { Follow } from '../wire/http.ts'

/** Runs each request in a context that log lines and spans read. */
export function followRequests(tracer: Tracer | undefined): Follow {
  return (flight, head, serve) => {
    flight.span = tracer?.begin('request', 'server', readTraceParent(head.getHeader('traceparent')))
    following.run({ requestId: flight.requestId, span: flight.span }, () => void serve())
  }
}

/** Logs each task of the pool, and makes a span of it. */
export function watchTasks(logger: Logger, tracer: Tracer | undefined): WatchTask {
  return async (task, work) => {
    const startMs = performance.now()
    try {
      return await (tracer ? tracer.within(task, () => work) : work)
    } finally {
      logger.debug({ task, durationMs: performance.now() - startMs }, 'task')
    }
  }
}
