/** The default channels of a bot. They are for clients; the server does not use them. */

import type { BotSetup } from '../../domain/users/bots.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { Scope } from '../scope.ts'

/** Channels by their names. Undefined stays; an empty name removes the channel. */
export interface DefaultChannelNames {
  readonly sendingChannel: string | undefined
  readonly eventsChannel: string | undefined
  readonly hearsPublicChannels: boolean | undefined
}

/** The fields of a setup that are set. Throws if the caller does not know a channel of the name. */
export function findDefaultChannels(
  { state, caller, fail }: Pick<Scope<'CHANNEL_NAME_UNKNOWN'>, 'state' | 'caller' | 'fail'>,
  { sendingChannel, eventsChannel, hearsPublicChannels }: DefaultChannelNames,
): Partial<BotSetup> {
  const findChannel = (name: string): ChannelId | null => {
    if (name === '') return null
    const id = state.findChannelByName(name)?.channel.id
    const found = id === undefined ? undefined : state.findVisibleChannel(caller, id)
    if (!found) throw fail('CHANNEL_NAME_UNKNOWN', { name })
    return found.channel.id
  }
  return {
    ...(sendingChannel === undefined ? {} : { sendingChannelId: findChannel(sendingChannel) }),
    ...(eventsChannel === undefined ? {} : { eventsChannelId: findChannel(eventsChannel) }),
    ...(hearsPublicChannels === undefined ? {} : { hearsPublicChannels }),
  }
}
