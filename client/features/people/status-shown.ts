/** Whether the dialog for the own status is open. */

import { signal } from '@preact/signals'

export const statusDialogIsOpen = signal(false)
