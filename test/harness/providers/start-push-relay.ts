/**
 * A push relay with its phones: it knows servers by credentials and phones by tokens, and forwards sealed
 * messages.
 */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import type { TestContext } from '../databases/create-database.ts'
import { listenLocally } from '../servers/listen-locally.ts'

const PATH = '/api/v1/remotes/push/'
const ANNOUNCE_PATH = '/api/v1/remotes/server/analytics'
const ID = 'the-server'
const KEY = 'key of the server'
/** The key with which phones seal. */
const PUBLIC_KEY = 'public key of the relay'

/** One message for a phone. */
export interface PushRequest {
  readonly token_id: string
  readonly payload: { readonly encrypted_data: string }
}

/** The fields of all requests of a server. */
export interface RelayFields {
  readonly encrypted_push_registration: string
  readonly bouncer_public_key: string
  readonly token_id: string
  readonly token: string
  readonly push_requests: readonly PushRequest[]
  readonly base_payload: unknown
  readonly gcm_payload: unknown
  readonly apns_payload: unknown
  readonly android_devices: readonly string[]
  readonly apple_devices: readonly string[]
  readonly realm_uuid: string
  readonly realms?: readonly AnnouncedRealm[]
}

/** An organization as servers announce it. */
interface AnnouncedRealm {
  readonly uuid: string
  readonly name: string
  readonly url: string
}

/** A form whose values are JSON. */
const readForm = (sent: string): RelayFields =>
  Object.fromEntries(
    [...new URLSearchParams(sent)].map(([name, value]) => [name, JSON.parse(value)]),
  ) as unknown as RelayFields

/** A phone with its key and its token. */
export interface Phone {
  readonly keyId: number
  readonly key: Buffer
  readonly tokenId: string
  /** The parameters with which a client registers it. */
  readonly keyFields: Record<string, unknown>
  readonly tokenFields: Record<string, unknown>
  /** Arrived messages as visible on the way; only the phone can read their content. */
  readonly received: { readonly request: PushRequest; readonly content: () => unknown }[]
}

/** An answer instead of the default: a status with a body, a broken connection, or none. */
export type OddAnswer = { readonly status: number; readonly body?: string } | 'broken' | 'silent'

/** A running relay. */
export interface PushRelay {
  readonly url: string
  /** The settings of a registered server. */
  readonly env: Readonly<Record<string, string>>
  /** All requests, with valid or invalid credentials, in order. */
  readonly requests: { readonly path: string; readonly fields: RelayFields }[]
  /** The answer to every request while it is set. */
  odd: OddAnswer | undefined
  /** Whether it serves only organizations that were announced. */
  needsAnnouncement: boolean
  /** Whether it says that it serves the organization. */
  serves: boolean
  /** Announced organizations by their ids. */
  readonly announced: Map<string, AnnouncedRealm>
  /** Registered tokens of older apps. */
  readonly tokens: Set<string>
  /** Messages that arrived for these tokens. */
  readonly received: { readonly token: string; readonly payload: unknown }[]
  createPhone(kind?: 'apns' | 'fcm'): Phone
  /** Ends all connections. */
  hangUp(): void
  /** Refuses connections until `listen`. */
  refuse(): Promise<void>
  listen(): Promise<void>
  /** The delivery service reports that a phone is gone. */
  forget(phone: Phone): void
}

