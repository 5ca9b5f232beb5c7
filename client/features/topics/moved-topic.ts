/** The topic that is being moved. */

import { signal } from '@preact/signals'

export interface Topic {
  readonly channelId: number
  readonly topic: string
}

/** The topic that is being moved; a dialog asks where to. */
export const movedTopic = signal<Topic | undefined>(undefined)
