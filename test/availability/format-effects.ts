/** The effects of outages as lines of a table. */

import { type Effect, isGood } from './watch-outages.ts'

const HEADS = ['Killed', 'Seconds without writes', 'Acknowledged', 'Lost', 'Doubled', 'Clients', '']

/** A Markdown table with a line for each outage. */
export function formatEffects(effects: readonly Effect[]): string {
  const rows = effects.map((effect) => [
    effect.name,
    (effect.silenceMs / 1_000).toFixed(1),
    String(effect.acknowledged),
    String(effect.lost),
    String(effect.doubled),
    effect.areBack ? 'came back' : 'did not come back',
    isGood(effect) ? 'ok' : 'WRONG',
  ])
  return [HEADS, HEADS.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
