/** The Markdown dialect of this API family: renders a text with a snapshot to HTML and findings. */

import { createContext, type RenderContext } from './context.ts'
import { createParser } from './create-parser.ts'
import type { RenderedMarkdown, SubmessageKind } from './rendered-markdown.ts'
import { renderPlain } from './render-plain.ts'
import { type MentionSnapshot, EMPTY_SNAPSHOT } from './snapshot.ts'

const parser = createParser()

/** The result of a text without findings, apart from its HTML. */
const NOTHING_FOUND: Omit<RenderedMarkdown, 'html'> = {
  ...resultOf(createContext(EMPTY_SNAPSHOT, Number.POSITIVE_INFINITY)),
  isMeMessage: false,
  submessage: null,
}

/**
 * A pure function: the same text and snapshot give the same result in every thread. Throws an `OverdueError` if the
 * organization's patterns run past `deadlineMs`: all other work is bounded.
 */
export function renderMarkdown(
  text: string,
  snapshot: MentionSnapshot = EMPTY_SNAPSHOT,
  deadlineMs = Number.POSITIVE_INFINITY,
): RenderedMarkdown {
  const plain = renderPlain(text, snapshot)
  return plain === undefined ? renderParsed(text, snapshot, deadlineMs) : { html: plain, ...NOTHING_FOUND }
}

/** Renders any text by the parser. */
export function renderParsed(text: string, snapshot: MentionSnapshot, deadlineMs: number): RenderedMarkdown {
  const context = createContext(snapshot, deadlineMs)
  const html = parser.render(text, { context }).trimEnd()
  return {
    html,
    ...resultOf(context),
    isMeMessage: text.startsWith('/me '),
    submessage: findSubmessage(text),
  }
}

function resultOf({ found }: RenderContext): Omit<RenderedMarkdown, 'html' | 'isMeMessage' | 'submessage'> {
  return {
    mentionedUserIds: [...found.userIds],
    silentlyMentionedUserIds: [...found.silentUserIds],
    mentionedGroupIds: [...found.groupIds],
    silentlyMentionedGroupIds: [...found.silentGroupIds],
    forbiddenGroupIds: [...found.forbiddenGroupIds],
    wildcards: [...found.wildcards],
    linkedChannelIds: [...found.channelIds],
    linkedTopics: [...found.topics.values()],
    linkedMessageIds: [...found.messageIds],
    attachmentPaths: [...found.attachmentPaths],
    previewedUrls: [...found.previewedUrls],
    hasLink: found.hasLink,
    hasImage: found.hasImage,
    hasAttachment: found.attachmentPaths.size > 0,
  }
}

function findSubmessage(text: string): SubmessageKind | null {
  if (!text.startsWith('/')) return null
  return (/^\/(poll|todo)(?:\s|$)/.exec(text)?.[1] as SubmessageKind | undefined) ?? null
}
