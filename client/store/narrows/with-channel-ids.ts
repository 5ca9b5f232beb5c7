/** Narrows of old links, which name a channel instead of its id. */

import type { State } from '../apply.ts'
import { channelsById } from '../derived/channels.ts'
import type { Narrow } from './narrow.ts'

/** The narrow with the ids of its channels; the same object if it has them, or if the user sees no such channel. */
export function withChannelIds(narrow: Narrow, state: State): Narrow {
  const found = narrow.map((term) => {
    if (term.operator !== 'channel' || typeof term.operand === 'number') return term
    const name = term.operand.toLowerCase()
    for (const [id, { channel }] of channelsById(state))
      if (channel.name.toLowerCase() === name) return { ...term, operand: id }
    return term
  })
  return found.every((term, index) => term === narrow[index]) ? narrow : found
}
