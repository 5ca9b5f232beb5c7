/** How bots are set up, as parameters. */

import { type BotSetup, SERVICE_INTERFACES, type ServiceInterface } from '../../../domain/bots.ts'
import type { User } from '../../../domain/entities.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { CHANNEL_NAME_LENGTH_MAX, PAYLOAD_URL_LENGTH_MAX } from '../../../domain/limits.ts'
import { isWebAddress } from '../../../domain/profile-fields.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { type Fail, fail as failAny } from '../../../errors/api-error.ts'
import { boolean, integer, looseJson, optional, type Type, text, type ValuesOf } from '../../params.ts'
import { BOOLEAN, orNull, STRING } from '../../../domain/json-schema.ts'

/** An HTTP or HTTPS address; some clients quote it. */
export const payloadUrlType: Type<string> = looseJson({
  isText: false,
  schema: { type: 'string', maxLength: PAYLOAD_URL_LENGTH_MAX },
  check(value, name) {
    const address = text({ lengthMax: PAYLOAD_URL_LENGTH_MAX, trim: true }).check(value, name)
    if (!isWebAddress(address)) throw failAny('PARAMETER_INVALID', { message: `${name} is not a URL` })
    return address
  },
})

/** The number of a form; which numbers there are is said by an error of its own. */
export const interfaceType = integer()
/** What the reference says of the interface. */
export const INTERFACE_MEANING =
  'For outgoing webhooks: in which form messages go out, 1 as here, 2 as of Slack.'

/** The interface of a number, as an outgoing webhook speaks it. */
export function readInterface(number: number, fail: Fail<'BOT_INTERFACE_UNKNOWN'>): ServiceInterface {
  const found = Object.values(SERVICE_INTERFACES).find((one) => one === number)
  if (found === undefined) throw fail('BOT_INTERFACE_UNKNOWN')
  return found
}

const channelType = text({ lengthMax: CHANNEL_NAME_LENGTH_MAX, trim: true })

/** The channels that a bot takes where none is named; clients keep them, the server does not follow them. */
export const DEFAULT_CHANNEL_PARAMS = {
  default_sending_stream: optional(channelType, 'The name of the channel it writes to; empty for none.'),
  default_events_register_stream: optional(
    channelType,
    'The name of the channel it listens to; empty for none.',
  ),
  default_all_public_streams: optional(boolean(), 'Whether it listens to all public channels.'),
}

/** The fields of a reply that tell of them. */
export const DEFAULT_CHANNEL_REPLY = {
  default_sending_stream: {
    schema: orNull(STRING),
    description: 'The name of the channel it writes to; null where none is set that the caller knows of.',
  },
  default_events_register_stream: {
    schema: orNull(STRING),
    description: 'The name of the channel it listens to, likewise.',
  },
  default_all_public_streams: {
    schema: BOOLEAN,
    description: 'Whether it listens to all public channels.',
  },
}

/** What the parameters set; throws where the caller knows of no such channel. */
export function readDefaultChannels(
  params: ValuesOf<typeof DEFAULT_CHANNEL_PARAMS>,
  caller: User,
  state: OrganizationState,
  fail: Fail<'CHANNEL_NAME_UNKNOWN'>,
): Partial<BotSetup> {
  const findChannel = (name: string): ChannelId | null => {
    if (name === '') return null
    const id = state.findChannelByName(name)?.channel.id
    const found = id === undefined ? undefined : state.findVisibleChannel(caller, id)
    if (!found) throw fail('CHANNEL_NAME_UNKNOWN', { name })
    return found.channel.id
  }
  const {
    default_sending_stream: sending,
    default_events_register_stream: events,
    default_all_public_streams: hearsPublicChannels,
  } = params
  return {
    ...(sending === undefined ? {} : { sendingChannelId: findChannel(sending) }),
    ...(events === undefined ? {} : { eventsChannelId: findChannel(events) }),
    ...(hearsPublicChannels === undefined ? {} : { hearsPublicChannels }),
  }
}
