/** Counts of mails that arrive. */

import { byLabel, counter, gauge, type Metric } from '../../../server/measures/metric.ts'

/** The answers at the door, and what became of mails behind it. */
const ANSWERS = ['stored', 'repeated', 'unknown', 'too_large', 'too_many', 'full', 'failed'] as const
const RESULTS = ['posted', 'refused', 'dropped', 'given_up'] as const
export type Answer = (typeof ANSWERS)[number]
export type Result = (typeof RESULTS)[number]

/** The parts of a door that are measured. */
interface MeasuredDoor {
  isOpen(): boolean
  connections(): number
}

/** The measures of a door; a worker without one has none. */
export const doorMetrics = (door: MeasuredDoor): readonly Metric[] => [
  gauge('parley_mail_in_up', 'Whether the door for mails is open.', () => (door.isOpen() ? 1 : 0)),
  gauge('parley_mail_in_connections', 'Open connections of the door for mails.', () => door.connections()),
]

/** The counts of one process. */
export class MailInFigures {
  readonly answers = Object.fromEntries(ANSWERS.map((one) => [one, 0])) as Record<Answer, number>
  readonly results = Object.fromEntries(RESULTS.map((one) => [one, 0])) as Record<Result, number>

  /** `countWaiting` reads the mails that wait, of all processes. */
  metrics(countWaiting: () => Promise<number>): readonly Metric[] {
    return [
      counter('parley_mail_in_answers_total', 'Mails and recipients at the door for mails, by answer.', () =>
        byLabel('answer', this.answers),
      ),
      counter('parley_mail_in_results_total', 'Mails that were taken, by what became of them.', () =>
        byLabel('result', this.results),
      ),
      gauge('parley_mail_in_waiting', 'Mails that were taken and wait to become messages.', countWaiting),
    ]
  }
}
