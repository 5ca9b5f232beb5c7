/** The file store on disk. */

import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { DiskFileStore } from '../../server/files/disk-file-store.ts'
import { createFileKey, isFileKey } from '../../server/files/file-key.ts'
import type { FileStore } from '../../server/files/file-store.ts'

const folder = await mkdtemp(join(tmpdir(), 'parley-files-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const store: FileStore = new DiskFileStore(folder)

async function* chunksOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

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
  t.equal(await store.append(key, 8, chunksOf('three'), 100), 13)
  t.equal(await new DiskFileStore(folder).size(key), 13)
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

t.test('[UPLOAD6] deleting a file deletes its derived files; deleting an absent one succeeds', async (t) => {
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
  await t.rejects(access(join(folder, key)), { code: 'ENOENT' })
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
})

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
    await t.rejects(store.create(bad), /not a key/)
    await t.rejects(store.readAll(bad, 10), /not a key/)
    await t.rejects(store.remove(bad), /not a key/)
  }
})
