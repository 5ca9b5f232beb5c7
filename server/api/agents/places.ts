/** Channels, topics and people as agents name them. */

import { TOPIC_LENGTH_MAX } from '../../domain/limits.ts'
import { fail } from '../../errors/api-error.ts'
import { anyOf, id, list, optional, text } from '../params.ts'
import { type AgentCaller, RefusedCall } from './agent-caller.ts'

/** Characters of a channel's name or an email address; longer ones name nothing. */
const NAME_LENGTH_MAX = 320
/** People of one conversation: each address costs a look-up. */
const PEOPLE_MAX = 20

/** An id, or a name or address. */
export const nameOrId = anyOf(id(), text({ lengthMax: NAME_LENGTH_MAX, trim: true, blank: false }))

export const CHANNEL_PARAM = optional(nameOrId, 'The id or the exact name of a channel.')
export const TOPIC_PARAM = optional(
  text({ lengthMax: TOPIC_LENGTH_MAX, trim: true }),
  'A topic of that channel, exactly as it is written there.',
)
export const PEOPLE_PARAM = optional(
  list(nameOrId, { lengthMax: PEOPLE_MAX }),
  'A direct conversation: the ids or email addresses of the others in it.',
)

/** The id of a channel; of a key for one channel, that channel if none is named. */
export async function findChannelId(
  caller: AgentCaller,
  named: number | string | undefined,
): Promise<number | undefined> {
  const own = caller.key?.channelId ?? undefined
  if (named === undefined || typeof named === 'number') return named ?? own
  if (own === undefined) {
    const { stream_id: found } = await caller.call('GET', '/get_stream_id', { stream: named })
    return found as number
  }
  // Others are refused in the same words, whether they exist or not.
  const { stream } = await caller.call('GET', `/streams/${own}`)
  if ((stream as { readonly name: string }).name.toLowerCase() === named.toLowerCase()) return own
  throw new RefusedCall(fail('KEY_SCOPE_EXCEEDED').message)
}

/** The ids of people. */
export async function findUserIds(
  caller: AgentCaller,
  named: readonly (number | string)[],
): Promise<readonly number[]> {
  const ids: number[] = []
  for (const one of named) ids.push(typeof one === 'number' ? one : await findUserId(caller, one))
  return ids
}

async function findUserId(caller: AgentCaller, email: string): Promise<number> {
  // Other words may be the path of another operation.
  if (!email.includes('@')) throw new RefusedCall(`${email} is neither an id nor an email address.`)
  const { user } = await caller.call('GET', `/users/${encodeURIComponent(email)}`)
  return (user as { readonly user_id: number }).user_id
}

/** A place that is a topic or a conversation, not both. */
export function checkPlace({
  channel,
  topic,
  people,
}: {
  readonly channel?: number | string | undefined
  readonly topic?: string | undefined
  readonly people?: readonly (number | string)[] | undefined
}): void {
  if (people !== undefined && (channel !== undefined || topic !== undefined))
    throw new RefusedCall('Name either a channel or people.')
}
