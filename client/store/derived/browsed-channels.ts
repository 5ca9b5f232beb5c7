/** The channels that people browse: by kind, and by words of their names and descriptions. */

import type { State } from '../apply.ts'
import { channelsById, type SeenChannel } from './channels.ts'

export type ChannelKind = 'all' | 'own' | 'archived'

/** Channels by name; those whose name has the words come before those whose description has them. */
export function browseChannels(
  state: State,
  { kind, text }: { readonly kind: ChannelKind; readonly text: string },
): readonly SeenChannel[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const has = (where: string) => {
    const lower = where.toLocaleLowerCase()
    return words.every((word) => lower.includes(word))
  }
  return [...channelsById(state).values()]
    .filter(({ channel, subscription }) => {
      if (channel.is_archived !== (kind === 'archived')) return false
      if (kind === 'own' && !subscription) return false
      return has(`${channel.name} ${channel.description}`)
    })
    .sort(
      (a, b) =>
        Number(has(b.channel.name)) - Number(has(a.channel.name)) ||
        a.channel.name.localeCompare(b.channel.name),
    )
}
