/** The message that the tools are for, and the parts of messages that are open. */

import { type Signal, signal } from '@preact/signals'
import type { Message } from '../../../packages/client/src/wire-types.ts'

/** Dialogs about one message. */
export type DialogName = 'move' | 'delete' | 'history' | 'readers' | 'report' | 'remind' | 'forward'

/** Props of each of them. */
export interface MessageDialogProps {
  readonly message: Message
  readonly onClose: () => void
}

/** A picture among the messages. */
export interface ShownPicture {
  readonly name: string
  /** The picture that is shown large. */
  readonly address: string
  /** The file as it was uploaded. */
  readonly file: string
}

/** The pictures of a conversation, and the one that is shown large. */
interface Gallery {
  readonly pictures: readonly ShownPicture[]
  readonly index: number
  readonly opener: HTMLElement
}

export class MessageParts {
  /** The message under the pointer or with the focus: its tools are shown. */
  readonly activeId = signal<number | undefined>(undefined)
  /** The message whose menu is open. */
  readonly menuId = signal<number | undefined>(undefined)
  /** The message whose emoji picker is open. */
  readonly reactingId = signal<number | undefined>(undefined)
  /** The message that is being edited. */
  readonly editingId = signal<number | undefined>(undefined)
  /** The message that a link has just led to. */
  readonly foundId = signal<number | undefined>(undefined)
  /** Messages of muted people that were asked for. */
  readonly unhiddenIds = signal<ReadonlySet<number>>(new Set())
  readonly dialog = signal<{ readonly name: DialogName; readonly message: Message } | undefined>(undefined)
  readonly gallery = signal<Gallery | undefined>(undefined)

  /** Whether a part of the tools is open, so that the pointer may leave the message. */
  isHeld(): boolean {
    return this.menuId.peek() !== undefined || this.reactingId.peek() !== undefined
  }
}

/** The part of a message that is gone is not open any more: it would hold the tools of all others back. */
export function endOf(openId: Signal<number | undefined>, id: number): void {
  if (openId.peek() === id) openId.value = undefined
}
