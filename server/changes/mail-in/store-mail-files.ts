/** Makes the files of a mail uploads of a user. A repeated run makes each once. */

import { hash } from 'node:crypto'
import { findUpload, noteArrival } from '../../../db/files/uploads.ts'
import type { User } from '../../domain/entities.ts'
import { cleanFileName, uploadPath } from '../../domain/files/uploads.ts'
import { FileTooLargeError } from '../../files/file-store.ts'
import { discardArrival } from '../uploads/receive-upload.ts'
import { finishUpload } from '../uploads/store-upload.ts'
import { BYTES_PER_MIB, type Filing } from '../uploads/uploads.ts'
import { textId } from '../../../packages/texts/texts.ts'
import { MailRefusal } from './mail-refusal.ts'

/** A file of a mail. */
export interface MailFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Stores the files; answers a link to each, in Markdown. `mailId` is a secret of the server: keys of files follow from it. */
export async function storeMailFiles(
  services: Filing,
  user: User,
  mailId: string,
  files: readonly MailFile[],
): Promise<readonly string[]> {
  const links: string[] = []
  for (const [index, file] of files.entries()) {
    const url = await storeFile(services, user, keyOf(mailId, index), file)
    links.push(`[${cleanFileName(file.name).replaceAll(/[[\]\\`]/g, '')}](${url})`)
  }
  return links
}

async function storeFile(services: Filing, user: User, key: string, file: MailFile): Promise<string> {
  const { sql, fileStore, uploads } = services
  const name = cleanFileName(file.name)
  const path = uploadPath(key, name)
  if (!(await findUpload(sql, path))) {
    // The row comes first: a job uses it to find the bytes of a dead process.
    await noteArrival(sql, { ownerId: user.id, path, name })
    try {
      await fileStore.write(key, only(file.bytes), uploads.mibMax * BYTES_PER_MIB)
    } catch (error) {
      if (!(error instanceof FileTooLargeError)) throw error
      await discardArrival(services, { key, name })
      throw new MailRefusal(textId('A file in it is larger than {size} MiB.'), { size: uploads.mibMax })
    }
  }
  const { url } = await finishUpload(services, user, { key, name, size: file.bytes.length })
  return url
}

/** The same for each run, so that a run after a kill finds the file of the run before. */
function keyOf(mailId: string, index: number): string {
  const bytes = hash('sha256', `${mailId} ${index}`, 'buffer')
  return `${bytes.subarray(0, 1).toString('hex')}/${bytes.subarray(1, 19).toString('base64url')}`
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
