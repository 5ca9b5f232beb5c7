/** Compressed answers: their content, conditions and recipients. */

import { get } from 'node:http'
import { crc32, gunzipSync } from 'node:zlib'
import t from 'tap'
import { joinPieces, type JsonPiece, CachedPiece } from '../../server/views/json-pieces.ts'
import { joinChecksums, shiftOf } from '../../server/wire/checksum.ts'
import { gzipPieces } from '../../server/wire/gzip.ts'
import { makeRandom } from '../events/make-random.ts'
import { retainedBytes } from '../harness/servers/retained-bytes.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

t.test('[GZIP1] checksums of parts combine to that of the whole', async (t) => {
  const bytes = Buffer.from('Ein Satz, der in zwei Teile zerfällt. '.repeat(5_000))
  for (const at of [0, 1, 2, 7, 8, 255, 256, 65_535, 65_536, bytes.length - 1, bytes.length]) {
    const [first, second] = [bytes.subarray(0, at), bytes.subarray(at)]
    t.equal(joinChecksums(crc32(first), crc32(second), shiftOf(second.length)), crc32(bytes), `at ${at}`)
  }
})

t.test('[GZIP2] pieces decompress to themselves, before and after they are compressed', async (t) => {
  const kept = (text: string) => new CachedPiece(Buffer.from(text))
  const long = kept(JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Nämé ${id}` }))))
  const pieces = [
    '[',
    long,
    ',',
    'é"'.repeat(70_000),
    kept(''),
    Buffer.from('{}'),
    ',',
    '',
    kept('1'),
    '},',
    long,
    ']',
  ]
  const whole = Buffer.from(joinPieces(pieces))
  t.ok(gunzipSync(gzipPieces(pieces)).equals(whole))
  const stored = gzipPieces(pieces)
  t.ok(gunzipSync(stored).equals(whole))
  const compressed = await untilShorter(pieces, stored.length - long.bytes.length)
  t.ok(gunzipSync(compressed).equals(whole))
  t.ok(gunzipSync(gzipPieces([])).equals(Buffer.alloc(0)))
})

t.test('[GZIP3] mixed pieces in any order decompress to themselves', async (t) => {
  const seed = Number(process.env.PARLEY_TEST_SEED ?? Date.now() % 1_000_000)
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  const random = makeRandom(seed).below
  const text = () => 'aé😀"\\'.repeat(random(30)).slice(0, random(60)).toWellFormed()
  const known = Array.from({ length: 10 }, () => new CachedPiece(Buffer.from(text())))
  for (let round = 0; round < 200; round++) {
    const pieces: JsonPiece[] = Array.from({ length: random(12) }, () => {
      const kind = random(3)
      if (kind === 0) return text()
      return kind === 1 ? Buffer.from(text()) : (known[random(known.length)] as CachedPiece)
    })
    if (!gunzipSync(gzipPieces(pieces)).equals(Buffer.from(joinPieces(pieces))))
      return t.fail(`round ${round}`)
    if (round % 20 === 0) await new Promise(setImmediate)
  }
  t.pass('all are right')
})

t.test('[GZIP5] compressed pieces take no more memory than their bytes', async (t) => {
  const pieces = Array.from({ length: 200 }, (_, id) => new CachedPiece(Buffer.from(`${id}`.repeat(200))))
  const length = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)
  gzipPieces(pieces)
  const bytes = await retainedBytes(() => untilShorter(pieces, length / 2))
  t.ok(bytes < length + 1_000 * pieces.length, `${bytes} bytes`)
})

t.test('[GZIP6] of many pieces 4,096 wait to be compressed; others stay as they are', async (t) => {
  const pieceOf = (text: string) => new CachedPiece(Buffer.from(text.repeat(40)))
  const pieces = Array.from({ length: 4_200 }, (_, id) => pieceOf(`${id} `))
  const [last, after] = [pieces.at(-1) as CachedPiece, pieceOf('later ')]
  gzipPieces(pieces)
  gzipPieces(pieces)
  await untilShorter([pieces[4_095] as CachedPiece], last.bytes.length)
  await untilShorter([after], after.bytes.length) // It was queued behind all of them.
  t.ok(gzipPieces([last]).length > last.bytes.length)
  t.ok((await untilShorter([last], last.bytes.length)).length > 0, 'until the next use')
})

t.test(
  '[GZIP4] long replies are compressed for clients that accept it, and have the same text',
  async (t) => {
    const server = await startTestServer(t)
    const member = server.as('member')
    for (let number = 0; number < 30; number++) {
      await member.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: `channel ${number}` }] })
    }
    const ask = (path: string, accepted?: string, method = 'GET') =>
      new Promise<{ encoding: string | undefined; length: number; body: Buffer }>((resolve, reject) => {
        const headers = {
          Authorization: member.authorization,
          ...(accepted === undefined ? {} : { 'Accept-Encoding': accepted }),
        }
        const request = get(`${member.url}/api/v1${path}`, { headers, method }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({
              encoding: response.headers['content-encoding'],
              length: Number(response.headers['content-length']),
              body: Buffer.concat(chunks),
            }),
          )
        })
        request.on('error', reject)
      })
    const plain = await ask('/streams')
    t.equal(plain.encoding, undefined)
    for (const accepted of ['gzip', 'gzip, deflate, br', 'deflate;q=0.5, gzip;q=0.8', 'br , gzip ; q=1']) {
      const { encoding, body } = await ask('/streams', accepted)
      t.equal(encoding, 'gzip', accepted)
      t.ok(gunzipSync(body).equals(plain.body), accepted)
    }
    for (const refused of ['', 'identity', 'deflate, br', 'gzip;q=0', 'gzip; q=0.0', 'x-gzippy', '*']) {
      const { encoding, body } = await ask('/streams', refused)
      t.equal(encoding, undefined, refused)
      t.ok(body.equals(plain.body), refused)
    }
    t.equal((await ask('/users/me/subscriptions?include_subscribers=true', 'gzip')).encoding, 'gzip')
    t.equal((await ask('/server_settings', 'gzip')).encoding, undefined, 'short ones are not compressed')
    const ignored = await ask('/streams?strange=1', 'gzip')
    t.same(JSON.parse(gunzipSync(ignored.body).toString()).ignored_parameters_unsupported, ['strange'])
  },
)

/** Repeats a request until background compression is done. */
function untilShorter(pieces: readonly JsonPiece[], bytesMax: number): Promise<Buffer> {
  return pollUntil('the pieces are compressed', () => {
    const bytes = gzipPieces(pieces)
    return bytes.length < bytesMax ? bytes : undefined
  })
}