/** Starts a relay that ends with the test. */
export async function startPushRelay(t: TestContext): Promise<PushRelay> {
  const phonesBySeal = new Map<string, Phone>()
  const phones = new Map<string, Phone>()
  const answer = (path: string, fields: RelayFields): readonly [status: number, body: object] => {
    const success = (more: object = {}) => [200, { result: 'success', msg: '', ...more }] as const
    const error = (code: string) => [400, { result: 'error', msg: code, code }] as const
    if (path === 'announce') {
      for (const one of fields.realms ?? []) relay.announced.set(one.uuid, one)
      return success({ realms: {} })
    }
    if (relay.needsAnnouncement && !relay.announced.has(fields.realm_uuid))
      return error('MISSING_REMOTE_REALM')
    switch (path) {
      case 'e2ee/register': {
        const phone = phonesBySeal.get(fields.encrypted_push_registration)
        if (fields.bouncer_public_key !== PUBLIC_KEY) return error('INVALID_BOUNCER_PUBLIC_KEY')
        if (!phone) return error('BAD_REQUEST')
        phones.set(fields.token_id, phone)
        return success()
      }
      case 'e2ee/notify': {
        const gone: string[] = []
        for (const request of fields.push_requests) {
          const phone = phones.get(request.token_id)
          if (phone) phone.received.push({ request, content: () => decrypt(phone, request.payload) })
          else gone.push(request.token_id)
        }
        const count = fields.push_requests.length - gone.length
        return success({
          android_successfully_sent_count: count,
          apple_successfully_sent_count: 0,
          delete_token_ids: gone,
          realm: { can_push: relay.serves, expected_end_timestamp: null },
        })
      }
      case 'register':
        relay.tokens.add(fields.token)
        return success()
      case 'unregister':
        return relay.tokens.delete(fields.token) ? success() : error('BAD_REQUEST')
      case 'notify': {
        const gone = { android_devices: [] as string[], apple_devices: [] as string[] }
        for (const [list, form] of [
          ['android_devices', 'gcm_payload'],
          ['apple_devices', 'apns_payload'],
        ] as const)
          for (const token of fields[list]) {
            if (relay.tokens.has(token)) relay.received.push({ token, payload: fields[form] })
            else gone[list].push(token)
          }
        return success({
          total_android_devices: 0,
          total_apple_devices: 0,
          deleted_devices: gone,
          realm: { can_push: relay.serves, expected_end_timestamp: null },
        })
      }
      case 'test_notification':
        if (!relay.tokens.has(fields.token)) return error('INVALID_REMOTE_PUSH_DEVICE_TOKEN')
        relay.received.push({ token: fields.token, payload: fields.base_payload })
        return success()
      default:
        return [404, {}]
    }
  }
  const server = createServer(async (request, response) => {
    const sent = await text(request)
    const isAnnouncement = request.url === ANNOUNCE_PATH
    const path = isAnnouncement ? 'announce' : (request.url?.slice(PATH.length) ?? '')
    const fields = isAnnouncement ? readForm(sent) : (JSON.parse(sent) as RelayFields)
    if (!isAnnouncement) relay.requests.push({ path, fields })
    const { odd } = relay
    if (odd === 'silent') return
    if (odd === 'broken') {
      request.socket.destroy()
      return
    }
    if (odd) {
      response.writeHead(odd.status, { 'content-type': 'application/json' })
      response.end(odd.body ?? '')
      return
    }
    const authorization = `Basic ${Buffer.from(`${ID}:${KEY}`).toString('base64')}`
    const [status, body] =
      request.headers.authorization === authorization ? answer(path, fields) : [401, { result: 'error' }]
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  const url = await listenLocally(t, server)
  const relay: PushRelay = {
    url,
    env: { PUSH_RELAY_URL: `${url}/`, PUSH_RELAY_ID: ID, PUSH_RELAY_KEY: KEY, PUSH_TEST_SECONDS: '10' },
    requests: [],
    odd: undefined,
    needsAnnouncement: false,
    serves: true,
    announced: new Map(),
    tokens: new Set(),
    received: [],
    createPhone(kind = 'fcm') {
      const keyId = randomBytes(4).readUInt32BE()
      const key = randomBytes(32)
      const tokenId = randomBytes(8).toString('base64')
      const seal = randomBytes(200).toString('base64')
      const phone: Phone = {
        keyId,
        key,
        tokenId,
        keyFields: { push_key_id: keyId, push_key: Buffer.concat([Buffer.of(0x31), key]).toString('base64') },
        tokenFields: {
          token_kind: kind,
          token_id: tokenId,
          bouncer_public_key: PUBLIC_KEY,
          encrypted_push_registration: seal,
        },
        received: [],
      }
      phonesBySeal.set(seal, phone)
      return phone
    },
    hangUp: () => server.closeAllConnections(),
    async refuse() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    async listen() {
      server.listen(Number(new URL(url).port), '127.0.0.1')
      await once(server, 'listening')
    },
    forget({ tokenId }) {
      phones.delete(tokenId)
    },
  }
  return relay
}

function decrypt(phone: Phone, { encrypted_data }: { encrypted_data: string }): unknown {
  const bytes = Buffer.from(encrypted_data, 'base64')
  const content = xsalsa20poly1305(phone.key, bytes.subarray(0, 24)).decrypt(bytes.subarray(24))
  return JSON.parse(Buffer.from(content).toString())
}
