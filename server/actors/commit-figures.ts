/** The work of a committer since its start. */

import { Histogram } from '../measures/histogram.ts'

/** Upper bounds of changes in one batch. */
const LENGTHS: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256]

export class CommitFigures {
  /** Committed sends. */
  messages = 0
  /** Committed changes of another kind. */
  others = 0
  /** Changes that were refused because too many waited. */
  refused = 0
  /** Batches that were decided again, since another process had changed the organization. */
  stale = 0
  /** Batches that were decided under the log's lock after several such refusals. */
  locked = 0
  /** Changes in each committed batch. */
  readonly lengths = new Histogram(LENGTHS)
  /** Seconds of each commit: numbers, rows and log in one write. */
  readonly seconds = new Histogram()

  noteCommit(changes: number, isMessages: boolean, startMs: number): void {
    if (isMessages) this.messages += changes
    else this.others += changes
    this.lengths.observe(changes)
    this.seconds.observeSince(startMs)
  }
}
