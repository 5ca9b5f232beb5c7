/** Questions to both sides, by the rule that they are about: what the server decides, and what the client offers. */

import type { State } from '../../client/store/apply.ts'
import { topicRuleOf } from '../../client/store/composing/check-message.ts'
import { suggestPeople } from '../../client/store/composing/suggest-people.ts'
import { mayAddEmoji, mayCreateBots } from '../../client/store/derived/account-permissions.ts'
import * as administration from '../../client/store/derived/administration.ts'
import * as ofGroups from '../../client/store/derived/group-permissions.ts'
import { channelsById } from '../../client/store/derived/channels.ts'
import { groupsById } from '../../client/store/derived/group-choices.ts'
import { accessTo, accountOf, organizationOf, selfOf } from '../../client/store/derived/judged.ts'
import * as memberships from '../../client/store/derived/membership-permissions.ts'
import * as ofMessages from '../../client/store/derived/message-permissions.ts'
import * as ofChannels from '../../client/store/derived/permissions.ts'
import { postRefusal } from '../../client/store/derived/post-refusal.ts'
import { isPublic, toPublic } from '../../client/store/derived/public-narrow.ts'
import { isTopicMuted } from '../../client/store/derived/unread.ts'
import { usersById } from '../../client/store/derived/users.ts'
import { type Narrow, ofChannel, ofTopic, term, toApi } from '../../client/store/narrows/narrow.ts'
import type {
  Message as WireMessage,
  User as WireUser,
  UserGroup,
} from '../../packages/client/src/wire-types.ts'
import { canAdministerUser, needsOwner } from '../../packages/rules/accounts.ts'
import { canDeleteAnyMessage } from '../../packages/rules/messages.ts'
import { findRoleToGive } from '../../packages/rules/invitations.ts'
import { toggleResolved } from '../../packages/rules/topics.ts'
import { checkVisitorNarrow } from '../../server/api/narrow/visitor-narrow.ts'
import { checkBotRight } from '../../server/decisions/bots/check-bot.ts'
import { decideNewPin } from '../../server/decisions/channels/change-pins.ts'
import { findAdministrableChannel } from '../../server/decisions/channels/find-channel.ts'
import { PLAIN_CHANNEL } from '../../server/decisions/channels/new-channel.ts'
import { decideSubscribe } from '../../server/decisions/channels/subscribe-users.ts'
import { decideUnsubscribe } from '../../server/decisions/channels/unsubscribe-users.ts'
import { checkNewEmoji } from '../../server/decisions/emoji/change-emoji.ts'
import { decideGroupMembers } from '../../server/decisions/groups/change-group-members.ts'
import { decideNewGroup } from '../../server/decisions/groups/create-group.ts'
import { decideGroupUpdate } from '../../server/decisions/groups/update-group.ts'
import { checkInvitation } from '../../server/decisions/invitations/check-invitation.ts'
import {
  checkTopic,
  findTargetChannel,
  needsKnownTopic,
} from '../../server/decisions/messages/channel-target.ts'
import { checkContentEdit, checkMove, readUpdate } from '../../server/decisions/messages/check-update.ts'
import { checkDeletion, decideTopicDeletion } from '../../server/decisions/messages/delete-messages.ts'
import { findMentions } from '../../server/decisions/messages/find-mentions.ts'
import { checkOpenMessage } from '../../server/decisions/messages/message-access.ts'
import { checkRecipients } from '../../server/decisions/messages/recipients.ts'
import type { Scope } from '../../server/decisions/scope.ts'
import { decideDeactivation } from '../../server/decisions/users/deactivate-user.ts'
import { type Message, ROLES, type User } from '../../server/domain/entities.ts'
import type { ChannelId, ConversationId, GroupId, MessageId, UserId } from '../../server/domain/ids.ts'
import { VISITOR } from '../../server/domain/users/visitor.ts'
import { ApiError, type ErrorName } from '../../server/errors/api-error.ts'
import { encodeMessage } from '../../server/views/message-view.ts'
import type { Random } from '../events/make-random.ts'
import { COMMONS, NOW, TOPICS } from './random-organization.ts'

