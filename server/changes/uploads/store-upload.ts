/** Makes a file that arrived an upload, of which its owner is told. */

import { findUpload, noteArrival } from '../../../db/uploads.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { detectContentType, SNIFFED_BYTES } from '../../domain/content-types.ts'
import type { User } from '../../domain/entities.ts'
import { cleanFileName, type Upload, uploadPath, uploadUrl } from '../../domain/uploads.ts'
import { UserSet } from '../../domain/user-set.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { inspectUpload } from './inspect-upload.ts'
import { discardArrival } from './receive-upload.ts'
import { type ArrivedFile, BYTES_PER_MIB, type Filing } from './uploads.ts'

/** What can be wrong with a file that came whole. */
export const STORE_UPLOAD_ERRORS = ['UPLOAD_QUOTA'] as const

/** What a client is told of its upload. */
export interface StoredUpload {
  readonly url: string
  /** As links call it. */
  readonly filename: string
}

/**
 * Makes an arrived file an upload of a user. May be called again with the same file: it is one upload. Throws the
 * failures of `STORE_UPLOAD_ERRORS`; then the file is gone.
 */
export async function finishUpload(services: Filing, user: User, file: ArrivedFile): Promise<StoredUpload> {
  const { sql, committer, clock, uploads } = services
  const name = cleanFileName(file.name)
  const path = uploadPath(file.key, name)
  const stored = { url: uploadUrl(path), filename: name }
  if (await findUpload(sql, path)) return stored
  const contentType = detectContentType(await readHead(services, file))
  const inspected = await inspectUpload(services, {
    key: file.key,
    contentType,
    userId: user.id,
  })
  const id = await noteArrival(sql, { ownerId: user.id, path, name })
  const createdAt = nowSeconds(clock)
  try {
    return await committer.submit({
      kind: 'structure',
      decide(state) {
        if (!state.getUser(user.id).isActive) throw fail('ACCOUNT_DEACTIVATED')
        const spaceUsed = state.uploadSpaceUsed + file.size
        if (exceedsQuota(spaceUsed, uploads.quotaMib)) throw fail('UPLOAD_QUOTA')
        const upload: Upload = {
          id,
          ownerId: user.id,
          path,
          name,
          contentType,
          size: file.size,
          createdAt,
          ...inspected,
        }
        const event = { type: 'attachment/add', upload, spaceUsed } as const
        return {
          events: [{ event, audience: { kind: 'users', users: UserSet.of([user.id]) } }],
          reply: () => stored,
        }
      },
    })
  } catch (error) {
    // Of any other failure it is not known whether it was committed: a job will see.
    if (error instanceof ApiError) await discardArrival(services, { key: file.key, name })
    throw error
  }
}

function exceedsQuota(spaceUsed: number, quotaMib: number | null): boolean {
  return quotaMib !== null && spaceUsed > quotaMib * BYTES_PER_MIB
}

async function readHead({ fileStore }: Filing, { key, size }: ArrivedFile): Promise<Uint8Array> {
  if (size === 0) return new Uint8Array()
  const chunks: Uint8Array[] = []
  for await (const chunk of await fileStore.open(key, 0, SNIFFED_BYTES - 1)) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
