/** The protocol of NATS: lines of text. A message is acknowledged when its stream has stored it. */

import type { Dialect } from './dialect.ts'
import { LineSocket } from './line-socket.ts'

const CONNECT = 'CONNECT {"verbose":false,"pedantic":false,"lang":"bench","version":"1","protocol":1}\r\n'
const ACKNOWLEDGEMENT = /MSG reply\.(\d+) \d+ \d+\r\n(\{[^}]*\})/g

/** `subject` is stored by a stream. */
export function natsDialect(port: number, subject: string): Dialect {
  const open = async (
    subscription: string,
    onText: (text: string) => void,
    onLost: (reason: string) => void,
  ) => {
    const socket = new LineSocket(port, onLost)
    socket.onText = (text) => {
      if (text.includes('PING\r\n')) socket.write('PONG\r\n')
      if (text.includes('-ERR')) onLost(text)
      onText(text)
    }
    await socket.ask(`${CONNECT}SUB ${subscription} 1\r\nPING\r\n`, 'PONG\r\n')
    return socket
  }
  return {
    listen: (_, onText, onLost) => open(subject, onText, onLost),
    async openSender(onLost) {
      const waiting = new Map<string, () => void>()
      let count = 0
      let rest = ''
      const socket = await open(
        'reply.*',
        (text) => {
          rest += text
          let end = 0
          for (const { 0: whole, 1: id = '', 2: answer = '', index } of rest.matchAll(ACKNOWLEDGEMENT)) {
            end = index + whole.length
            if (!answer.includes('"seq"')) onLost(answer)
            waiting.get(id)?.()
            waiting.delete(id)
          }
          rest = rest.slice(end)
        },
        onLost,
      )
      return {
        send: (text) =>
          new Promise((resolve) => {
            const id = String(count++)
            waiting.set(id, resolve)
            socket.write(`PUB ${subject} reply.${id} ${text.length}\r\n${text}\r\n`)
          }),
        close: () => socket.close(),
      }
    },
  }
}

/** Makes a stream that stores a subject in a file. */
export async function createStream(port: number, subject: string): Promise<void> {
  const socket = new LineSocket(port, () => {})
  const wanted = JSON.stringify({
    name: subject.toUpperCase(),
    subjects: [subject],
    storage: 'file',
    num_replicas: 1,
  })
  await socket.ask(
    `${CONNECT}SUB made 1\r\nPUB $JS.API.STREAM.CREATE.${subject.toUpperCase()} made ${wanted.length}\r\n${wanted}\r\n`,
    '"created"',
  )
  socket.close()
}
