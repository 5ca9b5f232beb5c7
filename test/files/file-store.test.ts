/** The guarantees of every file store, on the disk and in an object store. */

import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { readStoreAddress, type StoreAddress } from '../../server/domain/settings/store-address.ts'
import { DiskFileStore } from '../../server/files/disk-file-store.ts'
import { createFileKey, isFileKey } from '../../server/files/file-key.ts'
import type { FileStore } from '../../server/files/file-store.ts'
import { S3FileStore } from '../../server/files/s3/s3-file-store.ts'
import { startObjectStore } from '../harness/files/start-object-store.ts'
import { makeFolder } from '../harness/client/tus.ts'

const MIB = 1024 * 1024
const folder = await makeFolder(t)
const server = await startObjectStore(t)
const address = readStoreAddress(server.address('contract'), {}) as StoreAddress
const STORES: readonly (readonly [name: string, open: () => FileStore])[] = [
  ['disk', () => new DiskFileStore(folder)],
  ['object store', () => new S3FileStore(address)],
]

async function* chunksOf(...texts: readonly (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === 'string' ? Buffer.from(text) : text
}

for (const [name, open] of STORES) t.test(name, (t) => checkStore(t, open))

/** The remains of a file. */
async function traces(key: string): Promise<string[]> {
  const onDisk = await access(join(folder, key)).then(
    () => [key],
    () => [],
  )
  return [...onDisk, ...(await server.objects()).filter((one) => one.includes(key))]
}

async function checkStore(t: Test, open: () => FileStore): Promise<void> {
  const store = open()

  async function created(...texts: string[]): Promise<string> {
    const key = createFileKey()
    await store.write(key, chunksOf(...texts), 1_000)
    return key
  }

  const read = async (key: string) => Buffer.from(await store.readAll(key, 1_000)).toString()

  t.test('[UPLOAD1] appended bytes are stored in order and survive a restart', async (t) => {
    const key = createFileKey()
    await store.create(key)
    t.equal(await store.size(key), 0)
    t.equal(await store.append(key, 0, chunksOf('one ', 'two '), 100), 8)
    t.equal(await store.size(key), 8)
    t.equal(await store.append(key, 8, chunksOf('three'), 100), 13)
    const again = open()
    t.equal(await again.size(key), 13)
    t.equal(await again.append(key, 13, chunksOf(), 100), 13)
    await again.finish(key)
    t.equal(await read(key), 'one two three')
  })

  t.test('[UPLOAD2] bytes are appended at the end only', async (t) => {
    const key = createFileKey()
    await store.create(key)
    t.equal(await store.append(key, 0, chunksOf('abcdef'), 100), 6)
    for (const offset of [5, 7])
      await t.rejects(store.append(key, offset, chunksOf('Z'), 100), { name: 'RangeError' })
    await store.finish(key)
    t.equal(await read(key), 'abcdef')
  })

  t.test('[FILES1] a file that is written whole is there at once or not at all', async (t) => {
    const key = await created('old')
    const halfway = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('new ')
      halfway.resolve()
      await goOn.promise
      yield Buffer.from('bytes')
    }
    const writing = store.write(key, slow(), 100)
    await halfway.promise
    t.equal(await read(key), 'old')
    goOn.resolve()
    t.equal(await writing, 9)
    t.equal(await read(key), 'new bytes')
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      throw new Error('gone')
    }
    const other = createFileKey()
    await t.rejects(store.write(other, broken(), 100), /gone/)
    t.equal(await store.size(other), undefined)
    await t.rejects(store.write(other, chunksOf('four', 'five'), 7), { name: 'FileTooLargeError' })
    t.equal(await store.size(other), undefined)
  })

  t.test('[UPLOAD3] a file does not grow beyond its limit; earlier bytes stay', async (t) => {
    const key = createFileKey()
    await store.create(key)
    await t.rejects(store.append(key, 0, chunksOf('four', 'five'), 7), { name: 'FileTooLargeError' })
    t.equal(await store.size(key), 4)
    t.equal(await store.append(key, 4, chunksOf('end'), 7), 7)
    await store.finish(key)
    t.equal(await read(key), 'fourend')
    await t.rejects(store.readAll(key, 6), { name: 'FileTooLargeError' })
  })

  t.test('[TUS61] a chunk is lent: its memory is reused for the next', async (t) => {
    const memory = Buffer.alloc(3)
    async function* lend(): AsyncGenerator<Uint8Array> {
      for (const text of ['one', 'two', 'six']) {
        memory.write(text)
        yield memory
        memory.fill('-')
      }
    }
    const key = createFileKey()
    await store.create(key)
    t.equal(await store.append(key, 0, lend(), 100), 9)
    await store.finish(key)
    await store.finish(key)
    t.equal(await read(key), 'onetwosix')
    t.equal(await store.write(key, lend(), 100), 9)
    t.equal(await read(key), 'onetwosix')
  })

  t.test('[UPLOAD4] bytes of a source that breaks stay', async (t) => {
    const key = createFileKey()
    await store.create(key)
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      throw new Error('gone')
    }
    await t.rejects(store.append(key, 0, broken(), 100), /gone/)
    t.equal(await store.size(key), 4)
  })

  t.test('[UPLOAD5] any range of a file can be read', async (t) => {
    const key = await created('0123456789')
    const part = async (start?: number, end?: number) =>
      (await buffer(await store.open(key, start, end))).toString()
    t.equal(await part(), '0123456789')
    t.equal(await part(3), '3456789')
    t.equal(await part(3, 3), '3')
    t.equal(await part(8, 100), '89')
  })

  t.test(
    '[UPLOAD6] deleting a file deletes its derived files; deleting an absent one succeeds',
    async (t) => {
      const key = await created('original')
      const variant = `${key}.840x560.webp`
      await store.write(variant, chunksOf('small'), 100)
      t.equal(await store.size(variant), 5)
      const other = await created('other')
      await store.remove(variant)
      t.equal(await store.size(variant), undefined)
      t.equal(await read(key), 'original', 'a variant is deleted alone')
      await store.write(variant, chunksOf('small'), 100)
      await store.remove(key)
      t.equal(await store.size(key), undefined)
      t.equal(await store.size(variant), undefined)
      t.same(await traces(key), [])
      await store.remove(key)
      t.equal(await read(other), 'other')
      for (const asked of [
        () => store.open(key),
        () => store.readAll(key, 9),
        () => store.append(key, 0, chunksOf(), 9),
        () => store.finish(key),
        () => store.write(variant, chunksOf('small'), 9),
      ] as (() => Promise<unknown>)[]) {
        await t.rejects(asked(), { name: 'FileMissingError' })
      }
    },
  )
  t.test('[FILES2] a large file grows in pieces of any size, at one process after another', async (t) => {
    const bytes = randomBytes(12 * MIB + 7)
    const key = createFileKey()
    await store.create(key)
    let offset = 0
    for (const length of [3 * MIB, 4 * MIB + 1, 0, 5 * MIB, MIB - 1, 7]) {
      const piece = bytes.subarray(offset, offset + length)
      offset = await open().append(
        key,
        offset,
        chunksOf(piece.subarray(0, 1000), piece.subarray(1000)),
        13 * MIB,
      )
      t.equal(await open().size(key), offset)
    }
    t.equal(offset, bytes.length)
    await open().finish(key)
    t.ok(bytes.equals(await store.readAll(key, 13 * MIB)))
    const part = await buffer(await store.open(key, 5 * MIB - 10, 5 * MIB + 10))
    t.ok(bytes.subarray(5 * MIB - 10, 5 * MIB + 11).equals(part))
    t.equal(await open().append(key, offset, chunksOf(), 13 * MIB), offset)
    t.equal((await traces(key)).length, 1, 'nothing is left beside it')
    t.same(await server.uploads(), [])
  })

  t.test('[FILES3] a large file is written whole or not at all', async (t) => {
    const bytes = randomBytes(11 * MIB)
    const key = createFileKey()
    const halves = () => chunksOf(bytes.subarray(0, 6 * MIB), bytes.subarray(6 * MIB))
    await t.rejects(store.write(key, halves(), 11 * MIB - 1), { name: 'FileTooLargeError' })
    t.same([await store.size(key), await server.uploads()], [undefined, []])
    t.equal(await store.write(key, halves(), 11 * MIB), 11 * MIB)
    t.ok(bytes.equals(await store.readAll(key, 11 * MIB)))
    t.equal((await traces(key)).length, 1)
    const stream = await store.open(key)
    stream.destroy() // Nobody reads it.
    await store.remove(key)
    t.same(await traces(key), [])
  })

  t.test('[FILES4] removing a file removes the parts of an interrupted writer', async (t) => {
    const key = createFileKey()
    await store.create(key)
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield randomBytes(6 * MIB)
      throw new Error('gone')
    }
    await t.rejects(store.append(key, 0, broken(), 20 * MIB), /gone/)
    t.equal(await store.size(key), 6 * MIB)
    await store.remove(key)
    t.same([await traces(key), await server.uploads()], [[], []])
  })
}

