/** Brings over the words, drafts, snippets and views of people, beside those that they have here. */

import {
  ALERT_WORD_LENGTH_MAX,
  MESSAGE_LENGTH_MAX,
  SNIPPET_TITLE_LENGTH_MAX,
} from '../../../../packages/rules/limits.ts'
import { decideNewAlertWords } from '../../../decisions/personal/change-alert-words.ts'
import { decideNewDrafts } from '../../../decisions/personal/change-drafts.ts'
import { decideNewView } from '../../../decisions/personal/change-navigation-views.ts'
import { type ServerScope, scopeFor } from '../../../decisions/scope.ts'
import type { Fact } from '../../../domain/events.ts'
import type { UserId } from '../../../domain/ids.ts'
import { MUTED_USERS_MAX, VIEW_FRAGMENT_LENGTH_MAX, VIEW_NAME_LENGTH_MAX } from '../../../domain/limits.ts'
import { fail } from '../../../errors/api-error.ts'
import type { ImportedChannels } from '../load-channels.ts'
import type { People } from '../load-users.ts'
import { cutText } from '../fields.ts'
import { parseForeignTopic } from '../topic-names.ts'
import type { OwnOf } from './choices.ts'
import type { ForeignTarget } from './records.ts'

/** The people and channels here that records name. */
export interface OwnNames {
  readonly people: People
  readonly channels: ImportedChannels
}

/** Words that they do not have here yet. */
export function wordFacts(scope: ServerScope, userId: UserId, { words }: OwnOf<'alert words'>): Fact[] {
  const cut = words.map((word) => cutText(word, ALERT_WORD_LENGTH_MAX))
  return decideNewAlertWords(scopeFor(scope, userId), { words: cut }).events as Fact[]
}

/** A fact for each person, with all of the muted ones so far; without people who did not come. */
export function muteFacts(
  { state, now }: ServerScope,
  userId: UserId,
  { people: muted }: OwnOf<'muted people'>,
  { people }: OwnNames,
): Fact[] {
  const facts: Fact[] = []
  let mutedUsers = state.mutes.of(userId)
  for (const { user, mutedAt } of muted) {
    const targetId = people.find(user)
    if (targetId === undefined || targetId === userId) continue
    if (mutedUsers.some((one) => one.userId === targetId)) continue
    if (mutedUsers.length >= MUTED_USERS_MAX)
      throw fail('TOO_MANY_MUTED_USERS', { countMax: MUTED_USERS_MAX })
    const at = Math.min(Math.floor(mutedAt ?? now), now)
    mutedUsers = [...mutedUsers, { userId: targetId, mutedAt: at }]
    facts.push({ type: 'muted_users', userId, targetId, mutedUsers })
  }
  return facts
}

/** A draft; a destination that did not come over is left open. */
export function draftFacts(
  scope: ServerScope,
  userId: UserId,
  { target: there, editedAt }: Pick<OwnOf<'draft'>, 'target' | 'editedAt'>,
  { text, names }: { readonly text: string; readonly names: OwnNames },
): Fact[] {
  const caller = scopeFor(scope, userId)
  const here = there && targetHere(there, names)
  const target =
    here?.kind === 'channel' && scope.state.findReadableChannel(caller.caller, here.channelId)
      ? { kind: 'channel' as const, channelIds: [here.channelId], topic: here.topic }
      : here?.kind === 'direct'
        ? here
        : { kind: 'unknown' as const }
  const at = Math.min(Math.floor(editedAt ?? scope.now), scope.now)
  const draft = { target, content: cutText(text, MESSAGE_LENGTH_MAX), editedAt: at }
  return decideNewDrafts(caller, { drafts: [draft], heldCount: 0 }).events as Fact[]
}

/** A destination here; undefined if it did not come over, or not all of its people. */
export function targetHere(target: ForeignTarget, { people, channels }: OwnNames) {
  if (target.kind === 'channel') {
    const channelId = channels.find(target.channel)
    const topic = parseForeignTopic(target.topic)
    return channelId === undefined ? undefined : { kind: 'channel' as const, channelId, topic }
  }
  const userIds = target.users.map((user) => people.find(user))
  if (userIds.includes(undefined)) return undefined
  return { kind: 'direct' as const, userIds: (userIds as UserId[]).sort((one, other) => one - other) }
}

/** A snippet, with the time of there. */
export function snippetFacts(
  { now }: ServerScope,
  userId: UserId,
  { title: given, createdAt }: OwnOf<'snippet'>,
  text: string,
): Fact[] {
  const title = cutText(given, SNIPPET_TITLE_LENGTH_MAX)
  const content = cutText(text, MESSAGE_LENGTH_MAX)
  if (title === '' || content === '') throw fail('MESSAGE_EMPTY')
  const at = Math.min(Math.floor(createdAt ?? now), now)
  return [{ type: 'saved_snippets/add', userId, snippet: { title, content, createdAt: at } }]
}

/** A view whose channels and people came over. Views of single messages cannot come: these have other numbers here. */
export function viewFacts(
  scope: ServerScope,
  userId: UserId,
  { fragment: there, isPinned, name }: OwnOf<'view'>,
  names: OwnNames,
): Fact[] {
  const fragment = fragmentHere(there, names)
  if (fragment === undefined || fragment.length > VIEW_FRAGMENT_LENGTH_MAX) throw fail('VIEW_UNKNOWN')
  const cut = name === undefined ? undefined : cutText(name, VIEW_NAME_LENGTH_MAX)
  return decideNewView(scopeFor(scope, userId), { fragment, isPinned, name: cut }).events as Fact[]
}

const OF_MESSAGES = new Set(['near', 'with', 'id'])
const OF_CHANNELS = new Set(['channel', 'stream'])
const OF_PEOPLE = new Set(['dm', 'dm-including', 'pm-with', 'sender', 'mentions'])

/** Operators and operands alternate behind `narrow`; ids stand before the names. */
function fragmentHere(fragment: string, { people, channels }: OwnNames): string | undefined {
  const [head, ...parts] = fragment.split('/')
  if (head !== 'narrow') return fragment
  const here = parts.map((part, index) => {
    const operator = index % 2 === 1 ? (parts[index - 1] ?? '').replace(/^-/, '') : ''
    if (OF_MESSAGES.has(operator)) return undefined
    const [ids = '', ...name] = part.split('-')
    if (!/^\d{1,9}(?:,\d{1,9})*$/.test(ids)) return part
    if (OF_CHANNELS.has(operator)) {
      const id = channels.find(ids)
      return id === undefined ? undefined : [id, ...name].join('-')
    }
    if (!OF_PEOPLE.has(operator)) return part
    const found = ids.split(',').map((id) => people.find(id))
    return found.includes(undefined) ? undefined : [found.join(','), ...name].join('-')
  })
  return here.includes(undefined) ? undefined : [head, ...here].join('/')
}
