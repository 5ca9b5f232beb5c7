/** One upload by its path, where a user may read it. */

import { findUpload } from '../../../db/uploads.ts'
import type { User } from '../../domain/entities.ts'
import type { Upload } from '../../domain/uploads.ts'
import type { Services } from '../services.ts'
import { mayReadUpload } from '../../changes/uploads/upload-access.ts'

/** The upload, or undefined where the user may not read it: absent and forbidden look alike. */
export async function findReadableUpload(
  services: Pick<Services, 'sql' | 'state'>,
  user: User,
  path: string,
): Promise<Upload | undefined> {
  const upload = await findUpload(services.sql, path)
  return upload && (await mayReadUpload(upload, user, services)) ? upload : undefined
}
