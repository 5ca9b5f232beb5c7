/**
 * Rolls dice: `@**Dice** 2d6` is answered with two numbers. An outgoing webhook: the server calls this program, which needs
 * no key and no connection of its own.
 *
 *     SIGNING_SECRET=whsec_… PORT=9000 node dice-bot.ts
 *
 * Make a bot of the type "outgoing webhook" with the address of this program, and take the secret from
 * `GET /bots/{bot_id}/signing_secret`. An address inside the server's own network must be in its `OUTBOUND_ALLOWED`.
 */

import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'

const { SIGNING_SECRET: secret = '', PORT: port = '9000' } = process.env
if (secret === '') throw new Error('SIGNING_SECRET must be set: without it anybody could call')
const secretBytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

const BODY_BYTES_MAX = 1_000_000
/** An older call may be a repeated one of somebody who saw it. */
const AGE_SECONDS_MAX = 300
const DICE_MAX = 20
const SIDES_MAX = 1_000

/** The parts of a call that are used here. */
interface Call {
  /** The message, in Markdown. */
  readonly data: string
  readonly trigger: 'mention' | 'direct_message'
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > BODY_BYTES_MAX) throw new Error('the body is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Checks the signature by the Standard Webhooks specification; its library does the same. */
function isSigned({ headers }: IncomingMessage, body: Buffer): boolean {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`] ?? ''),
  ) as [string, string, string]
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < AGE_SECONDS_MAX)) return false
  const expected = createHmac('sha256', secretBytes).update(`${id}.${time}.`).update(body).digest()
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

function roll({ data }: Call): string {
  const [, dice = '1', sides = '6'] = /\b(\d{1,2})d(\d{1,4})\b/.exec(data) ?? []
  const [count, sideCount] = [Number(dice), Number(sides)]
  if (count < 1 || count > DICE_MAX || sideCount < 2 || sideCount > SIDES_MAX)
    return `I have ${DICE_MAX} dice with at most ${SIDES_MAX} sides.`
  const rolled = Array.from({ length: count }, () => 1 + randomInt(sideCount))
  return `:dice: ${rolled.join(', ')}`
}

const server = createServer(async (request, response) => {
  try {
    const body = await readBody(request)
    if (!isSigned(request, body)) return response.writeHead(403).end()
    const content = roll(JSON.parse(body.toString()) as Call)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ content }))
  } catch (error) {
    console.error(error)
    response.writeHead(400).end()
  }
})
server.listen(Number(port), '127.0.0.1', () => console.log(`dice: ${JSON.stringify(server.address())}`))
