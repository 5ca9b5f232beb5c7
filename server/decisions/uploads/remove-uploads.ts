/** Removes uploads: the event removes their rows, and a later job their bytes. */

import type { EventOf } from '../../domain/events.ts'
import type { Upload } from '../../domain/files/uploads.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'

/** Removes a file of the caller. */
export function decideUploadRemoval(
  { state }: Scope,
  upload: Pick<Upload, 'id' | 'ownerId' | 'size'>,
): Decision<void> {
  return done(removeUploads(state.uploadSpaceUsed, [upload]))
}

/** The facts that some uploads are removed; `spaceUsed` is the sum of all files' bytes before them. */
export function removeUploads(
  spaceUsed: number,
  uploads: readonly Pick<Upload, 'id' | 'ownerId' | 'size'>[],
): EventOf<'attachment/remove'>[] {
  let left = spaceUsed
  return uploads.map(({ id, ownerId, size }) => {
    left -= size
    return { type: 'attachment/remove', uploadId: id, ownerId, spaceUsed: left }
  })
}
