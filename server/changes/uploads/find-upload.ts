/** Finds one upload by its path, if a user may read it. */

import { findUpload } from '../../../db/files/uploads.ts'
import type { User } from '../../domain/entities.ts'
import type { Upload } from '../../domain/files/uploads.ts'
import { mayReadUpload } from './upload-access.ts'
import type { Filing } from './uploads.ts'

/** The upload, or undefined if the user may not read it: absent and forbidden look alike. */
export async function findReadableUpload(
  services: Pick<Filing, 'sql' | 'state'>,
  user: User,
  path: string,
): Promise<Upload | undefined> {
  const upload = await findUpload(services.sql, path)
  return upload && (await mayReadUpload(upload, user, services)) ? upload : undefined
}
