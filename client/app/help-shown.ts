/** Whether the help on the keyboard is open. */

import { signal } from '@preact/signals'

export const helpIsOpen = signal(false)
