/** The actions on a message: those of its menu, of the tools beside it, and of the keyboard. */

import type { Message } from '../../../../packages/client/src/wire-types.ts'
import type { Action } from '../../../ui/action.ts'
import { copyMessageLink, copyMessageText } from './copy.ts'
import { forward, history, move, readers, remind, remove, report } from './dialogs.ts'
import { edit } from './edit.ts'
import { markUnread } from './mark-unread.ts'
import { open } from './open.ts'
import { pin } from './pin.ts'
import { quote } from './quote.ts'
import { react } from './react.ts'
import { reply } from './reply.ts'
import { star } from './star.ts'
import { muteTopic, resolveTopic } from './topic.ts'

export const MENU: readonly Action<Message>[] = [
  edit,
  quote,
  forward,
  copyMessageLink,
  copyMessageText,
  pin,
  move,
  resolveTopic,
  markUnread,
  remind,
  readers,
  history,
  report,
  remove,
]

/** Over the message under the pointer, before the button of the menu. */
export const TOOLS: readonly Action<Message>[] = [react, reply, star, edit]

export const WITH_KEYS: readonly Action<Message>[] = [
  open,
  reply,
  quote,
  edit,
  react,
  star,
  markUnread,
  muteTopic,
]
