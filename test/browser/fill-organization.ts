/**
 * A busy organization: 31 accounts, 27 channels, 6,000 messages, and a reader with 600 unread conversations. Views of
 * the client are judged in it. Accounts and channels go through the decisions of the API, and messages through the
 * statement of sends, so that the log, the tables and the search index agree.
 */

import { appendMessages } from '../../db/log/append-events.ts'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { openConversation } from '../../db/unread/conversations.ts'
import { TOPIC_VISIBILITIES } from '../../packages/rules/topics.ts'
import { openLocalWriter, type LocalWriter } from '../../server/actors/local-writer.ts'
import { newApiKey } from '../../server/changes/passwords.ts'
import { scopeFor } from '../../server/decisions/scope.ts'
import { decideSubscriptionSettings } from '../../server/decisions/channels/change-subscription-settings.ts'
import { PLAIN_CHANNEL } from '../../server/decisions/channels/new-channel.ts'
import { decideSubscribe } from '../../server/decisions/channels/subscribe-users.ts'
import type { Decision } from '../../server/decisions/decision.ts'
import { decideAllRead } from '../../server/decisions/flags/change-flags.ts'
import { decideNewFolder } from '../../server/decisions/folders/change-folders.ts'
import {
  createChannelMessage,
  createDirectMessage,
  type SendRequest,
} from '../../server/decisions/messages/decide-send.ts'
import { decideOwn } from '../../server/decisions/own.ts'
import { decideUserUpdate } from '../../server/decisions/users/update-user.ts'
import { ROLES } from '../../server/domain/entities.ts'
import type { MessageSent } from '../../server/domain/events/messages.ts'
import type { ChannelId, ConversationId, FolderId, UserId } from '../../server/domain/ids.ts'
import { findOpening } from '../../server/domain/messages/widgets.ts'
import { findAlerted } from '../../server/domain/personal/alert-words.ts'
import { indexMessages } from '../../workers/jobs/upkeep/index-messages.ts'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'
import { EMPTY_SNAPSHOT } from '../../workers/pool/markdown/snapshot.ts'
import { makeRandom, type Random } from '../events/make-random.ts'
import { createUser } from '../harness/worlds/account-changes.ts'
import {
  ASPECTS,
  BLOCKS,
  COLORS,
  DESCRIPTIONS,
  FOLDERS,
  MEMBERS,
  NAMED_TOPICS,
  PRIVATE_CHANNELS,
  SENTENCES,
  SUBJECTS,
} from './organization-content.ts'

/** The person who has not read for a while: `member` of the default people. */
export const READER_ID = 4 as UserId
const OWNER_ID = 1 as UserId
const GUEST_ID = 6 as UserId
const BOT_ID = 7 as UserId

/** Conversations that the reader has not read, and those of them with people. */
export const UNREAD_CONVERSATIONS = 600
const UNREAD_DIRECTS = 16
const MESSAGES = 6_000
const UNREAD_MESSAGES = 1_500
/** Unread messages that mention the reader. */
const MENTIONS = 12
const FOLLOWED_TOPICS = 40
/** Messages that are sent in the same second: one statement each. */
const BURST_LENGTH = 20
const DAY_SECONDS = 24 * 3600
const HISTORY_DAYS = 45
const UNREAD_DAYS = 1.7

type Place =
  | { readonly channelId: ChannelId; readonly topic: string }
  | { readonly conversationId: ConversationId; readonly userIds: readonly UserId[] }

/** Fills a database that has the default people; the same seed writes the same texts, at times before now. */
export async function fillOrganization(databaseUrl: string, seed = 7): Promise<void> {
  const random = makeRandom(seed)
  let writer = await openLocalWriter(databaseUrl)
  await addPeople(writer)
  const channelIds = await addChannels(writer)
  await writer.close()
  const sql = connect(databaseUrl, 1, 'parley-test')
  const now = Math.floor(Date.now() / 1_000)
  try {
    await sql`set synchronous_commit = off`
    await allowOldMessages(sql)
    const places = [...(await openDirects(sql, random)), ...makeTopics(channelIds)]
    writer = await openLocalWriter(databaseUrl)
    const send = makeSender(sql, writer, random)
    const [read, unread] = [MESSAGES - UNREAD_MESSAGES, UNREAD_MESSAGES]
    const begin = now - HISTORY_DAYS * DAY_SECONDS
    const middle = now - UNREAD_DAYS * DAY_SECONDS
    await send(historyOf(places, read, random), begin, middle - 3_600)
    await writer.feed.catchUp()
    await decide(writer, READER_ID, (scope) => decideAllRead(scope, { hasUnread: true }))
    await allowOldMessages(sql)
    await send(unreadOf(places, unread, random), middle, now - 180, MENTIONS)
    await writer.feed.catchUp()
    await readByOthers(writer)
    await arrange(writer, places, now)
    await writer.close()
    await indexMessages(sql)
    await sql`analyze`
  } finally {
    await sql.end()
  }
}