t.test('[UPLOAD7] only keys of this server become paths', async (t) => {
  const key = createFileKey()
  t.ok(isFileKey(key))
  t.ok(isFileKey(`${key}.300x200.webp`))
  for (const bad of [
    '',
    '..',
    '../../etc/passwd',
    'ab/../../../../etc/passwd',
    `${key}/../x`,
    `${key}.`,
    `${key}./x`,
    `${key}\0`,
    `${key}\n`,
    `/${key}`,
    'ab/short',
    `AB/${'x'.repeat(24)}`,
    `ab/${'x'.repeat(65)}`,
  ]) {
    t.notOk(isFileKey(bad), JSON.stringify(bad))
    for (const [, open] of STORES) {
      await t.rejects(open().create(bad), /not a key/)
      await t.rejects(open().readAll(bad, 10), /not a key/)
      await t.rejects(open().remove(bad), /not a key/)
    }
  }
})

t.test('[FILES5] a writer that comes back late takes no byte away', async (t) => {
  const store = new S3FileStore(address)
  const bytes = randomBytes(11 * MIB)
  const key = createFileKey()
  await store.create(key)
  const stopped = Promise.withResolvers<void>()
  const [isStopped, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(0, 6 * MIB)
    isStopped.resolve()
    await goOn.promise
    yield bytes.subarray(6 * MIB, 7 * MIB)
  }
  const late = store.append(key, 0, slow(), 11 * MIB).finally(stopped.resolve)
  await isStopped.promise
  // Another process has the upload now: one part is recorded.
  t.equal(await store.size(key), 5 * MIB)
  t.equal(await store.append(key, 5 * MIB, chunksOf(bytes.subarray(5 * MIB)), 11 * MIB), 11 * MIB)
  goOn.resolve()
  await late.catch(() => undefined)
  t.equal(await store.size(key), 11 * MIB)
  await store.finish(key)
  t.ok(bytes.equals(await store.readAll(key, 11 * MIB)))
})

