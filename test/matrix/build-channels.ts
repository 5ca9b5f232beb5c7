/** The channels of the matrix, written in bulk: three for each case, so that no action spoils another. */

import type { Channel } from '../../server/domain/entities.ts'
import type { LogEvent, NewEvent } from '../../server/domain/events.ts'
import type { GroupSetting } from '../../server/domain/group-settings.ts'
import type { ChannelId, GroupId, UserId } from '../../server/domain/ids.ts'
import { CHANNEL_PERMISSIONS, completePermissions } from '../../server/domain/permissions.ts'
import { SYSTEM_GROUPS } from '../../server/domain/system-groups.ts'
import { UserSet } from '../../server/domain/user-set.ts'
import type { TestServer } from '../harness/start-server.ts'
import { makeChannel } from '../harness/make-channel.ts'
import type { Actor, Case, ChannelKind, Holder } from './channel-rules.ts'

/** A channel as its requests name it. */
export interface BuiltChannel {
  readonly id: number
  readonly name: string
  /** In the main channel only: a message of each time. */
  readonly messageIds: readonly number[]
}

/** What was said in the main channels: before the actor came, meanwhile, and after some had left. */
export const SAID = ['before', 'meanwhile', 'after'] as const

/** A case with its channels: one to use, one whose privacy changes, one whose settings change. */
export interface BuiltCase {
  readonly case: Case
  readonly main: BuiltChannel
  readonly exposed: BuiltChannel
  readonly adjusted: BuiltChannel
}

/** Who is in the channels and in the group. */
export interface People {
  readonly actors: Readonly<Record<Actor, number>>
  /** Subscribed to every channel. */
  readonly victim: number
  /** The group that `crew` stands for. */
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

/** Who is meant, as a group setting. */
export function settingOf(holder: Holder, actorId: number, crewId: GroupId): GroupSetting {
  if (holder === 'self') return { directMembers: [actorId as UserId], directSubgroups: [] }
  return holder === 'crew' ? crewId : HOLDING_GROUPS[holder]
}

/** Makes the channels, with what was said in them and who was there. */
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

/** Commits events that nobody needs to hear of. */
export async function commit(server: TestServer, events: readonly LogEvent[]): Promise<void> {
  const silent = events.map((event): NewEvent => ({ event, audience: { kind: 'nobody' } }))
  await server.node.services.committer.submit({
    kind: 'structure',
    decide: () => ({ events: silent, reply: () => undefined }),
  })
}

/** One message to each of these channels, archived ones included, as only the past could; answers the first's id. */
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
