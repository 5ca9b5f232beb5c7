/** How bots are set up, as parameters. */

import type { BotSetupChange } from '../../../decisions/bots/change-bot-setup.ts'
import type { DefaultChannelNames } from '../../../decisions/bots/default-channels.ts'
import { BOOLEAN, orNull, STRING } from '../../../domain/json-schema.ts'
import { CHANNEL_NAME_LENGTH_MAX, PAYLOAD_URL_LENGTH_MAX } from '../../../domain/limits.ts'
import { isWebAddress } from '../../../domain/profile-fields.ts'
import { fail } from '../../../errors/api-error.ts'
import { boolean, integer, looseJson, optional, type Type, text, type ValuesOf } from '../../params.ts'

/** An HTTP or HTTPS address; some clients quote it. */
export const payloadUrlType: Type<string> = looseJson({
  isText: false,
  schema: { type: 'string', maxLength: PAYLOAD_URL_LENGTH_MAX },
  check(value, name) {
    const address = text({ lengthMax: PAYLOAD_URL_LENGTH_MAX, trim: true }).check(value, name)
    if (!isWebAddress(address)) throw fail('PARAMETER_INVALID', { message: `${name} is not a URL` })
    return address
  },
})

/** The number of an interface; an unknown number has an error of its own. */
export const interfaceType = integer()
/** What the reference says of the interface. */
export const INTERFACE_MEANING =
  'For outgoing webhooks: in which form messages go out, 1 as here, 2 as of Slack.'

const channelType = text({ lengthMax: CHANNEL_NAME_LENGTH_MAX, trim: true })

/** The default channels of a bot, which are for clients; the server does not use them. */
export const DEFAULT_CHANNEL_PARAMS = {
  default_sending_stream: optional(channelType, 'The name of the channel it writes to; empty for none.'),
  default_events_register_stream: optional(
    channelType,
    'The name of the channel it listens to; empty for none.',
  ),
  default_all_public_streams: optional(boolean(), 'Whether it listens to all public channels.'),
}

/** The default channels in a reply. */
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

/** The channels that the parameters set. */
export function readDefaultChannels(params: ValuesOf<typeof DEFAULT_CHANNEL_PARAMS>): DefaultChannelNames {
  return {
    sendingChannel: params.default_sending_stream,
    eventsChannel: params.default_events_register_stream,
    hearsPublicChannels: params.default_all_public_streams,
  }
}

/** The parts of a setup that can change. */
export const SETUP_PARAMS = {
  service_payload_url: optional(payloadUrlType, 'For outgoing webhooks: where messages go.'),
  service_interface: optional(interfaceType, INTERFACE_MEANING),
  ...DEFAULT_CHANNEL_PARAMS,
}

/** The setup that the parameters ask for. */
export function readSetupChange(params: ValuesOf<typeof SETUP_PARAMS>): BotSetupChange {
  return {
    payloadUrl: params.service_payload_url,
    serviceInterface: params.service_interface,
    channels: readDefaultChannels(params),
  }
}
