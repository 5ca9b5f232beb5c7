/** The encryption of web push, by the example of its standard and by a reader of its own. */

import { createECDH, randomBytes } from 'node:crypto'
import t from 'tap'
import { isReceiverKey, makeServerKey } from '../../server/outbound/web-push-keys.ts'
import { encryptWebPush, PLAIN_BYTES_MAX } from '../../workers/jobs/push/web/encrypt-web-push.ts'
import { openPush } from '../harness/providers/start-push-service.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

t.test('[WEBPUSH1] a message is encrypted byte for byte as in appendix A of RFC 8291', async (t) => {
  const body = encryptWebPush(
    {
      p256dh: bytes(
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      ),
      auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
    },
    Buffer.from('When I grow up, I want to be a watermelon'),
    {
      privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
      salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    },
  )
  t.equal(
    body.toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

t.test(
  '[WEBPUSH2] a message of up to 3,993 bytes is one record, which only its receiver opens',
  async (t) => {
    const pair = createECDH('prime256v1')
    const [p256dh, auth] = [pair.generateKeys(), randomBytes(16)]
    for (const length of [0, 1, 500, PLAIN_BYTES_MAX]) {
      const plain = 'x'.repeat(length)
      const body = encryptWebPush({ p256dh, auth }, Buffer.from(plain))
      t.equal(openPush(pair, p256dh, auth, body), plain)
      t.ok(body.length <= 4096)
      t.throws(() => openPush(pair, p256dh, randomBytes(16), body), Error, 'another secret opens nothing')
      t.notSame(encryptWebPush({ p256dh, auth }, Buffer.from(plain)), body, 'no two are the same')
    }
    t.throws(() => encryptWebPush({ p256dh, auth }, Buffer.alloc(PLAIN_BYTES_MAX + 1)), RangeError)
  },
)

t.test('[WEBPUSH3] a key of a receiver is an uncompressed point on the curve', async (t) => {
  const { publicKey, privateKey } = makeServerKey()
  t.same([publicKey.length, privateKey.length], [65, 32])
  t.ok(isReceiverKey(publicKey))
  const off = Buffer.from(publicKey)
  off[64] = (off[64] as number) ^ 1
  const hybrid = Buffer.concat([Buffer.of(6 + ((publicKey[64] as number) & 1)), publicKey.subarray(1)])
  const compressed = Buffer.concat([Buffer.of(2), publicKey.subarray(1, 33)])
  for (const wrong of [off, hybrid, compressed, publicKey.subarray(1), Buffer.alloc(65), Buffer.alloc(0)])
    t.notOk(isReceiverKey(wrong))
})
