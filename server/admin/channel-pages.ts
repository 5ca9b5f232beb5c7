/** Pages of a channel for reading without a server: no scripts, and nothing from elsewhere. */

import { pageTokens } from '../../packages/look/tokens.ts'
import type { ExportedTopic } from '../../db/exports/exported-topics.ts'
import type { Message, Reaction } from '../domain/entities.ts'
import { escapeHtml } from '../domain/text/escape-html.ts'

/** Browsers take pages in a folder for one origin, or each for its own: so both forms of it. */
const POLICY =
  "default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const STYLE = `${pageTokens()}
body{margin:0;background:var(--ground);color:var(--ink);font:var(--text)}
main{max-width:var(--column);margin:0 auto;padding:24px 20px 64px;background:var(--paper);min-height:100vh;box-sizing:border-box}
h1{font:var(--title);margin:0 0 16px}
h1+p{color:var(--ink-2);margin:-12px 0 24px}
nav{font:var(--small);margin:0 0 16px;display:flex;gap:16px}
a{color:var(--accent)}
ul.topics{list-style:none;margin:0;padding:0}
ul.topics li{display:flex;gap:12px;justify-content:space-between;padding:9px 0;border-top:1px solid var(--line)}
ul.topics span,time{color:var(--ink-3);font:var(--small);white-space:nowrap}
article{padding:10px 0;border-top:1px solid var(--line);overflow-wrap:anywhere}
article header{display:flex;gap:8px;align-items:baseline}
article header b{font-weight:600}
article p{margin:4px 0}
article img,article video{max-width:100%;max-height:420px;border-radius:var(--radius)}
article img.emoji{height:1.25em;width:auto;vertical-align:text-bottom;border-radius:0}
pre,code{font-family:var(--mono);font-size:.9em;background:var(--fill);border-radius:var(--radius-small)}
pre{padding:8px 10px;overflow-x:auto}code{padding:0 3px}pre code{padding:0;background:none}
blockquote{margin:4px 0;padding-left:12px;border-left:3px solid var(--line-strong);color:var(--ink-2)}
table{border-collapse:collapse}td,th{border:1px solid var(--line-strong);padding:3px 8px}
.katex-html{display:none}
.user-mention,.user-group-mention,.topic-mention{background:var(--accent-wash);border-radius:var(--radius-small);padding:0 3px}
ul.reactions{list-style:none;display:flex;flex-wrap:wrap;gap:6px;margin:4px 0 0;padding:0;font:var(--small);color:var(--ink-2)}
ul.reactions li{border:1px solid var(--line-strong);border-radius:var(--radius-large);padding:1px 8px}`

/** The addresses in the pages of what messages show; relative to a page of a topic. */
export interface PageLinks {
  /** The address of the running server, for links to other places. */
  readonly publicUrl: string
  /** The file of an upload's path; undefined if the pages do not have it. */
  readonly file: (path: string) => string | undefined
  /** The file of a custom emoji's picture. */
  readonly emoji: (pictureId: string) => string | undefined
  /** The name of a user. */
  readonly name: (userId: number) => string
}

/** The list of topics, with the page of each. */
export function drawIndex(
  channel: { readonly name: string; readonly description: string },
  topics: readonly (ExportedTopic & { readonly page: string })[],
): string {
  const rows = topics.map(
    ({ topic, messages, lastAt, page }) =>
      `<li><a href="${page}">${nameOfTopic(topic)}</a><span>${messages === 1 ? 'one message' : `${messages} messages`} · ${drawTime(lastAt)}</span></li>`,
  )
  const text = channel.description === '' ? '' : `<p>${escapeHtml(channel.description)}</p>`
  return drawPage(
    `#${channel.name}`,
    `<h1>#${escapeHtml(channel.name)}</h1>${text}<ul class="topics">${rows.join('')}</ul>`,
  )
}

/** A page of a topic; `before` and `after` are its neighbours' names. */
export function drawTopic(
  { channel, topic, before, after }: TopicPage,
  messages: readonly Message[],
  links: PageLinks,
): string {
  const steps = [
    `<a href="../index.html">#${escapeHtml(channel)}</a>`,
    before === undefined ? '' : `<a href="${before}">Earlier messages</a>`,
    after === undefined ? '' : `<a href="${after}">Later messages</a>`,
  ].join('')
  const articles = messages.map((message) => drawMessage(message, links)).join('')
  const nav = `<nav>${steps}</nav>`
  return drawPage(`${topic} · #${channel}`, `${nav}<h1>${nameOfTopic(topic)}</h1>${articles}${nav}`)
}

