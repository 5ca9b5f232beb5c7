/** An S3 server in a process of its own, which a test can stop, pause and start again. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from '../databases/create-database.ts'
import { makeFolder } from '../client/tus.ts'

/** The credentials that it takes; it does not check the secret. */
const [KEY, SECRET] = ['S3RVER', 'S3RVER']

/** A running S3 server. */
export interface ObjectStore {
  /** The setting FILES_URL for a place of its own in the bucket. */
  address(prefix: string, given?: { readonly key?: string; readonly bucket?: string }): string
  /** The names of all objects. */
  objects(): Promise<string[]>
  /** The ids of multipart uploads that are neither joined nor given up. */
  uploads(): Promise<string[]>
  /** The bytes of all objects and parts. */
  bytes(): Promise<number>
  /** Joins the parts of the next multipart upload without an answer: the connection breaks. */
  loseNextJoin(): Promise<void>
  pause(): void
  resume(): void
  stop(): Promise<void>
  /** Starts it again at the same port. */
  start(): Promise<void>
}

/** Starts it; it ends with the test. */
export async function startObjectStore(t: TestContext): Promise<ObjectStore> {
  const folder = await makeFolder(t)
  let child: ChildProcess | undefined
  let port = 0
  const stop = async () => {
    if (!child) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    child = undefined
  }
  t.teardown(stop)
  const start = async () => {
    child = spawn(process.execPath, [join(import.meta.dirname, 'object-store.mjs'), folder, String(port)], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const line of createInterface(child.stdout as NodeJS.ReadableStream)) {
      port = Number(line)
      child.stdout?.resume()
      return
    }
    throw new Error('the S3 server ended before it listened')
  }
  await start()
  const bucket = join(folder, 'files')
  return {
    address: (prefix, { key = KEY, bucket: name = 'files' } = {}) =>
      `s3://${key}:${SECRET}@${name}/${prefix}?endpoint=http://127.0.0.1:${port}`,
    async objects() {
      const names = await listAll(bucket)
      const mark = '._S3rver_object'
      return names.filter((name) => name.endsWith(mark)).map((name) => name.slice(0, -mark.length))
    },
    bytes: () => countBytes(bucket),
    uploads: () => readdir(join(bucket, '._S3rver_uploads')).catch(() => []),
    loseNextJoin: () => writeFile(join(folder, '._loses_answer'), ''),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    stop,
    start,
  }
}

/** The bytes of all files in a folder; files may go meanwhile. */
export async function countBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)))
  return found.reduce((bytes, file) => bytes + (file?.isFile() ? file.size : 0), 0)
}

/** Everything in a folder. One inside that the store removes meanwhile fails the listing, which then begins again. */
async function listAll(folder: string): Promise<string[]> {
  for (;;) {
    try {
      return await readdir(folder, { recursive: true })
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' || path === folder) throw error
    }
  }
}
