/** Telling the owners of uploads which messages link these. */

import type { LinkedUpload } from '../../../db/uploads.ts'
import { UserSet } from '../../domain/user-set.ts'
import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'

/** Tells them of some uploads as they see them now. */
export function decideLinks(
  { state: { uploadSpaceUsed: spaceUsed, rights } }: ServerScope,
  uploads: readonly LinkedUpload[],
): Decision<void> {
  return done(
    uploads.map(({ messages, ...upload }) => ({
      event: { type: 'attachment/update', upload, messages, spaceUsed },
      audience: { kind: 'users', users: UserSet.of([upload.ownerId]).intersection(rights.activeUsers) },
    })),
  )
}