/** A page of a topic and its neighbours. */
export interface TopicPage {
  readonly channel: string
  readonly topic: string
  readonly before: string | undefined
  readonly after: string | undefined
}

function drawMessage(message: Message, links: PageLinks): string {
  const { id, senderId, sentAt, editedAt, rendered, reactions } = message
  const edited = editedAt === null ? '' : '<time>edited</time>'
  const header = `<header><b>${escapeHtml(links.name(senderId))}</b>${drawTime(sentAt)}${edited}</header>`
  return `<article id="${id}">${header}${relink(rendered, links)}${drawReactions(reactions, links)}</article>`
}

function drawReactions(reactions: readonly Reaction[], links: PageLinks): string {
  const kinds = Map.groupBy(reactions, ({ reactionType, emojiCode }) => `${reactionType} ${emojiCode}`)
  const items = [...kinds.values()].map((all) => {
    const [{ reactionType, emojiCode, emojiName } = { reactionType: '', emojiCode: '', emojiName: '' }] = all
    const sign = reactionType === 'unicode_emoji' ? toCharacters(emojiCode) : `:${emojiName}:`
    return `<li title="${escapeHtml(all.map(({ userId }) => links.name(userId)).join(', '))}">${escapeHtml(sign)} ${all.length}</li>`
  })
  return items.length === 0 ? '' : `<ul class="reactions">${items.join('')}</ul>`
}

/** The HTML that the server rendered, with addresses that work without it. */
function relink(html: string, links: PageLinks): string {
  return html
    .replaceAll(/<span[^>]*\bclass="emoji emoji-([0-9a-f-]+)"[^>]*>[^<]*<\/span>/g, (_, code: string) =>
      toCharacters(code),
    )
    .replaceAll(/<img\b[^>]*>/g, (tag) => drawImage(tag, links))
    .replaceAll(/\b(href|src|poster)="\/([^"]*)"/g, (_, name: string, path: string) => {
      const file = fileOf(`/${path}`, links)
      return `${name}="${file ?? escapeHtml(`${links.publicUrl}/${unescapeAmpersands(path)}`)}"`
    })
    .replaceAll(
      /\bhref="(#[^"]*)"/g,
      (_, fragment: string) => `href="${escapeHtml(links.publicUrl)}/${fragment}"`,
    )
}

/** A picture of the pages, or its words. */
function drawImage(tag: string, links: PageLinks): string {
  const source = /\bsrc="([^"]*)"/.exec(tag)?.[1] ?? ''
  const file = fileOf(source, links)
  const words = /\balt="([^"]*)"/.exec(tag)?.[1] ?? ''
  if (file === undefined) return words
  const isEmoji = /\bclass="emoji/.test(tag)
  return `<img src="${file}" alt="${words}"${isEmoji ? ' class="emoji"' : ''} loading="lazy">`
}

function fileOf(address: string, { file, emoji }: PageLinks): string | undefined {
  const [, upload] =
    /^\/user_uploads\/(?:thumbnail\/)?(.+?)(?:\/\d+x\d+(?:-anim)?\.\w+)?$/.exec(address) ?? []
  if (upload !== undefined) return file(decode(unescapeAmpersands(upload)))
  const [, picture] = /^\/user_avatars\/1\/emoji\/images\/(?:still\/)?([0-9a-f]{32})\./.exec(address) ?? []
  return picture === undefined ? undefined : emoji(picture)
}

function unescapeAmpersands(text: string): string {
  return text.replaceAll('&amp;', '&')
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function toCharacters(code: string): string {
  const points = code.split('-').map((part) => Number.parseInt(part, 16))
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : ''
}

function nameOfTopic(topic: string): string {
  return topic === '' ? '<i>general chat</i>' : escapeHtml(topic)
}

function drawTime(seconds: number): string {
  const iso = new Date(seconds * 1000).toISOString()
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

function drawPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>
`
}