/** No message is older than the events before it, so the counter has to forget when these happened. */
async function allowOldMessages(sql: Sql): Promise<void> {
  await sql`update event_counter set stamped_at = coalesce((select max(sent_at) from messages), 0)`
}

function decide<Result>(
  { committer }: LocalWriter,
  userId: UserId,
  decision: (scope: ReturnType<typeof scopeFor>) => Decision<Result>,
): Promise<Result> {
  const now = Math.floor(Date.now() / 1_000)
  return committer.submit({
    kind: 'structure',
    actorId: userId,
    decide: (state) => decision(scopeFor({ state, now }, userId)),
  })
}

async function addPeople(writer: LocalWriter): Promise<void> {
  for (const [index, { email, name, role }] of MEMBERS.entries()) {
    const target = (index + 1) as UserId
    if (writer.state.users.has(target)) {
      await decide(writer, OWNER_ID, (scope) =>
        decideUserUpdate(scope, { target, fullName: name, role: undefined, profile: undefined }),
      )
      continue
    }
    const user = {
      email,
      fullName: name,
      role: ROLES[role],
      isActive: true,
      botType: null,
      botOwnerId: null,
      timezone: '',
      joinedAt: 1_700_000_000,
      avatarVersion: 1,
    }
    await writer.committer.submit(createUser(user, newApiKey().apiKey))
  }
}

/** Channels in folders, with everybody; the guest is in some of them. */
async function addChannels(writer: LocalWriter): Promise<readonly ChannelId[]> {
  const everybody = MEMBERS.map((_, index) => (index + 1) as UserId).filter((id) => id !== BOT_ID)
  for (const [folder, names] of FOLDERS) {
    const folderId: FolderId | null =
      folder === ''
        ? null
        : await decide(writer, OWNER_ID, (scope) =>
            decideNewFolder(scope, { name: folder, description: '', renderedDescription: '' }),
          )
    for (const isPrivate of [false, true]) {
      const wanted = names
        .filter((name) => PRIVATE_CHANNELS.has(name) === isPrivate)
        .map((name, index) => {
          const description = DESCRIPTIONS[index % DESCRIPTIONS.length] as string
          return { name, description, renderedDescription: `<p>${description}</p>`, color: undefined }
        })
      if (wanted.length === 0) continue
      await decide(writer, OWNER_ID, (scope) =>
        decideSubscribe(scope, {
          principals: isPrivate ? everybody.filter((id) => id !== GUEST_ID) : everybody,
          wanted,
          newChannel: { ...PLAIN_CHANNEL, isPrivate, folderId },
          isUnauthorizedFatal: true,
        }),
      )
    }
  }
  // In the order of their names above, the busiest first.
  return FOLDERS.flatMap(([, names]) => names).map((name) => {
    const found = writer.state.findChannelByName(name)
    if (!found) throw new Error(`there is no channel ${name}`)
    return found.channel.id
  })
}

/** Conversations of the reader with one person or several. */
async function openDirects(sql: Sql, random: Random): Promise<readonly Place[]> {
  const others = MEMBERS.map((_, index) => (index + 1) as UserId).filter(
    (id) => id !== READER_ID && id !== BOT_ID,
  )
  const directs: Place[] = []
  for (let index = 0; index < UNREAD_DIRECTS; index++) {
    const isGroup = index % 3 === 2
    const first = others[index % others.length] as UserId
    const partners = isGroup ? [first, random.pick(others), random.pick(others)] : [first]
    const userIds = [...new Set([READER_ID, ...partners])].sort((a, b) => a - b)
    directs.push({ conversationId: await openConversation(sql, userIds), userIds })
  }
  return directs
}

/** Topics for the rest of the unread conversations: the first channel has most. */
function makeTopics(channelIds: readonly ChannelId[]): readonly Place[] {
  const names = SUBJECTS.flatMap((one) => ASPECTS.map((other) => `${one} ${other}`))
  const wanted = UNREAD_CONVERSATIONS - UNREAD_DIRECTS
  const topics: Place[] = []
  for (let round = 0; topics.length < wanted; round++)
    for (const [index, channelId] of channelIds.entries()) {
      // The later a channel stands, the fewer topics it has. No number of steps of 7 leads to a name again.
      if (round > (channelIds.length - index) * 2 || topics.length >= wanted) continue
      const topic = NAMED_TOPICS[round] ?? (names[(round * 7 + index * 31) % names.length] as string)
      topics.push({ channelId, topic })
    }
  return topics
}

/** Places of read messages: a few have long histories. */
function historyOf(places: readonly Place[], count: number, random: Random): Place[] {
  const busy = places.slice(0, 40)
  return Array.from({ length: count }, () => random.pick(random.below(10) < 7 ? busy : places))
}

