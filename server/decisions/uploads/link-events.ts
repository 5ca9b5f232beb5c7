/** Notifies owners of uploads when other messages link these. */

import type { LinkedUpload } from '../../../db/files/uploads.ts'
import type { Fact } from '../../domain/events.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'

/** The events of uploads that other messages link than before. */
export function decideLinks(
  { state: { uploadSpaceUsed: spaceUsed } }: ServerScope,
  uploads: readonly LinkedUpload[],
): Decision<void> {
  return done(
    uploads.map(
      ({ messages, ...upload }): Fact => ({ type: 'attachment/update', upload, messages, spaceUsed }),
    ),
  )
}
