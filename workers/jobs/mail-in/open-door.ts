/**
 * The door for mails: an SMTP server that takes mails to the addresses of conversations and channels, and no others. A mail
 * is accepted once it is stored.
 */

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import type { SMTPServer, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { ArrivedMail, Storing } from '../../../db/mail/received-mails.ts'
import type { MailInDoor } from '../../../server/domain/settings/mail-in-settings.ts'
import { type Arriving, collectMail, MAIL_BYTES_MAX, markOf } from './collect-mail.ts'
import { CountedNetworks } from './counted-networks.ts'
import type { Answer, MailInFigures } from './mail-in-figures.ts'

/** Connections at a time. */
const CONNECTIONS_MAX = 50
/** Milliseconds of silence. */
const SILENCE_MS_MAX = 60_000
/** Milliseconds that open connections have when the worker stops. */
const CLOSE_MS_MAX = 2_000

/** The parts of the door. */
export interface DoorParts {
  readonly door: MailInDoor
  readonly figures: MailInFigures
  /** The key of an address; undefined if nobody made it. */
  readonly findKey: (address: string) => Promise<string | undefined>
  readonly store: (mail: ArrivedMail) => Promise<Storing>
  /** UNIX milliseconds. */
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}

/** An open door. */
export interface OpenDoor {
  readonly port: number
  /** Whether mail servers can connect: false from the moment at which it begins to close. */
  isOpen(): boolean
  /** Connections at this time. */
  connections(): number
  close(): Promise<void>
}

/** With 4xx senders try again, with 5xx they give up. */
type Refusal = readonly [code: number, text: string]
const UNKNOWN: Refusal = [550, '5.1.1 There is no such address']
const LATER: Refusal = [451, '4.3.0 Please try again later']
const FULL: Refusal = [452, '4.3.1 Too many mails are waiting, please try again later']
const TOO_MANY: Refusal = [450, '4.7.1 Too many mails, please try again later']
const TOO_MANY_CONNECTIONS: Refusal = [421, '4.7.0 Too many connections']
const TOO_LARGE: Refusal = [552, `5.3.4 The mail is larger than ${MAIL_BYTES_MAX} bytes`]
const ONE_RECIPIENT: Refusal = [452, '4.5.3 One recipient at a time, please']

const errorOf = ([responseCode, text]: Refusal) => Object.assign(new Error(text), { responseCode })

/** Opens the door; rejects if its port is taken, or its certificate cannot be read. */
export async function openDoor(parts: DoorParts): Promise<OpenDoor> {
  const { door, onError } = parts
  const library = await import('smtp-server') // Most workers have no door.
  const server: SMTPServer = new library.SMTPServer({
    name: 'mail',
    banner: 'mail for conversations',
    size: MAIL_BYTES_MAX,
    disabledCommands: ['AUTH', ...(door.tls ? [] : ['STARTTLS'])],
    ...(door.tls
      ? { cert: await readFile(door.tls.certificateFile), key: await readFile(door.tls.keyFile) }
      : { hideSTARTTLS: true }),
    disableReverseLookup: true,
    maxClients: CONNECTIONS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    closeTimeout: CLOSE_MS_MAX,
    logger: false,
    ...handlersOf(parts, (session) => {
      for (const one of server.connections) if (one.session.id === session.id) one.close()
    }),
  })
  server.listen(door.port, door.host)
  await once(server.server, 'listening')
  server.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // A client that goes away is no failure of this server.
    if (code === 'EMFILE' || code === 'ENFILE') onError(new Error(`the door for mails: ${message}`))
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    isOpen: () => server.server.listening,
    connections: () => server.connections.size,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The steps of a mail: a connection, a recipient, the text. */
function handlersOf(
  { figures, findKey, store, nowMs, onError }: DoorParts,
  cut: (session: SMTPServerSession) => void,
): Pick<SMTPServerOptions, 'onConnect' | 'onClose' | 'onRcptTo' | 'onData'> {
  const networks = new CountedNetworks(nowMs)
  /** The keys of the recipients, by connection. */
  const keys = new WeakMap<SMTPServerSession, string>()
  const arriving: Arriving = { bytes: 0 }
  const refuse = (answer: Answer, refusal: Refusal) => {
    figures.answers[answer]++
    return errorOf(refusal)
  }
  const fail = (error: unknown) => {
    onError(error)
    return refuse('failed', LATER)
  }

  const checkRecipient = async (address: string, session: SMTPServerSession) => {
    if (session.envelope.rcptTo.length > 0) return errorOf(ONE_RECIPIENT)
    if (!networks.mayName(session)) return refuse('too_many', TOO_MANY)
    const key = await findKey(address)
    if (key === undefined) return refuse('unknown', UNKNOWN)
    keys.set(session, key)
    return null
  }

  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
    const raw = await collectMail(stream, arriving, () => cut(session))
    const recipient = keys.get(session)
    if (raw === 'too_large') return refuse('too_large', TOO_LARGE)
    if (raw === 'full') return refuse('full', FULL)
    if (raw === 'cut' || recipient === undefined) return refuse('failed', LATER)
    try {
      const { mailFrom } = session.envelope
      const envelopeFrom = mailFrom ? mailFrom.address.toLowerCase() : ''
      const stored = await store({ mark: markOf(recipient, raw), recipient, envelopeFrom, raw })
      if (stored === 'too_many') return refuse('too_many', TOO_MANY)
      if (stored === 'full') return refuse('full', FULL)
      figures.answers[stored]++
      return null
    } finally {
      arriving.bytes -= raw.length
    }
  }

  return {
    onConnect: (session, answer) =>
      answer(networks.enter(session) ? null : refuse('too_many', TOO_MANY_CONNECTIONS)),
    onClose: (session) => networks.leave(session),
    onRcptTo: ({ address }, session, answer) =>
      void checkRecipient(address, session).catch(fail).then(answer),
    onData: (stream, session, answer) =>
      void take(stream, session)
        .catch(fail)
        .then((one) => answer(one)),
  }
}