/** Places of unread messages: each has at least one. */
function unreadOf(places: readonly Place[], count: number, random: Random): Place[] {
  const more = Array.from({ length: count - places.length }, () => random.pick(places))
  return shuffle([...places, ...more], random)
}

function shuffle<One>(list: readonly One[], { below }: Random): One[] {
  const left = [...list]
  for (let index = left.length - 1; index > 0; index--) {
    const other = below(index + 1)
    ;[left[index], left[other]] = [left[other] as One, left[index] as One]
  }
  return left
}

/** Sends messages to places, one after the other, spread over a time. */
function makeSender(sql: Sql, { state }: LocalWriter, random: Random) {
  const users = MEMBERS.map(({ name }, index) => ({ id: (index + 1) as UserId, name }))
  const snapshot = { ...EMPTY_SNAPSHOT, users }
  const authors = users
    .map(({ id }) => id)
    .filter((id) => id !== BOT_ID && id !== READER_ID && id !== GUEST_ID)
  let number = 0
  const makeMessage = (place: Place, sentAt: number, isMention: boolean): MessageSent => {
    const isDirect = 'userIds' in place
    const senderId = random.pick(isDirect ? place.userIds.filter((id) => id !== READER_ID) : authors)
    const content = writeText(senderId, isMention, random).replace('{}', String(++number))
    const { html, mentionedUserIds } = renderMarkdown(content, snapshot)
    const submessage = findOpening(content)
    const request: SendRequest = {
      draft: {
        senderId,
        content,
        sentAt,
        client: 'website',
        readById: senderId,
        queueId: null,
        localId: null,
        ...(submessage === undefined ? {} : { submessage }),
      },
      composed: {
        rendered: html,
        audience: isDirect ? 'direct' : 'channel',
        userIds: mentionedUserIds,
        groupIds: [],
        participantIds: [],
        isForAll: false,
        uploadIds: [],
        alerted: findAlerted(content, state.alertIndex),
      },
    }
    const scope = scopeFor({ state, now: sentAt }, senderId)
    return isDirect
      ? createDirectMessage(scope, { ...request, ...place, isKnown: true })
      : createChannelMessage(scope, { ...request, ...place, isKnown: true })
  }
  return async (places: readonly Place[], from: number, to: number, mentions = 0) => {
    const step = mentions === 0 ? Number.POSITIVE_INFINITY : Math.floor(places.length / mentions)
    for (let start = 0; start < places.length; start += BURST_LENGTH) {
      const end = Math.min(places.length, start + BURST_LENGTH)
      const nowSeconds = Math.floor(from + ((to - from) * end) / places.length)
      const burst = places
        .slice(start, end)
        .map((place, index) => makeMessage(place, nowSeconds, (start + index) % step === step - 1))
      await appendMessages(sql, burst, { nowSeconds })
    }
  }
}

function writeText(senderId: UserId, isMention: boolean, random: Random): string {
  const { language } = MEMBERS[senderId - 1] as (typeof MEMBERS)[number]
  const sentence = random.pick(SENTENCES[random.below(4) > 0 ? language : 'english'])
  const reader = MEMBERS[READER_ID - 1]?.name ?? ''
  if (isMention) return `@**${reader}** ${sentence}`
  if (random.below(7) === 0) return random.pick(BLOCKS)
  if (random.below(25) === 0) return `@**${random.pick(MEMBERS.slice(7)).name}** ${sentence}`
  return random.below(5) === 0 ? `${sentence}\n\n${random.pick(SENTENCES.english)}` : sentence
}

async function readByOthers(writer: LocalWriter): Promise<void> {
  for (const [index] of MEMBERS.entries()) {
    const userId = (index + 1) as UserId
    if (userId !== READER_ID && userId !== BOT_ID)
      await decide(writer, userId, (scope) => decideAllRead(scope, { hasUnread: true }))
  }
}

/** The reader's colours, followed topics and pinned channel. */
async function arrange(writer: LocalWriter, places: readonly Place[], now: number): Promise<void> {
  const channelIds = [...writer.state.channels.keys()]
  await decide(writer, READER_ID, (scope) =>
    decideSubscriptionSettings(scope, {
      changes: [
        ...channelIds.map((channelId, index) => {
          const value = COLORS[index % COLORS.length] as string
          return { channelId, change: { property: 'color', value } } as const
        }),
        { channelId: channelIds[4] as ChannelId, change: { property: 'isPinned', value: true } },
      ],
    }),
  )
  const topics = places.filter((place) => 'topic' in place).filter((_, index) => index % 13 === 0)
  for (const { channelId, topic } of topics.slice(0, FOLLOWED_TOPICS)) {
    const userTopic = { channelId, topic, visibility: TOPIC_VISIBILITIES.followed, updatedAt: now }
    await decide(writer, READER_ID, (scope) => decideOwn(scope, { type: 'user_topic', userTopic }))
  }
}
