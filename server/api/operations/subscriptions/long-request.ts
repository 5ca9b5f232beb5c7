/** The sentence of the reference about requests that are committed in parts. */

import { NEW_CHANNELS_PER_CHANGE_MAX, SUBSCRIPTIONS_PER_CHANGE_MAX } from '../../../domain/limits.ts'

/** A sentence for the reference. */
export const LONG_REQUEST =
  `More than ${SUBSCRIPTIONS_PER_CHANGE_MAX} subscriptions or ${NEW_CHANNELS_PER_CHANGE_MAX} new channels are ` +
  'checked together and written in several changes: after a failure the same request does the rest.'
