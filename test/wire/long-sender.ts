/** A thread that sends a long body until an answer comes, and posts the answer. */

import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** The request of a thread: its head, to which it adds the length of its body. */
export interface LongBody {
  readonly port: number
  readonly head: string
  readonly mib: number
}

const MIB = 1024 * 1024

const { port, head, mib } = workerData as LongBody
const socket = connect(port, '127.0.0.1')
let text = ''
let sent = 0
const end = () => parentPort?.postMessage(text)
const more = (): void => {
  if (sent++ < mib && socket.writable && text === '') socket.write(Buffer.alloc(MIB, 'x'), more)
}
socket.on('data', (chunk) => {
  text += String(chunk)
  if (/\r\n\r\n[^]*\}\s*$/.test(text)) end()
})
socket.on('error', () => undefined)
socket.on('close', end)
socket.write(`${head}Content-Length: ${mib * MIB}\r\n\r\n`)
more()
