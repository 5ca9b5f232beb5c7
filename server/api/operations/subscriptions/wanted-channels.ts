/** The channels that a request asks to join. */

import { foldCase } from '../../../../packages/rules/fold-case.ts'
import { CHANNELS_PER_CALL_MAX } from '../../../domain/limits.ts'
import type { WantedChannel } from '../../../decisions/channels/find-targets.ts'
import type { SubscribeResult } from '../../../decisions/channels/join-in-parts.ts'
import type { Call } from '../../operation.ts'
import { list, object, optional, type Params, required, type Type, text } from '../../params.ts'
import { arrayOf, mapOf, STRING } from '../../../domain/json-schema.ts'
import { checkChannelName } from '../../../decisions/channels/find-channel.ts'
import { fail } from '../../../errors/api-error.ts'
import {
  type CHANNEL_TEXT_ERRORS,
  descriptionParam,
  readDescription,
} from '../channels/new-channel-params.ts'

/** A CSS color: `#` and three or six hexadecimal digits. */
const colorType: Type<string> = {
  isText: true,
  schema: { type: 'string', pattern: '^#([0-9a-fA-F]{3}){1,2}$' },
  check(value, name) {
    if (typeof value === 'string' && /^#([0-9a-fA-F]{3}){1,2}$/.test(value)) return value
    throw fail('PARAMETER_INVALID', { message: `${name} is not a valid hex color code` })
  },
}

const wantedChannel = object({
  name: required(text({ takesNull: true }), 'The name of the channel.'),
  description: descriptionParam,
  color: optional(colorType, "The caller's own color for it."),
})

/** Channels by name, with a description for new ones. */
export const wantedChannelsType = list(wantedChannel, { lengthMax: CHANNELS_PER_CALL_MAX })
type Wanted = typeof wantedChannelsType extends Type<infer Value> ? Value : never

type WantedCall = Pick<Call<Params, (typeof CHANNEL_TEXT_ERRORS)[number]>, 'user' | 'services' | 'fail'>

/** The channels without repetitions, with rendered descriptions for new ones. */
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
    // Needed only if the channel turns out to be new.
    const renderedDescription = await services.render(description, user.id)
    wanted.set(foldCase(name), { name, description, renderedDescription, color })
  }
  return [...wanted.values()]
}

const NAMES_BY_USER = mapOf(arrayOf(STRING))

/** The reply fields for users and the channels that they joined. */
export const SUBSCRIBED_REPLY = {
  subscribed: {
    schema: NAMES_BY_USER,
    description: 'Names of the channels by id of the user newly subscribed.',
  },
  already_subscribed: {
    schema: NAMES_BY_USER,
    description: 'The same for users who were already subscribed.',
  },
}

/** The channels that each user joined, and those to which they were already subscribed. */
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
