/** The work of one kind of pool tasks since the start. */

import { Histogram } from '../../server/measures/histogram.ts'

export class TaskFigures {
  /** Tasks that ended by themselves, with a result or a failure of their own. */
  done = 0
  /** Threads that were ended because their task took too long. */
  killed = 0
  /** Tasks that were refused because too many waited. */
  refused = 0
  /** Seconds until a thread took the task. */
  readonly waitSeconds = new Histogram()
  /** Seconds of the thread. */
  readonly runSeconds = new Histogram()
}