t.test('[FILES6] old files are listed, and multipart uploads that nobody ends are given up', async (t) => {
  const at = (prefix: string) => readStoreAddress(server.address(prefix), {}) as StoreAddress
  const [store, other] = [new S3FileStore(at('sweep')), new S3FileStore(at('sweeps'))]
  const keys = [createFileKey(), createFileKey()].sort()
  for (const key of keys) await store.write(key, chunksOf('x'), 1)
  await store.write(`${keys[0]}.1.webp`, chunksOf('x'), 1)
  await other.write(createFileKey(), chunksOf('x'), 1)
  const growing = createFileKey()
  await store.create(growing)
  await store.append(growing, 0, chunksOf(randomBytes(5 * MIB)), 6 * MIB)
  t.equal((await server.uploads()).length, 1)
  const sweep = async (before: Date) => {
    const listed: string[] = []
    for await (const key of store.sweep(before, 'one')) listed.push(key)
    return listed
  }
  t.same(await sweep(new Date(Date.now() - 60_000)), [])
  t.equal((await server.uploads()).length, 1)
  t.same(await sweep(new Date(Date.now() + 60_000)), [...keys, growing].sort())
  t.same(await server.uploads(), [])
})

t.test('[FILES19] a large file is whole also if the answer of the store is lost', async (t) => {
  const store = new S3FileStore(address)
  const bytes = randomBytes(6 * MIB)
  const written = createFileKey()
  await server.loseNextJoin()
  t.equal(await store.write(written, chunksOf(bytes), bytes.length), bytes.length)
  const grown = createFileKey()
  await store.create(grown)
  await store.append(grown, 0, chunksOf(bytes), bytes.length)
  await server.loseNextJoin()
  await store.finish(grown)
  for (const key of [written, grown]) t.ok(bytes.equals(await store.readAll(key, bytes.length)))
  t.same(await server.uploads(), [])
})

t.test('[FILES13] a store that does not answer is unavailable after a limited time', async (t) => {
  const store = new S3FileStore(address, 100)
  const key = createFileKey()
  await store.write(key, chunksOf('x'), 1)
  server.pause()
  await t.rejects(store.readAll(key, 1), { name: 'FilesUnavailableError', message: /SILENT/ })
  server.resume()
  t.equal(Buffer.from(await store.readAll(key, 1)).toString(), 'x')
})

t.test('[FILES7] a store that is away or refuses is unavailable', async (t) => {
  const key = createFileKey()
  for (const [given, message] of [
    [server.address('refused', { key: 'wrong' }), /403 InvalidAccessKeyId/],
    [server.address('refused', { bucket: 'nowhere' }), /404 NoSuchBucket/],
    ['s3://a:b@files/x?endpoint=http://127.0.0.1:1', /ECONNREFUSED/],
  ] as const) {
    const store = new S3FileStore(readStoreAddress(given, {}) as StoreAddress)
    for (const asked of [
      () => store.write(key, chunksOf('x'), 1),
      () => store.create(key),
      () => store.append(key, 0, chunksOf('x'), 1),
      () => store.finish(key),
      () => store.size(key),
      () => store.open(key),
      () => store.readAll(key, 9),
      () => store.remove(key),
    ] as (() => Promise<unknown>)[])
      await t.rejects(asked(), { name: 'FilesUnavailableError', message })
  }
})
