/** The keyboard: one table of shortcuts, which the help shows and the page obeys. */

import type { Message } from '../../packages/client/src/wire-types.ts'
import { nextOf, unreadConversations, unreadDirects } from '../store/derived/next-unread.ts'
import { MENTIONS, type Narrow, splitNear, STARRED } from '../store/narrows/narrow.ts'
import type { Route } from '../store/narrows/route.ts'
import { focusComposer, hasComposer } from '../features/composer/focus-composer.ts'
import { moveSelection, returnToRows, selectedMessageId } from '../features/conversation/select-row.ts'
import { hasAction, type MessageAction, runAction } from '../features/message/actions.ts'
import { focusHeading } from '../ui/focus-view.ts'
import { isSame } from '../store/narrows/is-same.ts'
import { isPhone } from '../features/panel/panel-shown.ts'
import { sayDone, sayProblem } from '../ui/toasts.tsx'
import type { App } from '../app/app.ts'
import { noteKeyboardMove } from '../ui/keyboard-move.ts'

/** One shortcut: keys that are pressed one after the other, such as `g i`. */
export interface Shortcut {
  readonly keys: string
  /** Other keys with the same effect; the help leaves them out. */
  readonly also?: string
  readonly group: 'Places' | 'Messages' | 'Writing' | 'Page'
  readonly text: string
  /** Undefined if the part of the page that has the focus acts on it. */
  readonly run?: (app: App) => void
  /** An action on the selected message. */
  readonly action?: MessageAction
}

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: 'g i', group: 'Places', text: 'Inbox', run: to({ view: 'inbox' }) },
  { keys: 'g r', group: 'Places', text: 'Recent conversations', run: to({ view: 'recent' }) },
  { keys: 'g m', group: 'Places', text: 'Mentions', run: to({ view: 'narrow', narrow: MENTIONS }) },
  { keys: 'g s', group: 'Places', text: 'Starred messages', run: to({ view: 'narrow', narrow: STARRED }) },
  { keys: 'g d', group: 'Places', text: 'Drafts', run: to({ view: 'drafts' }) },
  { keys: 'g a', group: 'Places', text: 'All messages', run: to({ view: 'narrow', narrow: [] }) },
  {
    keys: 'n',
    group: 'Places',
    text: 'Next unread conversation',
    run: (app) => goToUnread(app, unreadConversations(app.state.peek())),
  },
  {
    keys: 'p',
    group: 'Places',
    text: 'Next unread direct conversation',
    run: (app) => goToUnread(app, unreadDirects(app.state.peek())),
  },
  {
    keys: 'j',
    also: 'ArrowDown',
    group: 'Messages',
    text: 'Next message or line',
    run: () => moveSelection(1),
  },
  {
    keys: 'k',
    also: 'ArrowUp',
    group: 'Messages',
    text: 'Previous message or line',
    run: () => moveSelection(-1),
  },
  { keys: 'Enter', group: 'Messages', text: 'Open it in its conversation; there, reply', action: 'open' },
  { keys: 'r', group: 'Messages', text: 'Reply', action: 'reply' },
  { keys: '>', group: 'Messages', text: 'Quote and reply', action: 'quote' },
  { keys: 'e', group: 'Messages', text: 'Edit', action: 'edit' },
  { keys: '+', group: 'Messages', text: 'React', action: 'react' },
  { keys: '*', group: 'Messages', text: 'Star, or remove the star', action: 'star' },
  { keys: 'u', group: 'Messages', text: 'Mark as unread from here', action: 'unread' },
  { keys: 'm', group: 'Messages', text: 'Mute or unmute its topic', action: 'mute' },
  { keys: 'd', group: 'Messages', text: 'Jump to a day', run: jumpToDay },
  { keys: 'c', group: 'Writing', text: 'Write here', run: write },
  {
    keys: 'x',
    group: 'Writing',
    text: 'New direct message',
    run: (app) => app.router.go({ view: 'new-direct' }),
  },
  { keys: '/', group: 'Page', text: 'Search', run: search },
  { keys: '?', group: 'Page', text: 'Show this help' },
  { keys: 'Escape', group: 'Page', text: 'Leave the composer, a dialog or a view', run: leave },
]

/** The shortcuts that have an effect: some actions come with views that not every page has. */
export function effectiveShortcuts(): readonly Shortcut[] {
  return SHORTCUTS.filter(({ action }) => action === undefined || hasAction(action))
}

/** Runs a shortcut; false if it has no effect here, and the key belongs to the browser. */
export function runShortcut({ run, action }: Shortcut, app: App): boolean {
  if (action !== undefined) {
    const message = hasAction(action) ? selectedMessage(app) : undefined
    if (message) runAction(action, app, message)
    return message !== undefined
  }
  run?.(app)
  return run !== undefined
}

/** The narrow of the current view. */
function currentNarrow(app: App): Narrow | undefined {
  const route = app.router.route.peek()
  return route.view === 'narrow' ? splitNear(route.narrow).narrow : undefined
}

function selectedMessage(app: App): Message | undefined {
  const narrow = currentNarrow(app)
  const id = selectedMessageId()
  return narrow && id !== undefined
    ? app.messages
        .window(narrow)
        .peek()
        .messages.find((one) => one.id === id)
    : undefined
}

function to(route: Route): (app: App) => void {
  return (app) => show(app, route)
}

function show(app: App, route: Route): void {
  if (isSame(app.router.route.peek(), route)) return
  noteKeyboardMove()
  app.router.go(route)
}

function goToUnread(app: App, narrows: readonly Narrow[]): void {
  const next = nextOf(narrows, currentNarrow(app))
  if (next) show(app, { view: 'narrow', narrow: next })
  else sayDone('Nothing else is unread.')
}

function search(app: App): void {
  if (isPhone()) app.router.go({ view: 'places' })
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>('.search-field input')?.focus())
}

function jumpToDay(): void {
  document.querySelector<HTMLElement>('.jump-to-date button')?.click()
}

function write(): void {
  if (hasComposer()) focusComposer().catch(sayProblem)
  else sayDone('Open a conversation to write in it.')
}

/** Out of the composer to the messages, and out of a view to the Inbox. */
function leave(app: App): void {
  const { activeElement } = document
  if (activeElement?.closest('.composer')) returnToRows()
  else if (activeElement?.matches('input, textarea, select')) focusHeading()
  else show(app, { view: 'inbox' })
}
