/** Whether a phone shows the places instead of the current view. */

import { signal } from '@preact/signals'

export const placesAreShown = signal(false)
