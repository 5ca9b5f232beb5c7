/** Mentions of users, of groups, and of everyone in a channel or a topic. */

import type { MarkdownIt, StateInline } from 'markdown-it'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import { contextOf, type RenderContext } from './context.ts'
import { escapeHtml, pushHtml } from './html.ts'
import { readMention, splitUserName } from './mention-syntax.ts'
import type { MentionableUser } from './snapshot.ts'

/** Words that mention everyone in a channel. */
const CHANNEL_WILDCARDS: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream'])
const TOPIC_WILDCARD = 'topic'

export function mentions(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('emphasis', 'mention', readMentionAt)
}

function readMentionAt(state: StateInline, isDryRun: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x40 /* @ */) return false
  const mention = readMention(state.src, state.pos)
  if (!mention || mention.end > state.posMax) return false
  const context = contextOf(state.env)
  const isSilent = mention.isSilent || context.isQuoted
  const render = mention.kind === 'user' ? renderUser : renderGroup
  const html = render(context, mention.name, isSilent, isDryRun)
  if (html === undefined) return false
  if (!isDryRun) pushHtml(state, html)
  state.pos = mention.end
  return true
}

/** A dry run only searches for a link's end, and records no findings. */
type Render = (
  context: RenderContext,
  name: string,
  isSilent: boolean,
  isDryRun: boolean,
) => string | undefined

const renderUser: Render = ({ index, found }, name, isSilent, isDryRun) => {
  const user = findUser(index, name)
  if (!user) return renderWildcard(found, name, isSilent, isDryRun)
  if (!isDryRun) (isSilent ? found.silentUserIds : found.userIds).add(user.id)
  return isSilent
    ? `<span class="user-mention silent" data-user-id="${user.id}">${escapeHtml(user.name)}</span>`
    : `<span class="user-mention" data-user-id="${user.id}">@${escapeHtml(user.name)}</span>`
}

/** An id distinguishes users with the same name; with a name before it, both must match. */
function findUser(index: RenderContext['index'], written: string): MentionableUser | undefined {
  const parts = splitUserName(written)
  if (!parts) return CHANNEL_WILDCARDS.has(written) ? undefined : index.findUserByName(written)
  const user = index.findUserById(parts.id)
  if (user && (parts.name === '' || foldCase(user.name) === foldCase(parts.name))) return user
  return index.findUserByName(written)
}

function renderWildcard(
  found: RenderContext['found'],
  name: string,
  isSilent: boolean,
  isDryRun: boolean,
): string | undefined {
  const isTopic = name === TOPIC_WILDCARD
  if (!isTopic && !CHANNEL_WILDCARDS.has(name)) return undefined
  if (!isDryRun && !isSilent) found.wildcards.add(isTopic ? 'topic' : 'all')
  const ending = isSilent ? ' silent' : ''
  const text = isSilent ? name : `@${name}`
  return isTopic
    ? `<span class="topic-mention${ending}">${text}</span>`
    : `<span class="user-mention channel-wildcard-mention${ending}" data-user-id="*">${text}</span>`
}

const renderGroup: Render = ({ index, found }, name, isWrittenSilent, isDryRun) => {
  const group = index.findGroup(name)
  if (!group) return undefined
  const isSilent = isWrittenSilent || group.standing === 'deactivated'
  if (!isDryRun) {
    if (isSilent) found.silentGroupIds.add(group.id)
    else if (group.standing === 'forbidden') found.forbiddenGroupIds.add(group.id)
    else found.groupIds.add(group.id)
  }
  const text = escapeHtml(group.displayName ?? group.name)
  return isSilent
    ? `<span class="user-group-mention silent" data-user-group-id="${group.id}">${text}</span>`
    : `<span class="user-group-mention" data-user-group-id="${group.id}">@${text}</span>`
}
