/** Counts of calls of outgoing webhooks. */

import { Histogram } from '../../../server/measures/histogram.ts'
import { byLabel, counter, histogram, type Metric } from '../../../server/measures/metric.ts'

/** The counts of one process. */
export class WebhookFigures {
  /** Calls whose answer was posted, and calls without one. */
  answered = 0
  silent = 0
  /** Calls that will be made again, and those that were given up. */
  retried = 0
  failed = 0
  /** Calls that were not made: the bot or the message is gone. */
  skipped = 0
  readonly callSeconds = new Histogram()

  get metrics(): readonly Metric[] {
    return [
      counter('parley_webhook_calls_total', 'Calls of outgoing webhooks, by result.', () => {
        const { answered, silent, retried, failed, skipped } = this
        return byLabel('result', { answered, silent, retried, failed, skipped })
      }),
      histogram(
        'parley_webhook_call_seconds',
        'Time of a call of an outgoing webhook.',
        () => this.callSeconds,
      ),
    ]
  }
}
