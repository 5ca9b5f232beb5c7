/** Counts webhooks by integration and result. */

import type { Sample } from '../../measures/metric.ts'

/** The result of a webhook. */
export type WebhookResult =
  | 'posted'
  | 'unsupported'
  | 'filtered'
  | 'unreadable'
  | 'unsigned'
  | 'channel_unknown'
  | 'refused'

/** The webhooks of one process. Names come from the table of integrations. */
export class WebhookFigures {
  readonly #counts = new Map<string, Map<WebhookResult, number>>()

  note(integration: string, result: WebhookResult): void {
    let counts = this.#counts.get(integration)
    if (!counts) this.#counts.set(integration, (counts = new Map()))
    counts.set(result, (counts.get(result) ?? 0) + 1)
  }

  samples(): Sample[] {
    return [...this.#counts].flatMap(([integration, counts]) =>
      [...counts].map(([result, value]) => ({ labels: { integration, result }, value })),
    )
  }
}
