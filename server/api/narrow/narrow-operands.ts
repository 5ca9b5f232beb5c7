/** Resolves the operands of a narrow, as the reader may know them. */

import type { MessageProperty } from '../../../db/messages/message-properties.ts'
import { canReadChannel, readableHistory } from '../../../packages/rules/channels.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { findOperator } from '../../../packages/rules/narrows.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** One term as a client sends it, in either of its two forms. */
export interface NarrowTerm {
  readonly operator: string
  readonly operand: string | number | readonly (string | number)[]
  readonly negated: boolean
}

/** The kinds of channels for `channels`. */
const CHANNEL_KINDS = new Map<NarrowTerm['operand'], (channel: ChannelState['channel']) => boolean>([
  ['public', (channel) => !channel.isPrivate],
  ['web-public', (channel) => channel.isWebPublic],
  ['archived', (channel) => channel.isArchived],
])

/** The channels of a kind that the user may read; undefined for an unknown kind. */
export function listChannels(
  operand: NarrowTerm['operand'],
  user: User,
  state: OrganizationState,
): ChannelId[] | undefined {
  const isOfKind = CHANNEL_KINDS.get(operand)
  if (!isOfKind) return undefined
  return [...state.channels.values()]
    .filter((channel) => isOfKind(channel.channel) && canReadChannel(user, channel, state.rights))
    .map(({ channel }) => channel.id)
}

/**
 * The channels whose whole history the narrow may show. These are the requested kind's channels, except archived ones,
 * which show only received messages. They are all channels if the narrow asks for messages that the reader marked: the
 * reader may have marked messages that they never received.
 */
export function openChannelIds(
  terms: readonly NarrowTerm[],
  user: User,
  state: OrganizationState,
): ChannelId[] {
  const opening = terms.filter(
    ({ operator, operand, negated }) =>
      findOperator(operator) === 'channels' && !negated && operand !== 'archived',
  )
  const isMarked = terms.some(
    ({ operator, operand, negated }) =>
      operator === 'is' && (operand === 'unread' || operand === 'starred') && !negated,
  )
  const ids = new Set(
    isMarked
      ? state.channels.keys()
      : opening.flatMap(({ operand }) => listChannels(operand, user, state) ?? []),
  )
  return [...ids].filter((id) => readableHistory(user, state.getChannel(id), state.rights) === 'all')
}

/** A message's id, as a number or in digits. */
export function parseMessageId(operand: NarrowTerm['operand']): number | undefined {
  if (typeof operand === 'number') return operand
  return typeof operand === 'string' && /^[0-9]{1,15}$/.test(operand) ? Number(operand) : undefined
}

/** The property that a term requires. `any` or `none` if every or no message matches; undefined if it is unknown. */
export function findProperty(
  { operator, operand, negated }: NarrowTerm,
  user: User,
  state: OrganizationState,
): { property: MessageProperty; isNegated: boolean } | 'any' | 'none' | undefined {
  const is = (property: MessageProperty, isNegated = negated) => ({ property, isNegated })
  const muted = (): MessageProperty => ({
    name: 'muted',
    userId: user.id,
    mutedChannelIds: listMutedChannels(user, state),
  })
  switch (`${operator}:${String(operand)}`) {
    case 'is:resolved':
      return is({ name: 'resolved' })
    case 'is:followed':
      return is({ name: 'followed', userId: user.id })
    case 'is:muted':
      return is(muted())
    case 'is:unread':
      return is({ name: 'unread', userId: user.id })
    case 'is:starred':
      return is({ name: 'starred', userId: user.id })
    case 'is:mentioned':
      return is({ name: 'mentioned', userId: user.id })
    case 'is:alerted':
      return is({ name: 'alerted', userId: user.id })
    case 'has:reaction':
      return is({ name: 'reaction' })
    case 'in:home':
      return is(muted(), !negated)
    case 'in:all':
      return negated ? 'none' : 'any'
    case 'has:link':
      return is({ name: 'link' })
    case 'has:image':
      return is({ name: 'image' })
    case 'has:attachment':
      return is({ name: 'attachment' })
    default:
      return undefined
  }
}

function listMutedChannels({ id }: User, state: OrganizationState): ChannelId[] {
  return state
    .subscribedChannels(id)
    .filter(({ settings }) => settings.get(id)?.isMuted)
    .map(({ channel }) => channel.id)
}
