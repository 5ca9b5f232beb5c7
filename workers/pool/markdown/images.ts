/** Inline images and audio: `![alt](/user_uploads/…)`. For other addresses the syntax is a link after a `!`. */

import type { MarkdownIt, StateInline } from 'markdown-it'
import { UPLOADS_BASE } from '../../../server/domain/files/uploads.ts'
import { contextOf } from './context.ts'
import { pushHtml } from './html.ts'
import { relativeUrl } from './link-urls.ts'
import { decodePath, isAudio, isVideo, renderAudio, renderInlineImage } from './uploads.ts'

export function images(markdown: MarkdownIt): void {
  markdown.inline.ruler.at('image', readImageAt)
}

function readImageAt(state: StateInline, isDryRun: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== 0x21 /* ! */ || src.charCodeAt(pos + 1) !== 0x5b /* [ */) return false
  const context = contextOf(state.env)
  if (context.snapshot.uploads.length === 0) return false
  const { parseLinkDestination, parseLinkLabel } = state.md.helpers
  const labelEnd = parseLinkLabel(state, pos + 1, false)
  if (labelEnd < 0 || src.charCodeAt(labelEnd + 1) !== 0x28 /* ( */) return false
  const destination = parseLinkDestination(src, labelEnd + 2, state.posMax)
  if (!destination.ok || src.charCodeAt(destination.pos) !== 0x29 /* ) */) return false
  const path = decodePath(relativeUrl(state.md.normalizeLink(destination.str), context.snapshot.realmUrl))
  const upload = path.startsWith(UPLOADS_BASE) ? context.index.findUpload(path) : undefined
  if (!upload) return false
  if (isVideo(upload)) {
    state.pos = pos + 1 // A video gets a preview like any linked one; its mark is dropped.
    return true
  }
  if (!upload.image && !isAudio(upload)) return false
  if (!isDryRun) {
    const label = src.slice(pos + 2, labelEnd)
    context.found.attachmentPaths.add(path)
    if (upload.image) context.found.hasImage = true
    pushHtml(
      state,
      upload.image ? renderInlineImage(upload, upload.image, label) : renderAudio(upload, label),
    )
  }
  state.pos = destination.pos + 1
  return true
}
