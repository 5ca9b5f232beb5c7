/** The message that the tools are for, and the parts of it that are open. */

import { signal } from '@preact/signals'
import type { Message } from '../../../packages/client/src/wire-types.ts'

/** The message under the pointer or with the focus: its tools are shown. */
export const activeId = signal<number | undefined>(undefined)

/** The message whose menu is open. */
export const menuId = signal<number | undefined>(undefined)

/** The message whose popular emoji are open. */
export const reactingId = signal<number | undefined>(undefined)

/** The message that is being edited. */
export const editingId = signal<number | undefined>(undefined)

/** Messages of muted people that were asked for. */
export const unhiddenIds = signal<ReadonlySet<number>>(new Set())

/** Dialogs about one message. */
export type DialogName = 'move' | 'delete' | 'history' | 'readers' | 'report' | 'remind' | 'forward'

/** Props of each of them. */
export interface MessageDialogProps {
  readonly message: Message
  readonly onClose: () => void
}

export const openDialog = signal<{ readonly name: DialogName; readonly message: Message } | undefined>(
  undefined,
)

/** Whether a part of the tools is open, so that the pointer may leave the message. */
export function isHeld(): boolean {
  return menuId.peek() !== undefined || reactingId.peek() !== undefined
}

/** A picture among the messages. */
export interface ShownPicture {
  readonly name: string
  /** The picture that is shown large. */
  readonly address: string
  /** The file as it was uploaded. */
  readonly file: string
}

/** The pictures of the conversation, and the one that is shown large. */
export const openPictures = signal<
  | { readonly pictures: readonly ShownPicture[]; readonly index: number; readonly opener: HTMLElement }
  | undefined
>(undefined)
