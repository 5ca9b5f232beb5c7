/** The parts that make messages of mails. */

import { Imager } from '../../pool/imager.ts'
import { MailReader } from '../../pool/mail-reader.ts'
import { MailInFigures } from './mail-in-figures.ts'
import type { MailInWork } from './post-mails.ts'

/** Milliseconds of the processor for one mail: the largest ordinary ones take some hundred. */
const READ_MS_MAX = 10_000
/** The same for one picture, as in a web process. */
const IMAGE_MS_MAX = 15_000

/** The limits of uploads, as the operator set them. */
interface UploadSettings {
  /** MiB of one file. */
  readonly uploadMibMax: number
  /** MiB of all files together; undefined without a limit. */
  readonly uploadQuotaMib: number | undefined
  readonly redirectsFiles: boolean
}

/** Makes them; their threads start with the first mail. */
export function createMailInWork(
  config: UploadSettings,
  given: Pick<MailInWork, 'sql' | 'fileStore' | 'openSender' | 'logger' | 'onError'>,
  closers: (() => unknown)[],
): Omit<MailInWork, 'ownHost'> {
  const reader = new MailReader(READ_MS_MAX)
  closers.push(() => reader.close())
  const imager = new Imager(IMAGE_MS_MAX)
  closers.push(() => imager.close())
  const uploads = {
    mibMax: config.uploadMibMax,
    quotaMib: config.uploadQuotaMib ?? null,
    isRedirected: config.redirectsFiles,
  }
  return { ...given, reader, imager, uploads, figures: new MailInFigures() }
}
