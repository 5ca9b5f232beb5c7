/** People whom the user has muted: their messages arrive as read, and are shown only when asked for. */

import { derive } from './derive.ts'

export const mutedPeople = derive(
  (state) => [state.muted_users],
  ([muted = []]): ReadonlySet<number> => new Set(muted.map(({ id }) => id)),
)
