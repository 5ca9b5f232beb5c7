/** The end of uploads: of their rows with the event, of their bytes by a job after it. */

import type { NewEvent } from '../../domain/events.ts'
import type { Upload } from '../../domain/uploads.ts'
import { UserSet } from '../../domain/user-set.ts'

/** The events that remove some uploads, each told to its owner; `spaceUsed` is the sum of all files' bytes before them. */
export function removeUploads(
  spaceUsed: number,
  uploads: readonly Pick<Upload, 'id' | 'ownerId' | 'size'>[],
): NewEvent[] {
  let left = spaceUsed
  return uploads.map(({ id, ownerId, size }) => {
    left -= size
    return {
      event: { type: 'attachment/remove', uploadId: id, ownerId, spaceUsed: left },
      audience: { kind: 'users', users: UserSet.of([ownerId]) },
    }
  })
}
