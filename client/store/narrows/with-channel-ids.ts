/** Narrows of old links, which name a channel instead of its id. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { State } from '../apply.ts'
import { channelsById } from '../derived/channels.ts'
import type { Narrow } from './narrow.ts'

/** The narrow with the ids of its channels; the same object if it has them, or if the user sees no such channel. */
export function withChannelIds(narrow: Narrow, state: State): Narrow {
  const found = narrow.map((term) => {
    if (term.operator !== 'channel' || typeof term.operand === 'number') return term
    const name = foldCase(term.operand)
    for (const [id, { channel }] of channelsById(state))
      if (foldCase(channel.name) === name) return { ...term, operand: id }
    return term
  })
  return found.every((term, index) => term === narrow[index]) ? narrow : found
}
