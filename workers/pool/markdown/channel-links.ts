/** Links to channels, topics and messages. */

import type { MarkdownIt, StateInline } from 'markdown-it'
import type { MessageId } from '../../../server/domain/ids.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../packages/rules/topics.ts'
import { encodeFragment } from '../../../server/domain/text/encode-fragment.ts'
import { contextOf, type RenderContext, topicIndexKey } from './context.ts'
import { escapeHtml, pushHtml } from './html.ts'
import { readChannelLink, type WrittenChannelLink } from './mention-syntax.ts'
import type { LinkableChannel } from './snapshot.ts'

export function channelLinks(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('emphasis', 'channel_link', readChannelLinkAt)
}

function readChannelLinkAt(state: StateInline, isDryRun: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x23 /* # */) return false
  if (state.linkLevel > 0) return false // A link must not contain a link.
  const link = readChannelLink(state.src, state.pos)
  if (!link || link.end > state.posMax) return false
  const context = contextOf(state.env)
  for (const reading of link.readings) {
    const channel = context.index.findChannel(reading.channel)
    if (!channel) continue
    if (!isDryRun) pushHtml(state, renderChannelLink(context, channel, reading))
    state.pos = link.end
    return true
  }
  return false
}

function renderChannelLink(
  { found, index }: RenderContext,
  channel: LinkableChannel,
  { topic, messageId }: WrittenChannelLink,
): string {
  const name = escapeHtml(channel.name)
  const url = channelUrl(channel)
  found.channelIds.add(channel.id)
  if (topic === undefined)
    return `<a class="stream" data-stream-id="${channel.id}" href="${url}">#${name}</a>`
  const topicUrl = `${url}/topic/${encodeFragment(topic)}`
  const shown = `#${name} &gt; ${topic === '' ? `<em>${EMPTY_TOPIC_DISPLAY_NAME}</em>` : escapeHtml(topic)}`
  found.topics.set(topicIndexKey(channel.id, topic), { channelId: channel.id, topic })
  if (messageId !== undefined) {
    found.messageIds.add(messageId as MessageId)
    return `<a class="message-link" href="${topicUrl}/near/${messageId}">${shown} @ 💬</a>`
  }
  const newest = index.findTopic(channel.id, topic)?.newestMessageId
  // Without a topic's name, the segment before `with` is left out.
  const base = topic === '' && newest !== undefined ? `${url}/topic` : topicUrl
  const href = newest === undefined ? base : `${base}/with/${newest}`
  return `<a class="stream-topic" data-stream-id="${channel.id}" href="${href}">${shown}</a>`
}

function channelUrl({ id, name }: LinkableChannel): string {
  return `/#narrow/channel/${encodeFragment(`${id}-${name.replaceAll(' ', '-')}`)}`
}
