/** Makes a file that arrived an upload. */

import type { Upload } from '../../domain/files/uploads.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'

/** How storing a complete file can fail. */
export const STORE_UPLOAD_ERRORS = ['UPLOAD_QUOTA'] as const

/** A complete file that becomes an upload of the caller. */
export interface StoreRequest {
  readonly file: Omit<Upload, 'ownerId' | 'createdAt'>
  /** Bytes of all files together; infinite without a limit. */
  readonly quotaBytes: number
}

/** Makes it an upload, if there is space. */
export function decideUpload(
  { state, caller, now, fail }: Scope<(typeof STORE_UPLOAD_ERRORS)[number] | 'ACCOUNT_DEACTIVATED'>,
  { file, quotaBytes }: StoreRequest,
): Decision<void> {
  if (!caller.isActive) throw fail('ACCOUNT_DEACTIVATED')
  const spaceUsed = state.uploadSpaceUsed + file.size
  if (spaceUsed > quotaBytes) throw fail('UPLOAD_QUOTA')
  const upload: Upload = { ...file, ownerId: caller.id, createdAt: now }
  return done([{ type: 'attachment/add', upload, spaceUsed }])
}
