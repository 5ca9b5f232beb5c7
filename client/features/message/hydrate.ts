/** Adds behaviour to rendered text before it comes into the page: once for each content, without listeners of its own. */

import { charactersOf } from '../../store/emoji/emoji.ts'
import { markAlertWords } from './alert-words.ts'
import { addCodeTools, addSpoilerButtons, frameTables } from './hydrate-blocks.ts'
import { hydrateMedia } from './hydrate-media.ts'
import { hideNames, layTiles } from './lay-pictures.ts'
import { makeOnce } from '../../store/make-once.ts'
import { locale, t } from '../../texts/texts.ts'

export interface HydrateOptions {
  readonly ownId: number
  readonly ownGroupIds: ReadonlySet<number>
  readonly alertWords: readonly string[]
  /** Whether the text begins with `/me`, which the sender's name stands for. */
  readonly isMe: boolean
  /** Visitors see no profiles and groups, and no mention means them. */
  readonly isVisitor: boolean
}

const WILDCARD = '*'
const ME = '/me '
/** Emoji that are shown larger when a message has nothing else. */
const LARGE_EMOJI_MAX = 6
const timeFormat = makeOnce(
  () =>
    new Intl.DateTimeFormat(locale, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    }),
)

export function hydrate(body: HTMLElement, options: HydrateOptions): void {
  if (options.isMe) removeMe(body)
  showEmoji(body)
  showTimes(body)
  addCodeTools(body)
  addSpoilerButtons(body)
  frameTables(body)
  // The bar of a quote and the marks of a list stand where their text begins.
  for (const one of body.querySelectorAll<HTMLElement>('blockquote, ul, ol')) one.dir = 'auto'
  hydrateMedia(body)
  hideNames(body)
  layTiles(body)
  if (!options.isVisitor) linkMentions(body, options)
  prepareLinks(body)
  if (options.alertWords.length > 0) markAlertWords(body, options.alertWords)
}

/** Characters and lines from which a message is folded: about a screen. */
const LONG_LENGTH = 6_000
const LONG_LINES = 36
/** Tags that do not end a line. */
const INNER_TAGS = /<(?!br>|\/(?:p|li|tr|h[1-6])>)[^>]*>/g

/** Whether markup is so long that it is folded; no layout is needed to decide it. */
export function isLong(markup: string): boolean {
  // A formula has much markup for few letters.
  const html = markup.includes('class="katex') ? markup.replaceAll(INNER_TAGS, '') : markup
  if (html.length > LONG_LENGTH * 4) return true
  let lines = 0
  let text = 0
  let start = 0
  // Line ends in code, and the ends of elements that take a line.
  for (const end of html.matchAll(/<br>|<\/p>|<\/li>|<\/tr>|<\/h[1-6]>|\n/g)) {
    lines++
    text += end.index - start
    start = end.index
  }
  return lines > LONG_LINES * 2 || text > LONG_LENGTH
}

function removeMe(body: HTMLElement): void {
  const first = body.firstElementChild?.firstChild
  if (first?.nodeType === Node.TEXT_NODE && first.nodeValue?.startsWith(ME))
    first.nodeValue = first.nodeValue.slice(ME.length)
}

function showEmoji(body: HTMLElement): void {
  const emoji = body.querySelectorAll<HTMLElement>('.emoji')
  for (const one of emoji) {
    const code = [...one.classList].find((name) => name.startsWith('emoji-'))?.slice('emoji-'.length)
    if (code !== undefined) one.textContent = charactersOf(code)
  }
  if (emoji.length === 0 || emoji.length > LARGE_EMOJI_MAX) return
  const isAlone = [...body.querySelectorAll('*')].every(
    (one) => one.matches('.emoji') || (one.matches('p') && one.parentElement === body),
  )
  const rest = [...body.children].map((one) => textOutsideEmoji(one)).join('')
  if (isAlone && rest.trim() === '') body.firstElementChild?.classList.add('only-emoji')
}

function textOutsideEmoji(element: Element): string {
  return [...element.childNodes]
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.nodeValue ?? '')
    .join('')
}

/** Times in the language and the time zone of the browser. */
function showTimes(body: HTMLElement): void {
  for (const time of body.querySelectorAll('time')) {
    const ms = Date.parse(time.dateTime)
    if (Number.isNaN(ms)) continue
    time.title = t('Written as {time}; shown in your time zone', { time: time.textContent })
    time.textContent = timeFormat().format(ms)
  }
}

/** Mentions open profiles and groups; those of the user are marked. */
function linkMentions(body: HTMLElement, { ownId, ownGroupIds }: HydrateOptions): void {
  for (const mention of body.querySelectorAll<HTMLElement>('.user-mention, .user-group-mention')) {
    const { userId, userGroupId } = mention.dataset
    const isOwn =
      userId === undefined
        ? ownGroupIds.has(Number(userGroupId))
        : userId === WILDCARD || Number(userId) === ownId
    if (isOwn && !mention.classList.contains('silent')) mention.classList.add('own')
    mention.dir = 'auto'
    const view = userId === undefined ? 'groups' : 'user'
    const id = Number(userId ?? userGroupId)
    // A mention in a link keeps the link.
    if (!Number.isSafeInteger(id) || mention.closest('a')) continue
    const link = mention.ownerDocument.createElement('a')
    link.href = `#${view}/${id}`
    link.className = mention.className
    link.dir = 'auto'
    // A click opens the card of the person (`people/profile-cards.tsx`).
    if (userId !== undefined) link.dataset.userId = userId
    link.append(...mention.childNodes)
    mention.replaceWith(link)
  }
}

/** Links into the client stay in it; all others open apart. */
function prepareLinks(body: HTMLElement): void {
  for (const link of body.querySelectorAll('a')) {
    const address = link.getAttribute('href') ?? ''
    if (address.startsWith('/#')) link.setAttribute('href', address.slice(1))
    else if (!address.startsWith('#')) {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
    }
  }
}
