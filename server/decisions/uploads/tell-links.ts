/** The messages that link uploads, for the uploads' owners. */

import type { LinkedUpload } from '../../../db/uploads.ts'
import type { Fact } from '../../domain/event-traits.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'

/** Other messages link some uploads than before. */
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
