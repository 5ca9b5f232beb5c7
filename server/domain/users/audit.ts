/**
 * The audit log: which facts it has, and what it stores of each. A fact's part never has the text of messages, topics,
 * email addresses, passwords, keys or tokens, so nothing that shows it can.
 */

import type { Fact } from '../event-traits.ts'
import type { EventOf } from '../events.ts'
import type { ChannelChange } from '../events/channels.ts'
import type { InvitationChange } from '../events/invites.ts'
import type { EventId, GroupId, UserId } from '../ids.ts'
import { SYSTEM_GROUPS } from '../groups/system-groups.ts'

/** The server itself or its operator, as an actor. */
export const SERVER_ACTOR = 0
/** The actor of entries by releases that did not store it. */
export const UNKNOWN_ACTOR = -1
export type ActorId = UserId | typeof SERVER_ACTOR | typeof UNKNOWN_ACTOR

/** The part of each fact that is stored; null for facts that the audit log does not have. */
const PARTS = {
  delete_message: ({ channelId, messageIds }) => ({ channelId, messageIds }),
  update_message: ({ channelId, messageIds, move }) =>
    move && {
      channelId,
      messageIds,
      toChannelId: move.toChannel?.channelId ?? channelId,
      hasNewTopic: move.topic !== move.previousTopic,
    },

  organization_created: ({ organization: { name } }) => ({ name }),
  'realm/update_dict': ({ changes }) => ({ changes: withoutHtml(changes) }),
  'realm/picture': ({ which, pictureId }) => ({ which, isUploaded: pictureId !== null }),
  realm_linkifiers: ({ linkifiers }) => ({ linkifiers }),
  realm_playgrounds: ({ playgrounds }) => ({ playgrounds }),
  'realm_domains/add': ({ domain }) => ({ domain }),
  'realm_domains/change': ({ domain }) => ({ domain }),
  'realm_domains/remove': ({ domain }) => ({ domain }),
  'realm_user_settings_defaults/update': ({ change }) => ({ change }),
  'realm_emoji/update': ({ emoji }) => ({ emoji }),
  custom_profile_fields: ({ fields }) => ({ fields: fields.map(({ id, name }) => ({ id, name })) }),

  'realm_user/add': ({ user: { id, fullName, role, botType, botOwnerId } }) => ({
    userId: id,
    fullName,
    role,
    botType,
    botOwnerId,
  }),
  'realm_user/update': ({ userId, changes: { email, ...changes } }) => ({
    userId,
    changes,
    hasNewEmail: email !== undefined,
  }),
  'realm_user/avatar': ({ userId }) => ({ userId }),
  'realm_user/profile': ({ userId, fieldId }) => ({ userId, fieldId }),
  bot_setup_changed: ({ botId }) => ({ userId: botId }),
  api_keys_changed: ({ userId, keyHashes }) => ({ userId, keyCount: keyHashes.length }),
  login_sessions_changed: ({ userId, sessions }) => ({ userId, sessionCount: sessions.length }),
  password_set: ({ userId }) => ({ userId }),
  second_factors_changed: ({ userId, change }) => ({ userId, change }),
  access_refused: ({ refusal, userId, network, operation, count }) => ({
    refusal,
    userId,
    network,
    operation,
    count,
  }),

  'stream/create': ({ channels }) => ({ channels: channels.map(({ id, name }) => ({ id, name })) }),
  'stream/update': ({ channelId, change }) => ({ channelId, change: withoutChannelHtml(change) }),
  default_streams: ({ channelIds }) => ({ channelIds }),
  'channel_folder/add': ({ folder: { name } }) => ({ name }),
  'channel_folder/update': ({ folderId, changes }) => ({ folderId, changes: withoutHtml(changes) }),
  'channel_folder/reorder': ({ folderIds }) => ({ folderIds }),
  'subscription/add': ({ channels, userIds }) => ({ channelIds: channels.map(({ id }) => id), userIds }),
  'subscription/remove': ({ channelIds, userIds }) => ({ channelIds, userIds }),

  'user_group/add': ({ group: { id, name }, memberIds, subgroupIds }) => ({
    groupId: id,
    name,
    memberIds,
    subgroupIds,
  }),
  'user_group/update': ({ groupId, changes }) => ({ groupId, changes }),
  // Members of the system groups follow from the roles.
  'user_group/add_members': ({ groupId, userIds }) =>
    isSystemGroup(groupId) ? undefined : { groupId, userIds },
  'user_group/remove_members': ({ groupId, userIds }) =>
    isSystemGroup(groupId) ? undefined : { groupId, userIds },
  'user_group/add_subgroups': ({ groupId, subgroupIds }) => ({ groupId, subgroupIds }),
  'user_group/remove_subgroups': ({ groupId, subgroupIds }) => ({ groupId, subgroupIds }),

  // An acceptance follows from the use.
  invites_changed: ({ change }) =>
    change.kind === 'accepted' ? undefined : { change: withoutSecrets(change) },
  invitation_used: ({ invitationId, userId }) => ({ invitationId, userId }),

  // Everyday work of users, with its own history where there is one.
  message: null,
  'delete_message/hidden': null,
  update_message_flags: null,
  'reaction/add': null,
  'reaction/remove': null,
  submessage: null,
  'attachment/add': null,
  'attachment/update': null,
  'attachment/remove': null,
  'scheduled_messages/add': null,
  'scheduled_messages/update': null,
  'scheduled_messages/remove': null,
  'reminders/add': null,
  'reminders/remove': null,

  // Private to a user, from owners too.
  'subscription/update': null,
  'user_settings/update': null,
  user_topic: null,
  muted_users: null,
  alert_words: null,
  user_status: null,
  'drafts/add': null,
  'drafts/update': null,
  'drafts/remove': null,
  'saved_snippets/add': null,
  'saved_snippets/update': null,
  'saved_snippets/remove': null,
  'navigation_view/add': null,
  'navigation_view/update': null,
  'navigation_view/remove': null,
  'device/add': null,
  'device/update': null,
  'device/remove': null,
  has_provider_token: null,

  // Notes of the server for itself.
  login_awaited: null,
  own_address: null, // The update of the account is there.
  users_seen: null,
  restart: null,
  release_noted: null,
  heartbeat: null,
} as const satisfies {
  readonly [Type in Fact['type']]: ((fact: EventOf<Type>) => object | undefined) | null
}

