/** Markdown to HTML: a pure function of its text, the same in a worker thread and in place. */

import MarkdownIt from 'markdown-it'

// Raw HTML is escaped; a single line break is one; addresses become links.
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })

/** The HTML of one message. */
export function renderMarkdown(text: string): string {
  return markdown.render(text).trimEnd()
}
