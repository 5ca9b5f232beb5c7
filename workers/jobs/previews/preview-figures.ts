/** Counts of previews. */

import { Histogram } from '../../../server/measures/histogram.ts'
import { byLabel, counter, histogram, type Metric } from '../../../server/measures/metric.ts'

/** The counts of one process. */
export class PreviewFigures {
  /** Addresses by result: fetched, without a preview, or known from the cache. */
  pages = 0
  pictures = 0
  failed = 0
  known = 0
  /** Messages that got previews. */
  attached = 0
  readonly fetchSeconds = new Histogram()

  get metrics(): readonly Metric[] {
    return [
      counter('parley_preview_links_total', 'Links to preview, by result.', () => {
        const { pages, pictures, failed, known } = this
        return byLabel('result', { pages, pictures, failed, known })
      }),
      counter('parley_preview_messages_total', 'Messages that got previews.', () => this.attached),
      histogram(
        'parley_preview_fetch_seconds',
        'Time to fetch a preview, its picture included.',
        () => this.fetchSeconds,
      ),
    ]
  }
}
