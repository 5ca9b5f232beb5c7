/** The parameters of a bot's setup. */

import type { BotSetupChange } from '../../../decisions/bots/change-bot-setup.ts'
import type { DefaultChannelNames } from '../../../decisions/bots/default-channels.ts'
import { BOOLEAN, orNull, STRING } from '../../../domain/json-schema.ts'
import { CHANNEL_NAME_LENGTH_MAX, PAYLOAD_URL_LENGTH_MAX } from '../../../domain/limits.ts'
import { isWebAddress } from '../../../domain/organization/profile-fields.ts'
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

/** The number of an interface; an unknown number has its own error. */
export const interfaceType = integer()
/** The description of the interface. */
export const INTERFACE_MEANING =
  'For outgoing webhooks: the format of messages, 1 for the format of this API, 2 for that of Slack.'

const channelType = text({ lengthMax: CHANNEL_NAME_LENGTH_MAX, trim: true })

/** The default channels of a bot: clients use them, the server does not. */
export const DEFAULT_CHANNEL_PARAMS = {
  default_sending_stream: optional(
    channelType,
    'The name of the channel to which it writes; empty for none.',
  ),
  default_events_register_stream: optional(
    channelType,
    'The name of the channel to which it listens; empty for none.',
  ),
  default_all_public_streams: optional(boolean(), 'Whether it listens to all public channels.'),
}

/** The default channels in a reply. */
export const DEFAULT_CHANNEL_REPLY = {
  default_sending_stream: {
    schema: orNull(STRING),
    description: 'The name of the channel to which it writes; null if none is set or visible to the caller.',
  },
  default_events_register_stream: {
    schema: orNull(STRING),
    description: 'The name of the channel to which it listens; null as above.',
  },
  default_all_public_streams: {
    schema: BOOLEAN,
    description: 'Whether it listens to all public channels.',
  },
}

/** The default channels from the parameters. */
export function readDefaultChannels(params: ValuesOf<typeof DEFAULT_CHANNEL_PARAMS>): DefaultChannelNames {
  return {
    sendingChannel: params.default_sending_stream,
    eventsChannel: params.default_events_register_stream,
    hearsPublicChannels: params.default_all_public_streams,
  }
}

/** The changeable parts of a setup. */
export const SETUP_PARAMS = {
  service_payload_url: optional(payloadUrlType, 'For outgoing webhooks: the address that receives messages.'),
  service_interface: optional(interfaceType, INTERFACE_MEANING),
  ...DEFAULT_CHANNEL_PARAMS,
}

/** The setup from the parameters. */
export function readSetupChange(params: ValuesOf<typeof SETUP_PARAMS>): BotSetupChange {
  return {
    payloadUrl: params.service_payload_url,
    serviceInterface: params.service_interface,
    channels: readDefaultChannels(params),
  }
}
