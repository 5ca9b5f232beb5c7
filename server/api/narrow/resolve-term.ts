/** Resolves the terms of narrows, one by one, to conditions of a query. */

import { findOperator } from '../../../packages/rules/narrows.ts'
import { isVisitor } from '../../../packages/rules/organization.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import type { MessageCondition } from '../../../db/messages/message-filter.ts'
import { findConversationIds } from '../../../db/unread/conversations.ts'
import type { Conversations } from '../../actors/conversation.ts'
import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'

import { parseTopic } from '../../domain/messages/topics.ts'
import { readStandInAddress } from '../../domain/users/email-addresses.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { findChannel } from './find-channel.ts'
import { findProperty, listChannels, type NarrowTerm, parseMessageId } from './narrow-operands.ts'
import type { NarrowScope } from './narrow-with.ts'

/** The dependencies of a resolution. */
interface TermContext {
  readonly conversations: Conversations
  readonly sql: Sql
  readonly scope: NarrowScope
}

type Resolve = (
  context: TermContext,
  term: NarrowTerm,
) => MessageCondition | undefined | Promise<MessageCondition | undefined>

/** By operator; undefined is for a term that excludes nothing by itself. */
const RESOLVERS: Readonly<Record<NonNullable<ReturnType<typeof findOperator>>, Resolve>> = {
  channel({ scope }, { operand, negated }) {
    const channel = findChannel(operand, scope.caller, scope.state)
    if (!channel) throw refuse(scope, `unknown channel ${describe(operand)}`)
    return { kind: 'channel', value: channel.channel.id, isNegated: negated }
  },
  topic: (_, { operand, negated }) => ({
    kind: 'topic',
    value: parseTopic(String(operand)),
    isNegated: negated,
  }),
  sender({ scope }, { operand, negated }) {
    const { caller, state } = scope
    const sender = operand === 'me' && !isVisitor(caller) ? caller : findSender(operand, caller, state)
    if (!sender) throw refuse(scope, `unknown user ${describe(operand)}`)
    return { kind: 'sender', value: sender.id, isNegated: negated }
  },
  async dm({ scope, conversations }, { operand, negated }) {
    const partners = findPartners(operand, scope)
    const value = (await conversations.find([...partners, scope.caller.id])) ?? 0
    return { kind: 'conversation', value, isNegated: negated }
  },
  async 'dm-including'({ scope, sql }, { operand, negated }) {
    const partners = findPartners(operand, scope)
    const value = await findConversationIds(sql, [...partners, scope.caller.id])
    return { kind: 'conversations', value, isNegated: negated }
  },
  channels({ scope }, term) {
    const value = listChannels(term.operand, scope.caller, scope.state)
    if (!value) throw refuse(scope, unknownOperand(term))
    return { kind: 'channels', value, isNegated: term.negated }
  },
  id: ({ scope }, term) => ({ kind: 'id', value: readMessageId(scope, term), isNegated: term.negated }),
  near({ scope }, term) {
    readMessageId(scope, term) // It may have become the place of its message; else it only positions a client's view.
    return undefined
  },
  is: (context, term) =>
    term.operand === 'dm' || term.operand === 'private'
      ? { kind: 'direct', isNegated: term.negated }
      : resolveProperty(context, term),
  in: resolveProperty,
  has: resolveProperty,
  search: () => undefined, // Searches are resolved together, since they share a limit.
  with: () => undefined, // It has become the place of its message.
}

/** Throws an error with 400 for an operator or operand that the reader cannot know. */
export function resolveTerm(context: TermContext, term: NarrowTerm): ReturnType<Resolve> {
  const operator = findOperator(term.operator)
  if (operator === undefined) throw refuse(context.scope, `unknown operator ${describe(term.operator)}`)
  return RESOLVERS[operator](context, term)
}

/** The reason for the refusal of a term's operand. */
export function unknownOperand({ operator, operand }: NarrowTerm): string {
  return `unknown '${operator}' operand ${describe(operand)}`
}

function resolveProperty({ scope }: TermContext, term: NarrowTerm): MessageCondition | undefined {
  const property = findProperty(term, scope.caller, scope.state)
  if (property === undefined) throw refuse(scope, unknownOperand(term))
  if (property === 'none') return { kind: 'channels', value: [], isNegated: false }
  if (property === 'any') return undefined
  return { kind: 'property', value: property.property, isNegated: property.isNegated }
}

function readMessageId(scope: NarrowScope, term: NarrowTerm) {
  const value = parseMessageId(term.operand)
  if (value === undefined) throw refuse(scope, unknownOperand(term))
  return value
}

/** To visitors an account that does not exist is like one that has sent nothing they may read. */
function findSender(
  operand: NarrowTerm['operand'],
  caller: User,
  state: OrganizationState,
): Pick<User, 'id'> | undefined {
  if (!isVisitor(caller)) return findUser(operand, caller, state)
  const text = String(operand).trim()
  const standsFor = readStandInAddress(text, state.emailHost)
  if (standsFor !== undefined) return { id: standsFor }
  return /^[0-9]{1,9}$/.test(text) ? { id: Number(text) as UserId } : undefined
}

function findUser(operand: NarrowTerm['operand'], caller: User, state: OrganizationState) {
  if (typeof operand === 'number') return state.findVisibleUser(caller, operand as UserId)
  if (typeof operand !== 'string') return undefined
  return (
    state.findUserByApiEmail(operand.trim(), caller) ??
    (/^[0-9]{1,10}$/.test(operand) ? state.findVisibleUser(caller, Number(operand) as UserId) : undefined)
  )
}

function findPartners(operand: NarrowTerm['operand'], scope: NarrowScope): UserId[] {
  const given =
    typeof operand === 'string' ? operand.split(',') : typeof operand === 'number' ? [operand] : operand
  const users = given.map((one) => findUser(one, scope.caller, scope.state)?.id)
  if (users.every((id) => id !== undefined)) return users
  throw refuse(scope, `unknown user in ${describe(operand)}`)
}

function refuse({ fail }: NarrowScope, reason: string) {
  return fail('NARROW_INVALID', { reason })
}

function describe(operand: unknown): string {
  return typeof operand === 'string' ? operand : JSON.stringify(operand)
}
