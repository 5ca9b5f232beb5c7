/** The channels that a request names to be joined. */

import { foldCase } from '../../../domain/fold-case.ts'
import { CHANNELS_PER_CALL_MAX } from '../../../domain/limits.ts'
import type { SubscribeResult, WantedChannel } from '../../../decisions/channels/find-targets.ts'
import type { Call } from '../../operation.ts'
import { list, object, optional, type Params, required, type Type, text } from '../../params.ts'
import { OBJECT } from '../../../domain/json-schema.ts'
import { checkChannelName } from '../../../decisions/channels/check-channel-name.ts'
import { colorType } from './color-type.ts'
import {
  type CHANNEL_TEXT_ERRORS,
  descriptionParam,
  readDescription,
} from '../channels/new-channel-params.ts'

const wantedChannel = object({
  name: required(text({ takesNull: true }), 'The name of the channel.'),
  description: descriptionParam,
  color: optional(colorType, "The caller's own color for it."),
})

/** Channels by name, each with its description if it is to be made. */
export const wantedChannelsType = list(wantedChannel, { lengthMax: CHANNELS_PER_CALL_MAX })
type Wanted = typeof wantedChannelsType extends Type<infer Value> ? Value : never

type WantedCall = Pick<Call<Params, (typeof CHANNEL_TEXT_ERRORS)[number]>, 'user' | 'services' | 'fail'>

/** The channels, each once, with the descriptions that the caller wants for new ones rendered. */
export async function readWantedChannels(
  { user, services, fail }: WantedCall,
  given: Wanted,
): Promise<WantedChannel[]> {
  const wanted = new Map<string, WantedChannel>()
  for (const { color, ...texts } of given) {
    const name = texts.name.trim()
    checkChannelName({ fail }, name)
    if (wanted.has(foldCase(name))) continue
    const description = readDescription(texts.description)
    const renderedDescription = await services.render(description, user.id) // Needed only where the channel turns out to be new.
    wanted.set(foldCase(name), { name, description, renderedDescription, color })
  }
  return [...wanted.values()]
}

/** The fields of a reply that lists who joined which channels. */
export const SUBSCRIBED_REPLY = {
  subscribed: { schema: OBJECT, description: 'Names of the channels by id of the user newly subscribed.' },
  already_subscribed: { schema: OBJECT, description: 'The same for those who were subscribed before.' },
}

/** The channels that each user joined, and those where they were before. */
export function viewSubscribed({
  channels,
}: SubscribeResult): Record<keyof typeof SUBSCRIBED_REPLY, NamesByUser> {
  const subscribed: NamesByUser = {}
  const already: NamesByUser = {}
  for (const { channel, joined, present } of channels) {
    joined.forEach((id) => (subscribed[id] ??= []).push(channel.name))
    present.forEach((id) => (already[id] ??= []).push(channel.name))
  }
  return { subscribed, already_subscribed: already }
}

type NamesByUser = Record<string, string[]>
