/** A mail server that takes mails over SMTP and parses them. */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { TestContext } from '../databases/create-database.ts'

const USER = 'parley'
const PASSWORD = 'p@ss word/'

/** A mail as it arrived. */
export interface ReceivedMail extends Email {
  /** The address of its envelope. */
  readonly recipient: string
  readonly raw: string
}

/** A running mail server. */
export interface MailServer {
  /** The settings of a server that may send here. */
  readonly env: Readonly<Record<string, string>>
  readonly received: ReceivedMail[]
  /** The answers to addresses that get no mail. */
  readonly refusals: Map<string, number>
  /** Recipients that were named, with or without a mail. */
  readonly tried: string[]
  /** Called with each mail before the answer, which fails if it throws; and when a client has left. */
  readonly hooks: {
    beforeAnswer?: ((mail: ReceivedMail) => void) | undefined
    onLeave?: (() => void) | undefined
  }
  /** Mails to an address, oldest first. */
  to(address: string): ReceivedMail[]
  /** Closes all connections at once. */
  cut(): void
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts a mail server that ends with the test. */
export async function startMailServer(t: TestContext): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const tried: string[] = []
  const refusals = new Map<string, number>()
  const hooks: MailServer['hooks'] = {}
  let running: SMTPServer | undefined
  let port = 0
  const start = async () => {
    running = new SMTPServer({
      hideSTARTTLS: true,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, answer) =>
        answer(username === USER && password === PASSWORD ? null : new Error('wrong'), {
          user: username ?? '',
        }),
      onRcptTo({ address }, _session, answer) {
        tried.push(address)
        const responseCode = refusals.get(address)
        answer(responseCode === undefined ? null : Object.assign(new Error('no'), { responseCode }))
      },
      async onData(stream, { envelope }, answer) {
        const raw = await buffer(stream).catch(() => undefined)
        if (!raw) return // Its sender has gone.
        const recipient = envelope.rcptTo[0]?.address ?? ''
        const mail = { ...(await PostalMime.parse(raw)), raw: raw.toString(), recipient }
        received.push(mail)
        try {
          hooks.beforeAnswer?.(mail)
          answer()
        } catch (error) {
          answer(error as Error)
        }
      },
      onClose: () => hooks.onLeave?.(),
    })
    running.on('error', () => undefined) // A client that goes away is no failure of the test.
    running.listen(port, '127.0.0.1')
    await once(running.server, 'listening')
    port = (running.server.address() as AddressInfo).port
  }
  const cut = () => {
    for (const connection of running?.connections ?? []) connection.close()
  }
  const stop = async () => {
    const one = running
    running = undefined
    if (one) await new Promise<void>((resolve) => one.close(resolve))
  }
  await start()
  t.teardown(stop)
  return {
    env: {
      MAIL_URL: `smtp://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
      MAIL_FROM: 'Team chat <chat@example.com>',
    },
    received,
    refusals,
    tried,
    hooks,
    cut,
    to: (address) => received.filter(({ recipient }) => recipient === address),
    stop,
    start,
  }
}
