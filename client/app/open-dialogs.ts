/** Dialogs that more than one part of the page opens. */

import { signal } from '@preact/signals'
import type { Topic } from '../store/derived/topic.ts'

export class OpenDialogs {
  /** The help on the keyboard. */
  readonly help = signal(false)
  /** The field over places, people, messages and commands. */
  readonly palette = signal(false)
  /** The user's own status. */
  readonly status = signal(false)
  /** The topic that is being moved; a dialog asks where to. */
  readonly movedTopic = signal<Topic | undefined>(undefined)
}
