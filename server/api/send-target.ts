/** Where a message may go: finding the channel or the people that a sender names. */

import { canReadChannel } from '../domain/channel-access.ts'
import type { User } from '../domain/entities.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { CONVERSATION_SIZE_MAX } from '../domain/limits.ts'
import type { ChannelState, OrganizationState } from '../state/organization-state.ts'
import type { Fail } from './errors.ts'
import { integer, list, looseJson, text, type Type } from './params.ts'

/** The failures of a target. */
export type SendFail = Fail<
  | 'CHANNEL_NAMED_UNKNOWN'
  | 'CHANNEL_ID_UNKNOWN'
  | 'SINGLE_CHANNEL_EXPECTED'
  | 'RECIPIENTS_MISSING'
  | 'RECIPIENT_EMAIL_UNKNOWN'
  | 'RECIPIENT_ID_UNKNOWN'
  | 'RECIPIENT_DEACTIVATED'
  | 'TOO_MANY_RECIPIENTS'
>

const NAME_LENGTH_MAX = 1_000
const names = list(text({ lengthMax: NAME_LENGTH_MAX }), { lengthMax: 1_000 })
const ids = list(integer(), { lengthMax: 1_000 })

/** One id or name, or a list of ids or of names; text without quotes is a name. */
export const recipientsType: Type<readonly (string | number)[]> = looseJson({
  isText: false,
  schema: { anyOf: [{ type: 'string' }, { type: 'integer' }, names.schema, ids.schema] },
  check(value, name) {
    const items = Array.isArray(value) ? value : [value]
    return items.every((item) => typeof item === 'number') ? ids.check(items, name) : names.check(items, name)
  },
})

/** The one channel that is named, if the sender may send there; absent and forbidden look alike. */
export function findTargetChannel(
  to: readonly (string | number)[],
  sender: User,
  state: OrganizationState,
  fail: SendFail,
): ChannelState {
  const [target] = to
  if (target === undefined || to.length > 1) throw fail('SINGLE_CHANNEL_EXPECTED')
  const channel =
    typeof target === 'number'
      ? state.channels.get(target as ChannelId)
      : state.findChannelByName(target.trim())
  if (channel && canReadChannel(sender, channel, state.rights)) return channel
  throw typeof target === 'number'
    ? fail('CHANNEL_ID_UNKNOWN', { id: target })
    : fail('CHANNEL_NAMED_UNKNOWN', { name: target.trim() })
}

/** The people that are named, and the sender. */
export function findRecipients(
  to: readonly (string | number)[],
  senderId: UserId,
  state: OrganizationState,
  fail: SendFail,
): User[] {
  const partners = new Map<UserId, User>([[senderId, state.getUser(senderId)]])
  // A lone text may be several addresses, as older clients write them.
  const given = to.length === 1 && typeof to[0] === 'string' ? to[0].split(',') : to
  const wanted = given.map((one) => (typeof one === 'string' ? one.trim() : one)).filter((one) => one !== '')
  if (wanted.length === 0) throw fail('RECIPIENTS_MISSING')
  for (const one of wanted) {
    const user = typeof one === 'number' ? state.users.get(one as UserId) : state.findUserByEmail(one)
    if (!user) {
      throw typeof one === 'number'
        ? fail('RECIPIENT_ID_UNKNOWN', { id: one })
        : fail('RECIPIENT_EMAIL_UNKNOWN', { email: one })
    }
    partners.set(user.id, user)
  }
  const recipients = [...partners.values()]
  checkRecipients(recipients, senderId, fail)
  return recipients
}

/** Throws where these people, the sender included, may not talk. */
export function checkRecipients(recipients: readonly User[], senderId: UserId, fail: SendFail): void {
  if (recipients.length > CONVERSATION_SIZE_MAX)
    throw fail('TOO_MANY_RECIPIENTS', { countMax: CONVERSATION_SIZE_MAX })
  for (const { id, isActive, email } of recipients) {
    if (!isActive && id !== senderId) throw fail('RECIPIENT_DEACTIVATED', { email })
  }
}
