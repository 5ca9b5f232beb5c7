/** Counts of mails about messages. */

import { Histogram } from '../../../server/measures/histogram.ts'
import { byLabel, counter, histogram, type Metric } from '../../../server/measures/metric.ts'

/** The counts of one process. */
export class NotificationFigures {
  sent = 0
  failed = 0
  /** Messages that were read, deleted, hidden or muted before their mail was due. */
  skipped = 0
  /** From the time at which a mail was gathered until the mail server has it. */
  readonly lagSeconds = new Histogram()

  get metrics(): readonly Metric[] {
    return [
      counter('parley_message_mails_total', 'Mails about messages, by result.', () =>
        byLabel('result', { sent: this.sent, failed: this.failed }),
      ),
      counter(
        'parley_message_mails_skipped_total',
        'Messages that were due for a mail and were read, deleted or no longer wanted.',
        () => this.skipped,
      ),
      histogram(
        'parley_message_mail_lag_seconds',
        'Time from gathering a mail about messages until the mail server has it.',
        () => this.lagSeconds,
      ),
    ]
  }
}
