/** `export FILE`: the organization in one archive, beside running servers. */

import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { loadHolds } from '../../db/holds/legal-holds.ts'
import { findUserId } from '../../db/accounts/users.ts'
import { foldCase } from '../../packages/rules/fold-case.ts'
import {
  type ExportContents,
  type HoldContents,
  nameOfContents,
  type PersonContents,
} from '../changes/exports/export-scope.ts'
import type { HoldId } from '../domain/ids.ts'
import { type ExportCounts, type TakeArchive, writeExport } from '../changes/exports/write-export.ts'
import { exportChannel } from './export-channel.ts'
import { ChangeRefused } from '../errors/change-refused.ts'
import type { FileStore } from '../files/file-store.ts'
import { Progress } from './progress.ts'

/** The parts of the command. */
export interface ExportOptions {
  readonly databaseUrl: string
  readonly fileStore: FileStore
  readonly path: string
  /** The address of a running server for people. */
  readonly publicUrl: string
  readonly contents: GivenContents
}

/** The contents of an export; a person is named by their address, and a hold by its name. */
export type GivenContents =
  | Exclude<ExportContents, PersonContents | HoldContents>
  | { readonly address: string }
  /** The name of a legal hold. */
  | { readonly holdName: string }
  /** The pages of a channel. */
  | { readonly channel: string }

/** The summary of an export. */
export interface ExportResult extends ExportCounts {
  readonly file: string
  readonly contents: string
  readonly bytes: number
}

/** Writes an export; resolves with its summary. Rejects without leaving a file. */
export async function exportToFile(options: ExportOptions): Promise<ExportResult | object> {
  const { contents: given } = options
  if (typeof given === 'object' && 'channel' in given) {
    const take = await openTarget(options.path)
    return { file: options.path, ...(await exportChannel({ ...options, ...given, take })) }
  }
  const { path, databaseUrl, fileStore } = options
  const contents = await findContents(given, databaseUrl)
  const progress = new Progress('export')
  progress.step = 'people and channels'
  const onProgress = (part: number) => {
    progress.step = `messages, ${Math.floor(part * 100)} %`
  }
  try {
    const request = { databaseUrl, fileStore, contents, now: new Date(), onProgress }
    const { bytes, counts } = await writeExport(request, await openTarget(path))
    return { file: path, contents: nameOfContents(contents), bytes, ...counts }
  } finally {
    progress.stop()
  }
}

async function findContents(
  contents: Exclude<GivenContents, { readonly channel: string }>,
  databaseUrl: string,
): Promise<ExportContents> {
  if (typeof contents === 'string') return contents
  const sql = connect(databaseUrl, 1, 'parley-admin')
  try {
    if ('holdName' in contents) return { hold: await findHold(sql, contents.holdName) }
    const person = await findUserId(sql, contents.address)
    if (person === undefined) throw new ChangeRefused(`there is no user ${contents.address}`)
    return { person }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function findHold(sql: Sql, name: string): Promise<HoldId> {
  const found = (await loadHolds(sql)).find((hold) => foldCase(hold.name) === foldCase(name))
  if (!found) throw new ChangeRefused(`there is no legal hold ${name}`)
  return found.id
}

/** A new file, which gets its name when it is whole. */
async function openTarget(path: string): Promise<TakeArchive> {
  if (await exists(path)) throw new ChangeRefused(`${path} already exists`)
  const partial = `${path}.partial`
  return async (bytes) => {
    // It has private data: only its owner may read it.
    const file = createWriteStream(partial, { mode: 0o600, flush: true })
    try {
      await pipeline(Readable.from(bytes, { objectMode: false }), file)
      await rename(partial, path)
      return file.bytesWritten
    } catch (error) {
      await rm(partial, { force: true })
      throw error
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}