const systemGroups: ReadonlySet<GroupId> = new Set(Object.values(SYSTEM_GROUPS))

function isSystemGroup(id: GroupId): boolean {
  return systemGroups.has(id)
}

/** Without the HTML that follows from a description. */
function withoutHtml<Change extends { readonly renderedDescription?: string }>(change: Change) {
  const { renderedDescription: _, ...others } = change
  return others
}

function withoutChannelHtml(change: ChannelChange) {
  return change.kind === 'description' ? withoutHtml(change) : change
}

function withoutSecrets(change: Exclude<InvitationChange, { readonly kind: 'accepted' }>) {
  if (change.kind !== 'made' && change.kind !== 'mailed') return change
  const { inviterId, role, channelIds, groupIds, expiresAt } = change.invitation
  return { kind: change.kind, inviterId, role, channelIds, groupIds, expiresAt } as const
}

type Parts = typeof PARTS
/** The types of facts in the audit log. */
export type AuditKind = {
  [Type in keyof Parts]: Parts[Type] extends null ? never : Type
}[keyof Parts]
/** The stored part of a fact. */
export type AuditPart<Kind extends AuditKind> = NonNullable<
  Parts[Kind] extends (fact: never) => infer Part ? Part : never
>

/** All kinds, in the order of the table. */
export const AUDIT_KINDS = Object.entries(PARTS).flatMap(([type, part]) =>
  part === null ? [] : [type as AuditKind],
)

/** An entry of the audit log. */
export interface AuditEntry {
  /** The number of its event. */
  readonly id: EventId
  /** UNIX seconds. */
  readonly at: number
  readonly actorId: ActorId
  readonly kind: AuditKind
  readonly part: object
}

/** The part of an event that the audit log stores; undefined if it has none. */
export function auditPartOf(event: { readonly type: string }): object | undefined {
  const part = (PARTS as Readonly<Record<string, ((fact: never) => object | undefined) | null>>)[event.type]
  return part?.(event as never)
}