/** The two sides, and the user who asks. */
export interface Sides {
  readonly random: Random
  readonly scope: Scope<ErrorName>
  readonly client: State
  /** The client of somebody without an account. */
  readonly visitor: State
}

/** The answers of both sides; undefined if the question has no answer for what was drawn. */
type Question = (sides: Sides) => readonly [server: unknown, client: unknown, about: unknown] | undefined

/** Whether the server does something, or refuses it. */
function does(act: () => unknown): boolean {
  try {
    act()
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

const anyChannel = ({ random, scope }: Sides) => random.pick([...scope.state.channels.keys()])
const anyUser = ({ random, client }: Sides) => random.pick([...usersById(client).values()])
const anyOther = (sides: Sides) => {
  const user = anyUser(sides)
  return user.is_active && user.user_id !== sides.client.user_id ? user : undefined
}
/** Half of the time a bot of the user's own, if there is one. */
const anyUserOrBot = (sides: Sides) => {
  const { random, client } = sides
  const own = [...usersById(client).values()].filter((one) => one.bot_owner_id === client.user_id)
  return own.length > 0 && random.below(2) === 0 ? random.pick(own) : anyUser(sides)
}
const anyGroup = ({ random, client }: Sides) => random.pick([...groupsById(client).values()])

/** A question about a channel. */
const aboutChannel = (
  server: (scope: Scope<ErrorName>, channelId: ChannelId, name: string) => unknown,
  client: (state: State, channelId: number) => boolean,
): Question => {
  return (sides) => {
    const id = anyChannel(sides)
    const { name } = sides.scope.state.getChannel(id).channel
    return [does(() => server(sides.scope, id, name)), client(sides.client, id), id]
  }
}

const subscribing = (name: string, principals?: readonly UserId[]) => ({
  principals,
  wanted: [{ name, description: '', renderedDescription: '', color: undefined }],
  newChannel: PLAIN_CHANNEL,
  isUnauthorizedFatal: true,
})

function mustSee(scope: Scope<ErrorName>, found: unknown): void {
  if (!found) throw scope.fail('CHANNEL_UNKNOWN')
}

interface Drawn {
  readonly message: Message
  readonly wire: WireMessage
}

/** A message that the user can read, or could once, as both sides have it. */
function anyMessage(sides: Sides): Drawn {
  const { random, scope } = sides
  const { state, caller } = scope
  const isDirect = random.below(4) === 0
  const senderId = random.below(2) === 0 ? caller.id : (anyUserOrBot(sides).user_id as UserId)
  const channelId = random.pick([...state.channels.keys()].filter((id) => id !== COMMONS))
  const message: Message = {
    id: 1 as MessageId,
    destination: isDirect
      ? { kind: 'direct', conversationId: 1 as ConversationId, userIds: [caller.id, senderId] }
      : { kind: 'channel', channelId, topic: random.pick(TOPICS) },
    senderId,
    content: 'text',
    rendered: '<p>text</p>',
    sentAt: NOW - random.pick([0, 599, 600, 601]),
    client: 'test',
    readById: null,
    moves: null,
    editedAt: null,
    movedAt: null,
    reactions: [],
    edits: [],
    submessages:
      random.below(4) > 0
        ? []
        : [{ id: 1, messageId: 1 as MessageId, senderId, type: 'widget', content: '{}' }],
    mentions: [],
    isForAll: false,
  }
  const options = { applyMarkdown: true, clientGravatar: false, allowEmptyTopic: true, viewerId: caller.id }
  return {
    message,
    wire: { ...JSON.parse(`${encodeMessage(message, state, options)}}`), flags: [] } as WireMessage,
  }
}

/** A question about a message. */
const ofMessage = (
  server: (scope: Scope<ErrorName>, message: Message, sides: Sides) => unknown,
  client: (state: State, message: WireMessage, nowSeconds: number) => unknown,
): Question => {
  return (sides) => {
    const { message, wire } = anyMessage(sides)
    const { scope } = sides
    const isDone = does(() => {
      checkOpenMessage(scope, { message, wasSubscribed: true })
      server(scope, message, sides)
    })
    return [isDone, client(sides.client, wire, NOW), wire]
  }
}

/** Throws unless the user may move the message, alone or with one of somebody else. */
function move(
  scope: Scope<ErrorName>,
  message: Message,
  to: { topic?: string; channelId?: ChannelId },
  others: Message[] = [],
) {
  const { destination } = message
  if (destination.kind === 'direct') throw scope.fail('DIRECT_MESSAGE_MOVED')
  const { channelId, topic } = destination
  const wanted = { channelId, topic, ...to, mode: 'change_all' as const }
  const plan = { messages: [message, ...others] } as unknown as Parameters<typeof checkMove>[1]['plan']
  checkMove(scope, { message, wanted, plan, isTopicKnown: true })
}

/** A topic that messages of the channel may have, and have not. */
function otherTopic({ state }: Scope<ErrorName>, { destination }: Message): string {
  if (destination.kind === 'direct') return 'other'
  return state.getChannel(destination.channelId).channel.topicsPolicy === 'empty_topic_only' ? '' : 'other'
}

const ofOthers = (message: Message): Message => ({ ...message, senderId: (message.senderId + 1) as UserId })

/** A question about a group's members: the user themselves or another one, who is in it or not. */
const ofMembers = (
  isAdding: boolean,
  client: (state: State, group: UserGroup, userIds: readonly number[]) => boolean,
): Question => {
  return (sides) => {
    const { scope, random } = sides
    const group = anyGroup(sides)
    const user = random.below(2) === 0 ? scope.caller.id : (anyOther(sides)?.user_id as UserId | undefined)
    if (user === undefined || group.deactivated) return undefined
    if (group.members.includes(user) === isAdding) return undefined
    const users = isAdding ? { add: [user] } : { delete: [user] }
    const request = { groupId: group.id as GroupId, users, subgroups: {} }
    return [
      does(() => decideGroupMembers(scope, request)),
      client(sides.client, group, [user]),
      [group, user],
    ]
  }
}

const nothingGiven = { role: ROLES.member, channelIds: [], groupIds: [] }

export const QUESTIONS: Readonly<Record<string, Question>> = {
  canSeeChannel: aboutChannel(
    (scope, id) => mustSee(scope, scope.state.findVisibleChannel(scope.caller, id)),
    (state, id) => channelsById(state).has(id),
  ),
  canReadChannel: aboutChannel(
    (scope, id) => mustSee(scope, scope.state.findReadableChannel(scope.caller, id)),
    ofMessages.mayRead,
  ),
  canReadChannelAsVisitor: (sides) => {
    const id = anyChannel(sides)
    const found = sides.scope.state.findReadableChannel(VISITOR, id)
    return [found !== undefined, ofMessages.mayRead(sides.visitor, id), id]
  },
  canSendToChannel: aboutChannel(findTargetChannel, ofMessages.mayPost),
  canCreateTopic: aboutChannel((scope, id) => {
    if (needsKnownTopic(scope, findTargetChannel(scope, id))) throw scope.fail('NEW_TOPIC_FORBIDDEN')
  }, ofMessages.mayCreateTopic),
  canPin: ofMessage(
    (scope, message) =>
      decideNewPin(scope, { found: { message, wasSubscribed: true }, isOfTopic: false, receiverIds: [] }),
    (state, { stream_id: id }) => id !== undefined && ofChannels.mayPin(state, id),
  ),
  canJoinChannel: aboutChannel(
    (scope, _, name) => decideSubscribe(scope, subscribing(name)),
    memberships.mayJoin,
  ),
  canAddSubscribers: (sides) => {
    const other = anyOther(sides)
    if (!other) return undefined
    const id = anyChannel(sides)
    const { name } = sides.scope.state.getChannel(id).channel
    const request = subscribing(name, [other.user_id as UserId])
    return [does(() => decideSubscribe(sides.scope, request)), memberships.mayAddPeople(sides.client, id), id]
  },
  canAdministerChannel: aboutChannel(findAdministrableChannel, memberships.mayAdministerChannel),
  canRemoveSubscriber: (sides) => {
    const id = anyChannel(sides)
    const user = anyUserOrBot(sides)
    if (!user.is_active) return undefined
    const names = [sides.scope.state.getChannel(id).channel.name]
    const request = { principals: [user.user_id as UserId], names }
    return [
      does(() => decideUnsubscribe(sides.scope, request)),
      memberships.mayRemove(sides.client, id, user),
      [id, user],
    ]
  },
  canResolveTopics: ofMessage(
    (scope, message) => {
      const { destination } = message
      move(scope, message, { topic: destination.kind === 'direct' ? '' : toggleResolved(destination.topic) })
    },
    (state, { stream_id: id, subject }) => id !== undefined && ofChannels.mayResolve(state, id, subject),
  ),
  canMoveWithinChannel: ofMessage(
    (scope, message) => move(scope, message, { topic: otherTopic(scope, message) }),
    (state, message, now) => ofMessages.movableToTopic(state, message, now) !== 'none',
  ),
  canMoveOthersWithinChannel: ofMessage(
    (scope, message) => move(scope, message, { topic: otherTopic(scope, message) }, [ofOthers(message)]),
    (state, message, now) => ofMessages.movableToTopic(state, message, now) === 'all',
  ),
  canMoveOutOfChannel: ofMessage(
    (scope, message) => move(scope, message, { channelId: COMMONS }),
    (state, message, now) => ofMessages.mayMoveToChannel(state, message, now),
  ),
  findEditRefusal: ofMessage((scope, message) => {
    const asked = { content: 'x', contentHash: undefined, topic: undefined, channelId: undefined }
    readUpdate(scope, { ...asked, mode: 'change_one' }, message)
    checkContentEdit(scope, message)
  }, ofMessages.mayEdit),
  findDeletionRefusal: ofMessage(checkDeletion, ofMessages.mayDelete),
  canDeleteAnyMessage: aboutChannel(
    (scope, channelId) => decideTopicDeletion(scope, { channelId, plan: undefined }),
    (state, id) =>
      ofMessages.mayRead(state, id) &&
      canDeleteAnyMessage(selfOf(state), accessTo(state, id), organizationOf(state)),
  ),
  canMentionTogether: (sides) => {
    const { scope, client } = sides
    const seen = sides.random.pick([...channelsById(client).values()])
    const channelId = seen.channel.stream_id
    const { subscribers } = scope.state.getChannel(channelId as ChannelId)
    const composed = {
      rendered: '',
      audience: 'channel',
      userIds: [],
      groupIds: [],
      participantIds: [],
      isForAll: true,
      uploadIds: [],
      alerted: { content: '', version: scope.state.alertIndex.version, userIds: [] },
    } as const
    const place = { type: 'channel', channelId, topic: 'lunch' } as const
    const offered = suggestPeople(client, { query: 'all', isSilent: false, place })
    return [
      does(() => findMentions(scope, composed, subscribers)),
      offered.some(({ key }) => key === 'wildcard all'),
      channelId,
    ]
  },
  canConverse: (sides) => {
    const { scope, client } = sides
    const others = [anyUser(sides), anyUser(sides)].slice(sides.random.below(3))
    const userIds = others.map(({ user_id }) => user_id)
    const recipients = [...new Set([scope.caller.id, ...userIds])].map((id) =>
      scope.state.getUser(id as UserId),
    )
    const refusal = postRefusal(client, { type: 'direct', userIds })
    return [does(() => checkRecipients(scope, recipients)), refusal === undefined, userIds]
  },
  canCreateGroups: ({ scope, client }) => {
    const request = { name: 'fresh', description: '', memberIds: [], subgroupIds: [], permissions: {} }
    return [does(() => decideNewGroup(scope, request)), ofGroups.mayCreateGroups(client), '']
  },
  canManageGroup: (sides) => {
    const group = anyGroup(sides)
    const request = { groupId: group.id as GroupId, description: 'x', permissions: {} }
    const update = { ...request, name: undefined, isDeactivated: undefined }
    return [
      does(() => decideGroupUpdate(sides.scope, update)),
      ofGroups.mayManageGroup(sides.client, group),
      group,
    ]
  },
  canAddToGroup: ofMembers(true, ofGroups.mayAddToGroup),
  canRemoveFromGroup: ofMembers(false, ofGroups.mayRemoveFromGroup),
  canAdministerUser: ofAccount(canAdministerUser),
  needsOwner: ofAccount(canAdministerUser),
  findRoleToGive: ({ random, scope, client }) => {
    const role = random.pick(Object.values(ROLES))
    const given = { ...nothingGiven, role }
    return [
      does(() => checkInvitation(scope, scope.state.permissions.canInviteUsers, given)),
      administration.mayInviteByMail(client) && findRoleToGive(selfOf(client), role) === undefined,
      role,
    ]
  },
  canInvite: ({ random, scope, client }) => {
    const { canInviteUsers, createMultiuseInvite } = scope.state.permissions
    const [permission, may] = random.pick([
      [canInviteUsers, administration.mayInviteByMail],
      [createMultiuseInvite, administration.mayInviteByLink],
    ] as const)
    return [does(() => checkInvitation(scope, permission, nothingGiven)), may(client), permission]
  },
  canCreateBots: ({ random, scope, client }) => {
    const type = random.pick([1, 2] as const)
    const isWriteOnly = type === 2
    return [does(() => checkBotRight(scope, type)), mayCreateBots(client, { isWriteOnly }), type]
  },
  canAddEmoji: ({ scope, client }) => [
    does(() => checkNewEmoji(scope, 'parrot of ours')),
    mayAddEmoji(client),
    '',
  ],
  topicRule: (sides) => {
    const { scope, client } = sides
    const seen = sides.random.pick([...channelsById(client).keys()])
    const channel = scope.state.getChannel(seen as ChannelId)
    const takes = (topic: string) => does(() => checkTopic(scope, channel, { topic, isKnown: true }))
    const rule = !takes('lunch') ? 'none' : takes('') ? 'free' : 'needed'
    return [rule, topicRuleOf(client, seen), seen]
  },
  isTopicMuted: (sides) => {
    const { scope, client, random } = sides
    const id = anyChannel(sides)
    const topic = random.pick([...TOPICS, 'ΣΊΣΥΦΟΣ', 'istanbul', 'dinner'])
    const { state, caller } = scope
    return [state.isTopicMuted(caller.id, id, topic), isTopicMuted(client, id, topic), [id, topic]]
  },
  isForVisitors: (sides) => {
    const { random, scope, visitor } = sides
    const id = anyChannel(sides)
    const others = [term('dm', [1]), term('is', 'starred'), term('has', 'link'), term('in', 'home')]
    const place: Narrow = random.pick([[], ofChannel(id), ofTopic(id, 'lunch')])
    const narrow = [...place, ...random.some([...others, term('search', 'soup')]).slice(0, 1)]
    const terms = toApi(toPublic(narrow)).map((one) => ({ ...one }))
    return [
      does(() =>
        checkVisitorNarrow(
          terms as Parameters<typeof checkVisitorNarrow>[0],
          VISITOR,
          scope.state,
          scope.fail,
        ),
      ),
      isPublic(visitor, narrow),
      narrow,
    ]
  },
}

/** Whether the user may deactivate another account. */
function ofAccount(may: (user: User, target: { botOwnerId: number | null }) => boolean): Question {
  return (sides) => {
    const other: WireUser | undefined = anyOther(sides)
    if (!other) return undefined
    const self = selfOf(sides.client)
    return [
      does(() => decideDeactivation(sides.scope, { userId: other.user_id as UserId })),
      may(self as unknown as User, accountOf(other)) && !needsOwner(self, other),
      other,
    ]
  }
}
