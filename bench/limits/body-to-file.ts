/** The limit of uploads: bare uWebSockets.js that writes each body to a file, and answers once it is on disk. */

import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { loadUws } from '../../server/wire/transport/uws.ts'
import { serveCalls } from '../start/remote.ts'

/** Bytes that wait for the disk before the client is paused: as in the server. */
const WAITING_BYTES_MAX = 1024 * 1024

const { uws } = loadUws()
const app = uws.App()
let path = ''
let file: FileHandle
let end = 0

app.put('/*', (res) => {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let isWhole = false
  let isWriting = false
  let isPaused = false
  res.onAborted(() => {
    throw new Error('the load went away')
  })
  const write = async () => {
    isWriting = true
    while (waiting.length > 0) {
      const chunks = waiting
      waiting = []
      waitingBytes = 0
      if (isPaused) res.resume()
      isPaused = false
      for (const chunk of chunks) {
        await file.write(chunk, 0, chunk.length, end)
        end += chunk.length
      }
    }
    isWriting = false
    if (!isWhole) return
    isWhole = false
    await file.datasync()
    res.cork(() => res.writeStatus('204 No Content').endWithoutBody())
  }
  res.onData((chunk, isLast) => {
    waiting.push(Buffer.from(chunk.slice(0)))
    waitingBytes += chunk.byteLength
    isWhole = isLast
    if (!isLast && waitingBytes >= WAITING_BYTES_MAX) {
      isPaused = true
      res.pause()
    }
    if (!isWriting) void write()
  })
})

const calls = {
  /** Returns the port. */
  async start({ folder }: { folder: string }): Promise<number> {
    path = join(folder, 'limit')
    return new Promise((resolve, reject) => {
      app.listen('127.0.0.1', 0, (socket) => {
        if (socket) resolve(uws.us_socket_local_port(socket))
        else reject(new Error('the limit cannot listen'))
      })
    })
  },

  /** Starts with an empty file; returns its path. */
  async begin(): Promise<string> {
    await rm(path, { force: true })
    file = await open(path, 'w')
    end = 0
    return path
  },

  async close(): Promise<void> {
    await file.close()
  },
}

export type BodyToFile = typeof calls
serveCalls(calls)
