/** Shared state of one rendering: the indexed snapshot, the findings, and the remaining work. */

import type { Env } from 'markdown-it'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { ChannelId, GroupId, MessageId, UserId } from '../../../server/domain/ids.ts'
import type { LinkedTopic, WildcardKind } from './rendered-markdown.ts'
import type {
  CustomEmoji,
  SnapshotUpload,
  LinkableChannel,
  LinkableTopic,
  MentionableGroup,
  MentionableUser,
  MentionSnapshot,
} from './snapshot.ts'

/** Characters of formulas in one text; further ones are shown as written. */
const TEX_LENGTH_MAX = 4_000
/** Characters of HTML for the formulas of one text: KaTeX may produce some hundred for each character. */
const TEX_HTML_LENGTH_MAX = 100_000
/** Characters of highlighted code in one text; further code is plain. Some grammars take quadratic time. */
const HIGHLIGHTED_LENGTH_MAX = 6_000
/** Emoji with markup in one text, some hundred characters each; further ones stay characters. */
const EMOJI_MAX = 1_000

/** Findings so far, in text order. */
export interface Findings {
  readonly userIds: Set<UserId>
  readonly silentUserIds: Set<UserId>
  readonly groupIds: Set<GroupId>
  readonly silentGroupIds: Set<GroupId>
  readonly forbiddenGroupIds: Set<GroupId>
  readonly wildcards: Set<WildcardKind>
  readonly channelIds: Set<ChannelId>
  readonly topics: Map<string, LinkedTopic>
  readonly messageIds: Set<MessageId>
  readonly attachmentPaths: Set<string>
  readonly previewedUrls: Set<string>
  hasLink: boolean
  hasImage: boolean
}

/** The state of one rendering. */
export interface RenderContext {
  readonly snapshot: MentionSnapshot
  readonly index: Index
  readonly found: Findings
  /** Whether the current text is quoted; mentions in quotes are silent. */
  isQuoted: boolean
  /** Remaining characters for formulas. */
  texLengthLeft: number
  /** Remaining characters of HTML for formulas. */
  texHtmlLengthLeft: number
  /** Remaining characters to highlight. */
  highlightedLengthLeft: number
  /** Remaining emoji with markup. */
  emojiLeft: number
  /** The deadline of linkifiers, on the clock of `performance`. */
  readonly deadlineMs: number
}

/** The context that markdown-it passes along. */
export function contextOf(env: Env | undefined): RenderContext {
  return env?.context as RenderContext
}

export function createContext(snapshot: MentionSnapshot, deadlineMs: number): RenderContext {
  return {
    snapshot,
    index: new Index(snapshot),
    found: {
      userIds: new Set(),
      silentUserIds: new Set(),
      groupIds: new Set(),
      silentGroupIds: new Set(),
      forbiddenGroupIds: new Set(),
      wildcards: new Set(),
      channelIds: new Set(),
      topics: new Map(),
      messageIds: new Set(),
      attachmentPaths: new Set(),
      previewedUrls: new Set(),
      hasLink: false,
      hasImage: false,
    },
    isQuoted: false,
    texLengthLeft: TEX_LENGTH_MAX,
    texHtmlLengthLeft: TEX_HTML_LENGTH_MAX,
    highlightedLengthLeft: HIGHLIGHTED_LENGTH_MAX,
    emojiLeft: EMOJI_MAX,
    deadlineMs,
  }
}

/** The snapshot by name and id; each map is built on first use. */
class Index {
  readonly #snapshot: MentionSnapshot
  #usersByName: Map<string, MentionableUser> | undefined
  #usersById: Map<number, MentionableUser> | undefined
  #groups: Map<string, MentionableGroup> | undefined
  #channels: Map<string, LinkableChannel> | undefined
  #topics: Map<string, LinkableTopic> | undefined
  #emoji: Map<string, CustomEmoji> | undefined
  #uploads: Map<string, SnapshotUpload> | undefined

  constructor(snapshot: MentionSnapshot) {
    this.#snapshot = snapshot
  }

  findUserByName(name: string): MentionableUser | undefined {
    this.#usersByName ??= index(this.#snapshot.users, (user) => foldCase(user.name))
    return this.#usersByName.get(foldCase(name))
  }

  findUserById(id: number): MentionableUser | undefined {
    this.#usersById ??= index(this.#snapshot.users, (user) => user.id as number)
    return this.#usersById.get(id)
  }

  findGroup(name: string): MentionableGroup | undefined {
    this.#groups ??= index(this.#snapshot.groups, (group) => foldCase(group.name))
    return this.#groups.get(foldCase(name))
  }

  findChannel(name: string): LinkableChannel | undefined {
    this.#channels ??= index(this.#snapshot.channels, (channel) => foldCase(channel.name))
    return this.#channels.get(foldCase(name))
  }

  findTopic(channelId: ChannelId, topic: string): LinkableTopic | undefined {
    this.#topics ??= index(this.#snapshot.topics, (one) => topicIndexKey(one.channelId, one.topic))
    return this.#topics.get(topicIndexKey(channelId, topic))
  }

  findEmoji(name: string): CustomEmoji | undefined {
    if (this.#snapshot.emoji.length === 0) return undefined
    this.#emoji ??= index(this.#snapshot.emoji, (emoji) => emoji.name)
    return this.#emoji.get(name)
  }

  findUpload(path: string): SnapshotUpload | undefined {
    this.#uploads ??= index(this.#snapshot.uploads, (upload) => upload.path)
    return this.#uploads.get(path)
  }
}

/** Two spellings of the same topic have the same key. */
export function topicIndexKey(channelId: ChannelId, topic: string): string {
  return `${channelId} ${foldCase(topic)}`
}

/** If several have one key, the first counts. */
function index<Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value> {
  const map = new Map<Key, Value>()
  for (const value of values) if (!map.has(keyOf(value))) map.set(keyOf(value), value)
  return map
}
