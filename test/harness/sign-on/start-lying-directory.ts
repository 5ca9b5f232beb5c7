/** A directory that lies: it speaks LDAP over TCP, and says whatever a test wants. */

import { createServer, type Socket } from 'node:net'
import { BerReader, BerWriter } from 'ldapts'
import type { TestContext } from '../databases/create-database.ts'
import { listenLocally } from '../servers/listen-locally.ts'

/** Kinds of requests and answers, by RFC 4511. */
const BIND = 0x60
const SEARCH = 0x63
const EXTENDED = 0x77
const ANSWER_OF = new Map([
  [BIND, 0x61],
  [SEARCH, 0x65],
  [EXTENDED, 0x78],
])
const ENTRY = 0x64

/** An entry of an answer: its name, and values by attribute. */
export interface LyingEntry {
  readonly dn: string
  readonly values: Readonly<Record<string, readonly string[]>>
}

/** A running directory. */
export interface LyingDirectory {
  readonly env: Readonly<Record<string, string>>
  /** The entries of every search. */
  entries: readonly LyingEntry[]
  /** The status of every bind. */
  bindStatus: number
  /** Instead of an answer to a kind of request. */
  odd: ((socket: Socket, kind: 'bind' | 'search' | 'tls', answer: Buffer) => void) | undefined
  /** The kinds of all requests, in order. */
  readonly requests: string[]
  connections: number
}

/** Starts a directory that takes each password. */
export async function startLyingDirectory(t: TestContext): Promise<LyingDirectory> {
  const directory = {
    env: {},
    entries: [] as readonly LyingEntry[],
    bindStatus: 0,
    odd: undefined as LyingDirectory['odd'],
    requests: [] as string[],
    connections: 0,
  }
  const server = createServer((socket) => {
    directory.connections++
    socket.on('error', () => undefined) // The client may be gone.
    t.teardown(() => socket.destroy())
    let bytes = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      for (let length = messageLength(bytes); length > 0; length = messageLength(bytes)) {
        respond(socket, directory, bytes.subarray(0, length))
        bytes = bytes.subarray(length)
      }
    })
  })
  const url = new URL(await listenLocally(t, server))
  directory.env = { LDAP_URL: `ldap://${url.host}`, LDAP_BASE: 'dc=example,dc=com' }
  return directory
}

/** The bytes of the first message; 0 if it is not there yet. */
function messageLength(bytes: Buffer): number {
  if (bytes.length < 2) return 0
  const reader = new BerReader(bytes)
  reader.readSequence()
  const length = reader.offset + reader.length
  return bytes.length < length ? 0 : length
}

function respond(socket: Socket, directory: LyingDirectory, message: Buffer): void {
  const reader = new BerReader(message)
  reader.readSequence()
  const id = reader.readInt() ?? 0
  const kind = reader.peek() ?? 0
  const answerKind = ANSWER_OF.get(kind)
  if (answerKind === undefined) return // The end of a connection has no answer.
  const name = kind === BIND ? 'bind' : kind === SEARCH ? 'search' : 'tls'
  directory.requests.push(name)
  const entries = kind === SEARCH ? directory.entries.map((entry) => encodeEntry(id, entry)) : []
  const status = kind === BIND ? directory.bindStatus : 0
  const answer = Buffer.concat([...entries, encodeResult(id, answerKind, status)])
  if (directory.odd) directory.odd(socket, name, answer)
  else socket.write(answer)
}

/** A message with a status. */
export function encodeResult(id: number, kind: number, status: number): Buffer {
  return encode(id, kind, (writer) => {
    writer.writeEnumeration(status)
    writer.writeString('')
    writer.writeString('')
  })
}

function encodeEntry(id: number, { dn, values }: LyingEntry): Buffer {
  return encode(id, ENTRY, (writer) => {
    writer.writeString(dn)
    writer.startSequence()
    for (const [name, texts] of Object.entries(values)) {
      writer.startSequence()
      writer.writeString(name)
      writer.startSequence(0x31)
      for (const text of texts) writer.writeString(text)
      writer.endSequence()
      writer.endSequence()
    }
    writer.endSequence()
  })
}

function encode(id: number, kind: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(kind)
  write(writer)
  writer.endSequence()
  writer.endSequence()
  return writer.buffer
}
