/** The channels of the matrix, written in bulk: three for each case, so that no action affects another. */

import type { Channel } from '../../server/domain/entities.ts'
import type { LogEvent, NewEvent } from '../../server/domain/events.ts'
import type { GroupSetting } from '../../server/domain/groups/group-settings.ts'
import type { ChannelId, GroupId, UserId } from '../../server/domain/ids.ts'
import { CHANNEL_PERMISSIONS, completePermissions } from '../../server/domain/groups/permissions.ts'
import { SYSTEM_GROUPS } from '../../server/domain/groups/system-groups.ts'
import { UserSet } from '../../server/domain/users/user-set.ts'
import type { TestServer } from '../harness/servers/start-server.ts'
import { makeChannel } from '../harness/worlds/make-channel.ts'
import type { Actor, Case, ChannelKind, Holder } from './channel-rules.ts'

/** A channel with its parameters. */
export interface BuiltChannel {
  readonly id: number
  readonly name: string
  /** Only in the main channel: a message of each period. */
  readonly messageIds: readonly number[]
}

/** Messages in the main channels: from before, during and after the subscription of the actor. */
export const SAID = ['before', 'meanwhile', 'after'] as const

/** A case with its channels: one for actions, one for changes of privacy, one for changes of settings. */
export interface BuiltCase {
  readonly case: Case
  readonly main: BuiltChannel
  readonly exposed: BuiltChannel
  readonly adjusted: BuiltChannel
}

/** The users in the channels and in the group. */
export interface People {
  readonly actors: Readonly<Record<Actor, number>>
  /** Subscribed to every channel. */
  readonly victim: number
  /** The group that contains `crew`. */
  readonly crewId: GroupId
}

const HOLDING_GROUPS = {
  nobody: SYSTEM_GROUPS.nobody,
  administrators: SYSTEM_GROUPS.administrators,
  moderators: SYSTEM_GROUPS.moderators,
  fullmembers: SYSTEM_GROUPS.fullMembers,
  members: SYSTEM_GROUPS.members,
  everyone: SYSTEM_GROUPS.everyone,
} as const

/** A holder as a group setting. */
export function settingOf(holder: Holder, actorId: number, crewId: GroupId): GroupSetting {
  if (holder === 'self') return { directMembers: [actorId as UserId], directSubgroups: [] }
  return holder === 'crew' ? crewId : HOLDING_GROUPS[holder]
}

/** Creates the channels with their messages and subscribers. */
export async function buildChannels(
  server: TestServer,
  cases: readonly Case[],
  people: People,
): Promise<BuiltCase[]> {
  let nextId = 1
  const make = (purpose: string): BuiltChannel & { messageIds: number[] } => {
    return { id: nextId, name: `${purpose} ${nextId++}`, messageIds: [] }
  }
  const built = cases.map(
    (one) =>
      ({
        case: one,
        main: make('main'),
        exposed: make('exposed'),
        adjusted: make('adjusted'),
      }) satisfies BuiltCase,
  )
  const channels = built.flatMap((one) =>
    [one.main, one.exposed, one.adjusted].map((channel) => ({
      one: one.case,
      channel: makeBuilt(channel, one.case, people),
    })),
  )
  const of = (actor: Actor, wanted: (one: Case) => boolean) =>
    channels.filter(({ one }) => one.actor === actor && wanted(one)).map(({ channel }) => channel)
  const actors = Object.keys(people.actors) as Actor[]
  const say = async (content: (typeof SAID)[number]) => {
    const ids = built.map(({ main }) => main.id as ChannelId)
    const firstId = await sendToAll(server, ids, content)
    for (const [index, { main }] of built.entries()) main.messageIds.push(firstId + index)
  }

  await commit(server, [
    { type: 'stream/create', channels: channels.map(({ channel }) => channel) },
    {
      type: 'subscription/add',
      channels: channels.map(({ channel }) => channel),
      userIds: [people.victim as UserId],
    },
  ])
  await say('before')
  await commit(
    server,
    actors.map((actor) => ({
      type: 'subscription/add',
      channels: of(actor, ({ standing }) => standing !== 'never subscribed'),
      userIds: [people.actors[actor] as UserId],
    })),
  )
  await say('meanwhile')
  await commit(
    server,
    actors.map((actor) => {
      const left = of(actor, ({ standing }) => standing === 'formerly subscribed')
      return {
        type: 'subscription/remove',
        channelIds: left.map(({ id }) => id),
        userIds: [people.actors[actor] as UserId],
        names: left.map((channel) => channel.name),
      }
    }),
  )
  await say('after')
  return built
}

function makeBuilt({ id, name }: BuiltChannel, { kind, actor }: Case, people: People): Channel {
  const setting = (grant: keyof ChannelKind['grants']) =>
    settingOf(kind.grants[grant], people.actors[actor], people.crewId)
  return makeChannel(id, {
    name,
    creatorId: null,
    isPrivate: kind.privacy.startsWith('private'),
    isWebPublic: kind.privacy === 'web-public',
    isHistoryPublic: kind.privacy !== 'private with protected history',
    isArchived: kind.isArchived,
    permissions: completePermissions(
      CHANNEL_PERMISSIONS,
      {
        canAdministerChannel: setting('administer'),
        canAddSubscribers: setting('add'),
        canSubscribe: setting('subscribe'),
        canRemoveSubscribers: setting('remove'),
        canSendMessage: setting('send'),
      },
      null,
    ),
  })
}

/** Commits events that no client needs. */
export async function commit(server: TestServer, events: readonly LogEvent[]): Promise<void> {
  const silent = events.map((event): NewEvent => ({ event, audience: { kind: 'nobody' } }))
  await server.node.services.committer.submit({
    kind: 'structure',
    decide: () => ({ events: silent, reply: () => undefined }),
  })
}

/**
 * One message in each of these channels, including archived ones, as only the past could; returns the first
 * id.
 */
async function sendToAll(server: TestServer, ids: readonly ChannelId[], content: string): Promise<number> {
  return server.node.services.committer.submit({
    kind: 'messages',
    decide: () => ({
      events: ids.map(
        (channelId): NewEvent => ({
          event: {
            type: 'message',
            channelId,
            conversationId: null,
            userIds: null,
            topic: 'history',
            senderId: 1 as UserId,
            content,
            rendered: `<p>${content}</p>`,
            sentAt: 1_700_000_000,
            client: 'API',
            readById: null,
            queueId: null,
            localId: null,
          },
          audience: { kind: 'users', users: UserSet.empty },
        }),
      ),
      reply: (firstId) => firstId,
    }),
  })
}
