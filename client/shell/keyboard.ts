/** The keyboard: one table of shortcuts, which the help shows and the page obeys. */

import type { Message } from '../../packages/client/src/wire-types.ts'
import type { App } from '../app/app.ts'
import { destinationOf } from '../features/conversation/destination.ts'
import { WITH_KEYS } from '../features/message/actions/table.ts'
import { nextOf, unreadConversations, unreadDirects } from '../store/derived/next-unread.ts'
import { isSame } from '../store/narrows/is-same.ts'
import { MENTIONS, type Narrow, splitNear, STARRED } from '../store/narrows/narrow.ts'
import type { Route } from '../store/narrows/route.ts'
import { type Action, runAction } from '../ui/action.ts'
import { isField } from '../ui/is-typing.ts'
import { KeyboardMove } from '../ui/keyboard-move.ts'
import { RowSelection } from '../ui/row-selection.ts'
import { showToast, showError } from '../ui/toasts.tsx'
import { toggleSide } from '../ui/toggle-side.ts'
import { openSearch } from './open-search.ts'
import { t } from '../texts/texts.ts'

/** The parts of the help, in its order. */
export const GROUPS = {
  places: t('Places'),
  messages: t('Messages'),
  writing: t('Writing'),
  page: t('Page'),
} as const

/** One shortcut: keys that are pressed one after the other, such as `g i`, or with Ctrl, such as `Ctrl B`. */
export interface Shortcut {
  readonly keys: string
  /** Other keys with the same effect; the help leaves them out. */
  readonly also?: string
  readonly group: keyof typeof GROUPS
  readonly text: string
  /** Returns false if it has no effect here, and the key belongs to the browser. */
  readonly run: (app: App) => unknown
}

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: 'g i', group: 'places', text: t('Inbox'), run: to({ view: 'inbox' }) },
  { keys: 'g r', group: 'places', text: t('Recent conversations'), run: to({ view: 'recent' }) },
  { keys: 'g m', group: 'places', text: t('Mentions'), run: to({ view: 'narrow', narrow: MENTIONS }) },
  {
    keys: 'g s',
    group: 'places',
    text: t('Starred messages'),
    run: to({ view: 'narrow', narrow: STARRED }),
  },
  { keys: 'g d', group: 'places', text: t('Drafts'), run: to({ view: 'drafts' }) },
  { keys: 'g a', group: 'places', text: t('All messages'), run: to({ view: 'narrow', narrow: [] }) },
  {
    keys: 'n',
    group: 'places',
    text: t('Next unread conversation'),
    run: (app) => goToUnread(app, unreadConversations(app.state.peek())),
  },
  {
    keys: 'p',
    group: 'places',
    text: t('Next unread direct conversation'),
    run: (app) => goToUnread(app, unreadDirects(app.state.peek())),
  },
  {
    keys: 'j',
    also: 'ArrowDown',
    group: 'messages',
    text: t('Next message or line'),
    run: (app) => app.part(RowSelection).move(1),
  },
  {
    keys: 'k',
    also: 'ArrowUp',
    group: 'messages',
    text: t('Previous message or line'),
    run: (app) => app.part(RowSelection).move(-1),
  },
  ...WITH_KEYS.flatMap(ofAction),
  { keys: 'd', group: 'messages', text: t('Jump to date'), run: (app) => app.handles.days?.ask() },
  { keys: 'c', group: 'writing', text: t('Write a message'), run: write },
  {
    keys: 'x',
    group: 'writing',
    text: t('New direct message'),
    run: (app) => app.router.go({ view: 'new-direct' }),
  },
  { keys: '/', group: 'page', text: t('Search'), run: openSearch },
  {
    keys: 'Ctrl K',
    also: 'Ctrl k',
    group: 'page',
    text: t('Search or go to'),
    run: ({ dialogs }) => void (dialogs.palette.value = true),
  },
  {
    keys: 'Ctrl \\',
    group: 'page',
    text: t('Hide or show the sidebar'),
    run: toggleSide,
  },
  {
    keys: '?',
    group: 'page',
    text: t('Show keyboard shortcuts'),
    run: (app) => (app.dialogs.help.value = true),
  },
  {
    keys: 'Escape',
    group: 'page',
    text: t('Close a menu or dialog, or leave the composer or a list'),
    run: leave,
  },
]

/** A key of an action on the selected message. */
function ofAction(action: Action<Message>): Shortcut[] {
  if (!action.key) return []
  const [keys, text] = action.key
  const run = (app: App) => {
    const message = selectedMessage(app)
    if (message) runAction(action, app, message)
    return message !== undefined
  }
  return [{ keys, group: 'messages', text, run }]
}

/** The narrow of the current view. */
function currentNarrow(app: App): Narrow | undefined {
  const route = app.router.route.peek()
  return route.view === 'narrow' ? splitNear(route.narrow).narrow : undefined
}

/** The message that shortcuts act on. */
export function selectedMessage(app: App): Message | undefined {
  const narrow = currentNarrow(app)
  const id = app.part(RowSelection).messageId()
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
  app.part(KeyboardMove).note()
  app.router.go(route)
}

function goToUnread(app: App, narrows: readonly Narrow[]): void {
  const next = nextOf(narrows, currentNarrow(app))
  if (next) show(app, { view: 'narrow', narrow: next })
  else showToast(t('No more unread conversations'))
}

function write({ handles }: App): void {
  if (handles.composer) handles.focusComposer().catch(showError)
  else showToast(t('Open a conversation to write a message'))
}

/**
 * Out of the composer to the messages, and out of a list or page to the Inbox. A conversation is not left: the key may
 * have been meant for something that has just closed.
 */
function leave(app: App): unknown {
  const { activeElement } = document
  if (app.handles.composer?.has(activeElement)) return app.part(RowSelection).resume()
  if (isField(activeElement)) return app.handles.focusHeading()
  const narrow = currentNarrow(app)
  if (narrow && destinationOf(narrow)) return false
  return show(app, { view: 'inbox' })
}
